//! Indices of several dimensions as numbers, and views as pointers.

use std::collections::BTreeMap;

use lanescope_frontend::Span;
use lanescope_syntax::tree::{
    Declaration, Expr, ExprKind, Name, Stmt, StmtKind, SwitchPart, TypeExpr, TypeKind,
};

use super::{Thread, View, named, rank_of};
use crate::source::open_names::{Open, declaration, int, whole};

/// Rewrites what one lambda does.
pub(super) struct Rewrite<'v> {
    pub(super) thread: Thread,
    pub(super) views: &'v BTreeMap<Name, View>,
    /// The view whose extent is that of the launch.
    pub(super) over: Option<Name>,
    /// Variables that are an `index`, and their ranks.
    indices: BTreeMap<Name, usize>,
    /// Views that were taken to be as wide as the launch, and where that mattered first.
    pub(super) assumed: Vec<(Name, Span)>,
}

/// An index or an extent, the slowest dimension first.
pub(super) type Components = Vec<Expr>;

const AXES: [char; 3] = ['x', 'y', 'z'];

impl<'v> Rewrite<'v> {
    pub(super) fn new(thread: Thread, views: &'v BTreeMap<Name, View>, over: Option<Name>) -> Self {
        Self {
            thread,
            views,
            over,
            indices: BTreeMap::new(),
            assumed: Vec::new(),
        }
    }

    pub(super) fn assumed(&self) -> &[(Name, Span)] {
        &self.assumed
    }

    pub(super) fn statements(&mut self, list: &[Stmt]) -> Vec<Stmt> {
        list.iter().map(|one| self.statement(one)).collect()
    }

    fn boxed(&mut self, statement: &Stmt) -> Box<Stmt> {
        Box::new(self.statement(statement))
    }

    fn statement(&mut self, statement: &Stmt) -> Stmt {
        let kind = match &statement.kind {
            StmtKind::Expr(expr) => StmtKind::Expr(self.expr(expr)),
            StmtKind::Declare(list) => self.declare(list),
            StmtKind::Block(list) => StmtKind::Block(self.statements(list)),
            StmtKind::Several(list) => StmtKind::Several(self.statements(list)),
            StmtKind::If {
                condition,
                yes,
                no,
                is_constexpr,
            } => StmtKind::If {
                condition: self.expr(condition),
                yes: self.boxed(yes),
                no: no.as_deref().map(|no| self.boxed(no)),
                is_constexpr: *is_constexpr,
            },
            StmtKind::For {
                init,
                condition,
                step,
                body,
                unroll,
            } => StmtKind::For {
                init: init.as_deref().map(|init| self.boxed(init)),
                condition: condition.as_ref().map(|one| self.expr(one)),
                step: step.as_ref().map(|one| self.expr(one)),
                body: self.boxed(body),
                unroll: *unroll,
            },
            StmtKind::While {
                condition,
                body,
                unroll,
            } => StmtKind::While {
                condition: self.expr(condition),
                body: self.boxed(body),
                unroll: *unroll,
            },
            StmtKind::Do { body, condition } => StmtKind::Do {
                body: self.boxed(body),
                condition: self.expr(condition),
            },
            StmtKind::Switch { value, body } => StmtKind::Switch {
                value: self.expr(value),
                body: body.iter().map(|part| self.part(part)).collect(),
            },
            StmtKind::Return(value) => {
                StmtKind::Return(value.as_ref().map(|value| self.expr(value)))
            }
            other @ (StmtKind::Empty
            | StmtKind::Struct(_)
            | StmtKind::Typedef(..)
            | StmtKind::ForEach { .. }
            | StmtKind::Bind { .. }
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Values { .. }) => other.clone(),
        };
        Stmt {
            span: statement.span,
            kind,
        }
    }

    fn part(&mut self, part: &SwitchPart) -> SwitchPart {
        match part {
            SwitchPart::Stmt(one) => SwitchPart::Stmt(self.statement(one)),
            other @ (SwitchPart::Case(_) | SwitchPart::Default(_)) => other.clone(),
        }
    }

