//! Open names: those that an article's text uses and leaves to its reader, as `tid`, `bdim` and `BLOCK_SIZE`.
//!
//! What a name stands for is told from its letters alone, capitals and `_` left aside, and said wherever it is taken.

use lanescope_frontend::Span;
use lanescope_syntax::scalar::Scalar;
use lanescope_syntax::tree::{Declaration, Expr, ExprKind, Stmt, StmtKind, TypeExpr, TypeKind};

/// What an open name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// `threadIdx`, `blockIdx`, `blockDim` or `gridDim`, along an axis.
    Builtin(&'static str, char),
    /// The thread's index in the grid, along an axis.
    Global(char),
    /// The thread's lane.
    Lane,
    /// The thread's warp in the block.
    Warp,
    /// A number that the compiler knows.
    Constant(i64),
}

/// What a name stands for that a kernel leaves open; in an array's extent, of so many dimensions, it is a constant.
pub(super) fn of_kernel(name: &str, dimensions: Option<usize>) -> Option<Open> {
    let plain: String = name.chars().filter(|one| *one != '_').collect();
    let plain = plain.to_ascii_lowercase();
    let (plain, axis) = match plain.as_str() {
        "tx" | "bx" => (&plain[..1], 'x'),
        "ty" | "by" => (&plain[..1], 'y'),
        "tz" | "bz" => (&plain[..1], 'z'),
        other => match other.char_indices().next_back() {
            Some((at, axis @ ('x' | 'y' | 'z'))) if is_axis_behind(&other[..at]) => {
                (&other[..at], axis)
            }
            _ => (other, 'x'),
        },
    };
    let found = match plain {
        "t" | "tid" | "thid" | "thread" | "threadid" | "threadidx" | "lid" | "localid"
        | "localtid" => Open::Builtin("threadIdx", axis),
        "b" | "bid" | "block" | "blockid" | "blockidx" => Open::Builtin("blockIdx", axis),
        "bdim" | "blockdim" | "blocksize" | "blockthreads" | "groupsize" | "nthreads"
        | "numthreads" | "threadcount" | "threadnum" | "threads" | "threadsnum"
        | "threadsperblock" | "tpb" => match dimensions {
            Some(1) => Open::Constant(256),
            Some(_) => Open::Constant(16),
            None => Open::Builtin("blockDim", axis),
        },
        "blocknum" | "blocks" | "gdim" | "griddim" | "gridsize" | "nblocks" | "numblocks" => {
            Open::Builtin("gridDim", axis)
        }
        "gid" | "globalid" | "globalidx" | "globaltid" | "gtid" => Open::Global(axis),
        "lane" | "laneid" => Open::Lane,
        "warp" | "warpid" => Open::Warp,
        "warpsize" | "tiledim" | "tileside" | "tilesize" | "tilewidth" => Open::Constant(32),
        "blockrows" => Open::Constant(8),
        _ => return None,
    };
    Some(found)
}

/// Whether an axis may stand behind such a name.
fn is_axis_behind(plain: &str) -> bool {
    [
        "bdim", "bid", "blockdim", "blockid", "gdim", "gid", "globalid", "griddim", "localid",
        "threadid", "tid",
    ]
    .contains(&plain)
}

/// The same in a text that has no kernel: there also `i`, `x` and their like are open, and any constant may be.
pub(super) fn of_fragment(name: &str, dimensions: Option<usize>) -> Option<Open> {
    let of_kernel = of_kernel(name, dimensions);
    let own = || match (name, dimensions) {
        (_, Some(1)) => Some(Open::Constant(1024)),
        (_, Some(_)) => Some(Open::Constant(32)),
        ("i" | "idx" | "index" | "x" | "col" | "column", None) => Some(Open::Global('x')),
        ("j" | "y" | "row", None) => Some(Open::Global('y')),
        _ => None,
    };
    of_kernel.or_else(own)
}

impl Open {
    /// The same as text.
    pub(super) fn text(self) -> String {
        match self {
            Self::Builtin(name, axis) => format!("{name}.{axis}"),
            Self::Global(axis) => {
                format!("blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}")
            }
            Self::Lane => "threadIdx.x % 32".to_owned(),
            Self::Warp => "threadIdx.x / 32".to_owned(),
            Self::Constant(value) => value.to_string(),
        }
    }

    /// The same as a tree, of a type `int`.
    pub(super) fn expr(self, span: Span) -> Expr {
        let new = |kind| Expr::new(span, kind);
        let builtin = |name: &str, axis: char| {
            let ty = new(ExprKind::Name(name.into()));
            let member = new(ExprKind::Member(Box::new(ty), axis.to_string().into()));
            new(ExprKind::Cast(Box::new(int(span, false)), Box::new(member)))
        };
        let binary = |op, a, b| new(ExprKind::Binary(op, Box::new(a), Box::new(b)));
        match self {
            Self::Builtin(name, axis) => builtin(name, axis),
            Self::Global(axis) => {
                let first = binary("*", builtin("blockIdx", axis), builtin("blockDim", axis));
                binary("+", first, builtin("threadIdx", axis))
            }
            Self::Lane => binary("%", builtin("threadIdx", 'x'), whole(span, 32)),
            Self::Warp => binary("/", builtin("threadIdx", 'x'), whole(span, 32)),
            Self::Constant(value) => whole(span, value.unsigned_abs()),
        }
    }

    /// `int name = …;`, a constant as one.
    pub(super) fn declaration(self, name: &str, span: Span) -> Stmt {
        let is_const = matches!(self, Self::Constant(_));
        declare(Declaration {
            init: Some(self.expr(span)),
            ..declaration(name, span, int(span, is_const))
        })
    }
}

/// A number of type `int`.
pub(super) fn whole(span: Span, value: u64) -> Expr {
    let scalar = Scalar::I32;
    Expr::new(span, ExprKind::Whole { value, scalar })
}

/// The type `int`.
pub(super) const fn int(span: Span, is_const: bool) -> TypeExpr {
    scalar(span, Scalar::I32, is_const)
}

/// A scalar's type.
pub(super) const fn scalar(span: Span, scalar: Scalar, is_const: bool) -> TypeExpr {
    TypeExpr {
        span,
        kind: TypeKind::Scalar(scalar),
        is_const,
        is_volatile: false,
    }
}

/// A variable of that type.
pub(super) fn declaration(name: &str, span: Span, ty: TypeExpr) -> Declaration {
    Declaration {
        name: name.into(),
        span,
        ty,
        storage: Default::default(),
        align: None,
        init: None,
        bits: None,
        base_offset: None,
    }
}

/// A declaration as a statement.
pub(super) fn declare(declaration: Declaration) -> Stmt {
    Stmt {
        span: declaration.span,
        kind: StmtKind::Declare(vec![declaration]),
    }
}