    /// Declarations, of which an `index` becomes a variable for each of its components.
    fn declare(&mut self, list: &[Declaration]) -> StmtKind {
        let mut all = Vec::new();
        for one in list {
            match self.index_declared(one) {
                Some(components) => {
                    self.indices.insert(one.name.clone(), components.len());
                    let named = components
                        .into_iter()
                        .enumerate()
                        .map(|(at, init)| Declaration {
                            init: Some(init),
                            ..declaration(&component(&one.name, at), one.span, int(one.span, false))
                        });
                    all.extend(named);
                }
                None => all.push(Declaration {
                    init: one.init.as_ref().map(|init| self.expr(init)),
                    ..one.clone()
                }),
            }
        }
        StmtKind::Declare(all)
    }

    /// What an `index` begins with; `None` of another variable.
    fn index_declared(&mut self, declaration: &Declaration) -> Option<Components> {
        let rank = match named(&declaration.ty) {
            Some(("index" | "extent", arguments)) => Some(rank_of(arguments.first())?),
            Some(_) => return None,
            None if matches!(declaration.ty.kind, TypeKind::Auto) => None,
            None => return None,
        };
        let components = match (declaration.init.as_ref(), rank) {
            (None, Some(rank)) => vec![whole(declaration.span, 0); rank],
            (None, None) => return None,
            (Some(init), rank) => match (&init.kind, rank) {
                (ExprKind::List(list), Some(rank)) if list.len() == rank => {
                    list.iter().map(|one| self.expr(one)).collect()
                }
                (_, rank) => match (self.components(init), rank) {
                    (Some(found), _) => found,
                    (None, Some(1)) => vec![self.expr(init)],
                    (None, _) => return None,
                },
            },
        };
        (rank.is_none() || rank == Some(components.len())).then_some(components)
    }

    pub(super) fn exprs(&mut self, list: &[Expr]) -> Vec<Expr> {
        list.iter().map(|one| self.expr(one)).collect()
    }

    fn inner(&mut self, expr: &Expr) -> Box<Expr> {
        Box::new(self.expr(expr))
    }

    pub(super) fn expr(&mut self, expr: &Expr) -> Expr {
        if let Some(found) = self.special(expr) {
            return found;
        }
        let kind = match &expr.kind {
            ExprKind::Prefix(op, a) => ExprKind::Prefix(op, self.inner(a)),
            ExprKind::Postfix(op, a) => ExprKind::Postfix(op, self.inner(a)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(op, self.inner(a), self.inner(b)),
            ExprKind::Assign(op, a, b) => ExprKind::Assign(op, self.inner(a), self.inner(b)),
            ExprKind::Conditional(a, b, c) => {
                ExprKind::Conditional(self.inner(a), self.inner(b), self.inner(c))
            }
            ExprKind::Call {
                callee,
                templates,
                arguments,
            } => ExprKind::Call {
                callee: Box::new(self.callee(callee)),
                templates: templates.clone(),
                arguments: self.exprs(arguments),
            },
            ExprKind::Index(a, b) => ExprKind::Index(self.inner(a), self.inner(b)),
            ExprKind::Member(a, name) => ExprKind::Member(self.inner(a), name.clone()),
            ExprKind::Cast(ty, a) => ExprKind::Cast(ty.clone(), self.inner(a)),
            ExprKind::Construct(ty, list) => ExprKind::Construct(ty.clone(), self.exprs(list)),
            ExprKind::List(list) => ExprKind::List(self.exprs(list)),
            ExprKind::Designated(name, a) => ExprKind::Designated(name.clone(), self.inner(a)),
            other @ (ExprKind::Whole { .. }
            | ExprKind::Real { .. }
            | ExprKind::Text(_)
            | ExprKind::Name(_)
            | ExprKind::AlignofType(_)
            | ExprKind::SizeofType(_)
            | ExprKind::SizeofValue(_)
            | ExprKind::Expand(_)
            | ExprKind::Fold { .. }
            | ExprKind::SizeofPack(_)
            | ExprKind::Lambda(..)
            | ExprKind::Missing) => other.clone(),
        };
        Expr::new(expr.span, kind)
    }

    /// A function by the name that it has here.
    fn callee(&mut self, callee: &Expr) -> Expr {
        let ExprKind::Name(name) = &callee.kind else {
            return self.expr(callee);
        };
        let last = name.rsplit("::").next().unwrap_or(name);
        let here = match last {
            "atomic_fetch_add" => "atomicAdd",
            "atomic_fetch_sub" => "atomicSub",
            "atomic_fetch_min" => "atomicMin",
            "atomic_fetch_max" => "atomicMax",
            "atomic_fetch_and" => "atomicAnd",
            "atomic_fetch_or" => "atomicOr",
            "atomic_fetch_xor" => "atomicXor",
            "atomic_exchange" => "atomicExch",
            other if is_of_amp(name) => other,
            _ => name,
        };
        Expr::new(callee.span, ExprKind::Name(here.into()))
    }

    /// What means something else in C++ AMP than elsewhere.
    fn special(&mut self, expr: &Expr) -> Option<Expr> {
        match &expr.kind {
            ExprKind::Index(base, index) => self
                .component(base, index)
                .or_else(|| self.element(expr, &mut Vec::new())),
            ExprKind::Call {
                callee, arguments, ..
            } => match &callee.kind {
                ExprKind::Name(name) if self.views.contains_key(name) => {
                    self.element_at(callee, arguments, expr.span)
                }
                ExprKind::Member(object, name) if name.starts_with("wait") => {
                    self.barrier(object, expr.span)
                }
                _ => None,
            },
            ExprKind::Assign(op, target, value) => self.assign(op, target, value, expr.span),
            ExprKind::Member(object, name) => self.tile_side(object, name, expr.span),
            _ => None,
        }
    }

    /// `tidx.barrier.wait()` and its kin.
    fn barrier(&self, object: &Expr, span: Span) -> Option<Expr> {
        let ExprKind::Member(ty, name) = &object.kind else {
            return None;
        };
        (**name == *"barrier" && self.is_thread(ty)).then(|| {
            let callee = Expr::new(span, ExprKind::Name("__syncthreads".into()));
            let call = ExprKind::Call {
                callee: Box::new(callee),
                templates: Vec::new(),
                arguments: Vec::new(),
            };
            Expr::new(span, call)
        })
    }

    fn is_thread(&self, expr: &Expr) -> bool {
        matches!(&expr.kind, ExprKind::Name(name) if *name == self.thread.name)
    }

    /// `tidx.tile_dim0` and its kin.
    fn tile_side(&self, object: &Expr, name: &str, span: Span) -> Option<Expr> {
        let number: usize = name.strip_prefix("tile_dim")?.parse().ok()?;
        (self.is_thread(object) && number < self.thread.rank)
            .then(|| Open::Builtin("blockDim", self.axis(number)).expr(span))
    }

    pub(super) fn axis(&self, number: usize) -> char {
        AXES[(self.thread.rank - 1 - number).min(2)]
    }

    /// One of an index's components by its number.
    fn component(&mut self, base: &Expr, index: &Expr) -> Option<Expr> {
        let ExprKind::Whole { value, .. } = index.kind else {
            return None;
        };
        let components = self.components(base)?;
        components.get(usize::try_from(value).ok()?).cloned()
    }

    /// The components of what is an index or an extent.
    pub(super) fn components(&mut self, expr: &Expr) -> Option<Components> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Name(name) if *name == self.thread.name => {
                Some(self.of_thread("global", span)?)
            }
            ExprKind::Name(name) => {
                let rank = *self.indices.get(name)?;
                let each = (0..rank).map(|at| {
                    let name = component(name, at);
                    Expr::new(span, ExprKind::Name(name.into()))
                });
                Some(each.collect())
            }
            ExprKind::Member(object, name) if self.is_thread(object) => self.of_thread(name, span),
            ExprKind::Member(object, name) if &**name == "extent" => self.extent(object, span),
            ExprKind::Call { callee, .. } => match &callee.kind {
                ExprKind::Member(object, name) if &**name == "get_extent" => {
                    self.extent(object, span)
                }
                _ => None,
            },
            ExprKind::Construct(ty, list) => self.constructed(ty, list),
            ExprKind::Binary(op @ ("+" | "-" | "*" | "/" | "%"), a, b) => {
                self.combined(op, a, b, span)
            }
            _ => None,
        }
    }

    /// `index<2>(a, b)`.
    fn constructed(&mut self, ty: &TypeExpr, list: &[Expr]) -> Option<Components> {
        let (name, arguments) = named(ty)?;
        if !matches!(name, "index" | "extent") {
            return None;
        }
        let rank = rank_of(arguments.first())?;
        match list {
            [one] if rank > 1 => self.components(one),
            _ if list.len() == rank => Some(self.exprs(list)),
            _ => None,
        }
    }

    /// An operator between two indices, or an index and a number.
    fn combined(&mut self, op: &'static str, a: &Expr, b: &Expr, span: Span) -> Option<Components> {
        let (first, second) = (self.components(a), self.components(b));
        let rank = first.as_ref().or(second.as_ref())?.len();
        let first = match first {
            Some(found) => found,
            None => vec![self.expr(a); rank],
        };
        let second = match second {
            Some(found) => found,
            None => vec![self.expr(b); rank],
        };
        let pairs = first.into_iter().zip(second);
        Some(pairs.map(|(a, b)| binary(op, a, b, span)).collect())
    }

    /// `local`, `global`, `tile` and their kin of the thread.
    fn of_thread(&self, member: &str, span: Span) -> Option<Components> {
        let rank = self.thread.rank;
        let each = |part: &dyn Fn(char) -> Expr| -> Components {
            (0..rank).map(|number| part(self.axis(number))).collect()
        };
        let builtin = |name: &'static str, axis: char| Open::Builtin(name, axis).expr(span);
        Some(match member {
            "global" => each(&|axis| Open::Global(axis).expr(span)),
            "local" => each(&|axis| builtin("threadIdx", axis)),
            "tile" => each(&|axis| builtin("blockIdx", axis)),
            "tile_extent" | "tile_dim" => each(&|axis| builtin("blockDim", axis)),
            "tile_origin" => each(&|axis| {
                let (block, size) = (builtin("blockIdx", axis), builtin("blockDim", axis));
                binary("*", block, size, span)
            }),
            _ => return None,
        })
    }

    /// An assignment to an index, one of its components after another.
    fn assign(
        &mut self,
        op: &'static str,
        target: &Expr,
        value: &Expr,
        span: Span,
    ) -> Option<Expr> {
        let ExprKind::Name(name) = &target.kind else {
            return None;
        };
        let rank = *self.indices.get(name)?;
        let targets = self.components(target)?;
        let values = match self.components(value) {
            Some(found) => found,
            None => vec![self.expr(value); rank],
        };
        let each = targets.into_iter().zip(values).map(|(target, value)| {
            Expr::new(
                span,
                ExprKind::Assign(op, Box::new(target), Box::new(value)),
            )
        });
        each.reduce(|before, one| binary(",", before, one, span))
    }
}

/// The variable of an index's component; no name in a source has brackets.
fn component(name: &str, number: usize) -> String {
    format!("{name}[{number}]")
}

pub(super) fn binary(op: &'static str, a: Expr, b: Expr, span: Span) -> Expr {
    Expr::new(span, ExprKind::Binary(op, Box::new(a), Box::new(b)))
}

/// Whether a name is one of C++ AMP's own namespaces.
fn is_of_amp(name: &str) -> bool {
    [
        "concurrency::",
        "Concurrency::",
        "fast_math::",
        "precise_math::",
    ]
    .iter()
    .any(|space| name.starts_with(space))
}
