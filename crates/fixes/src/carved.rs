//! Tiles that are carved out of one shared array by pointers: where each begins, and what moves when the rows of one alone
//! become longer.

use std::collections::BTreeSet;

use lanescope_frontend::SourceArray;
use lanescope_syntax::Span;
use lanescope_syntax::tree::{Declaration, Expr, ExprKind, Function, TypeExpr, TypeKind};

use crate::Edit;
use crate::code::{Code, declared_by, is_name, statements};
use crate::literal::Literal;
use crate::rewrite::operand;
use crate::row_pitch::declared_size;

/// The most tiles of one array that are looked at.
const MOST_TILES: usize = 6;

/// A pointer into the array, as the kernel declares it.
struct Carved {
    /// The pointer's name; of the array its own.
    name: String,
    /// Bytes from the array's beginning; `None` where the text does not say.
    at: Option<u64>,
    /// What is added to the pointer that it is made of.
    offset: Option<Span>,
    /// Which tile that pointer is.
    base: Option<usize>,
    /// Bytes of an element.
    element: u64,
}

/// The tiles of one array, the array itself first.
pub(crate) struct Tiles {
    all: Vec<Carved>,
    /// The array's bytes and where its size stands, where it is declared with one.
    whole: Option<(u64, Span)>,
}

impl Tiles {
    /// Those that the kernel declares; `None` where there are fewer than two, or too many.
    pub(crate) fn of(code: &Code<'_>, kernel: &Function, array: &SourceArray) -> Option<Self> {
        let mut all = vec![Carved {
            name: array.name.clone(),
            at: Some(0),
            offset: None,
            base: None,
            element: array.element_bytes.max(1),
        }];
        let body = statements(&kernel.body);
        for one in declared_by(&body) {
            if let Some(tile) = carved(code, &all, one) {
                all.push(tile);
            }
        }
        let size = declared_size(code, array).filter(|_| array.extents.len() == 1);
        let whole = array.bytes.zip(size.map(|size| size.span));
        (3..=MOST_TILES + 1)
            .contains(&all.len())
            .then_some(Self { all, whole })
    }

    /// The pointers' names, each with the bytes of an element.
    pub(crate) fn pointers(&self) -> impl Iterator<Item = (&str, u64)> {
        let pointers = self.all.iter().skip(1);
        pointers.map(|tile| (&*tile.name, tile.element))
    }

    /// The changes that make room behind the tile `name` for rows of `row` of its elements that are `more` longer; `None` where
    /// the text does not say where the tiles begin.
    pub(crate) fn moved(
        &self,
        code: &Code<'_>,
        name: &str,
        row: u64,
        more: u64,
    ) -> Option<Vec<Edit>> {
        let own = self.all.iter().skip(1).find(|tile| tile.name == name)?;
        let begin = own.at?;
        let places: Option<BTreeSet<u64>> = self.all.iter().map(|tile| tile.at).collect();
        let mut places = places?;
        places.extend(self.whole.map(|(bytes, _)| bytes));
        let Some(next) = places.into_iter().find(|at| *at > begin) else {
            return Some(Vec::new());
        };
        let rows = (next - begin).div_ceil(row.checked_mul(own.element)?);
        let added = rows.checked_mul(more)?.checked_mul(own.element)?;
        let is_behind = |tile: &Carved| tile.at.is_some_and(|at| at > begin);
        let array = self.all.first()?;
        let mut edits = Vec::new();
        if let Some((_, size)) = self.whole {
            edits.push(longer(code, size, added.div_ceil(array.element))?);
        }
        for tile in self.all.iter().filter(|tile| is_behind(tile)) {
            let base = self.all.get(tile.base?)?;
            if is_behind(base) {
                continue;
            }
            edits.push(longer(code, tile.offset?, added.div_ceil(base.element))?);
        }
        Some(edits)
    }

    /// The same where only the launch knows the row `pitch`: what is carved from the tile `name` itself begins as many rows'
    /// worth further, unless `own` changes its offset already. `None` where nothing is.
    pub(crate) fn moved_by_rows(
        &self,
        code: &Code<'_>,
        (name, pitch): (&str, &str),
        more: u64,
        own: &[Edit],
    ) -> Option<Vec<Edit>> {
        let at = self.all.iter().position(|tile| tile.name == name)?;
        let behind = self.all.iter().filter(|tile| tile.base == Some(at));
        let offsets: Option<Vec<Span>> = behind.map(|tile| tile.offset).collect();
        let is_changed = |offset: &Span| {
            let mut inside = own.iter();
            inside.any(|edit| offset.start <= edit.span.start && edit.span.end <= offset.end)
        };
        let longer = |offset: &Span| {
            let rows = format!("{} / {}", operand(code.at(*offset)), operand(pitch));
            let text = match more {
                1 => format!(" + {rows}"),
                _ => format!(" + {rows} * {more}"),
            };
            Edit::new(offset.end as usize, offset.end as usize, text)
        };
        let offsets = offsets?;
        let kept = offsets.iter().filter(|offset| !is_changed(offset));
        let edits: Vec<Edit> = kept.map(longer).collect();
        (!edits.is_empty()).then_some(edits)
    }
}

/// The change of a number that makes it `more`.
fn longer(code: &Code<'_>, at: Span, more: u64) -> Option<Edit> {
    let text = code.at(at);
    let longer = match Literal::of(text) {
        Some(number) => number.with(number.value.checked_add(more)?),
        None => format!("{text} + {more}"),
    };
    Some(Edit::new(at.start as usize, at.end as usize, longer))
}

/// The tile that a declaration makes of one that is known.
fn carved(code: &Code<'_>, known: &[Carved], declaration: &Declaration) -> Option<Carved> {
    let init = declaration.init.as_ref()?;
    let is_pointer =
        matches!(declaration.ty.kind, TypeKind::Pointer { .. }) || declaration.ty.is_deduced();
    let (root, offset, cast) = parts(init)?;
    let is_root = |tile: &Carved| is_name(root, &tile.name);
    let base = known.iter().position(is_root).filter(|_| is_pointer)?;
    let ty = known.get(base)?;
    let bytes = match offset {
        None => Some(0),
        Some(offset) => value(code, offset).and_then(|count| count.checked_mul(ty.element)),
    };
    let element = [Some(&declaration.ty), cast]
        .into_iter()
        .flatten()
        .find_map(|ty| pointee(code, ty));
    Some(Carved {
        name: declaration.name.to_string(),
        at: bytes.zip(ty.at).and_then(|(more, at)| at.checked_add(more)),
        offset: offset.map(|offset| offset.span),
        base: Some(base),
        element: element.unwrap_or(ty.element),
    })
}

/// The pointer that a pointer is made of, what is added to it, and the type that it is cast to.
fn parts(expr: &Expr) -> Option<(&Expr, Option<&Expr>, Option<&TypeExpr>)> {
    match &expr.kind {
        ExprKind::Name(_) => Some((expr, None, None)),
        ExprKind::Cast(ty, inner) => {
            let (root, offset, _) = parts(inner)?;
            Some((root, offset, Some(ty)))
        }
        ExprKind::Prefix("&", inner) => match &inner.kind {
            ExprKind::Index(base, offset) => match &base.kind {
                ExprKind::Name(_) => Some((base, Some(offset), None)),
                _ => None,
            },
            _ => None,
        },
        ExprKind::Binary("+", base, offset) => match parts(base)? {
            (root, None, None) => Some((root, Some(offset), None)),
            _ => None,
        },
        _ => None,
    }
}

/// Bytes of what a pointer points to.
fn pointee(code: &Code<'_>, ty: &TypeExpr) -> Option<u64> {
    let TypeKind::Pointer { to, .. } = &ty.kind else {
        return None;
    };
    Some(code.layout_of(to)?.bytes)
}

/// A number that the text says, sizes of types among its factors.
fn value(code: &Code<'_>, expr: &Expr) -> Option<u64> {
    match &expr.kind {
        ExprKind::SizeofType(ty) => Some(code.layout_of(ty)?.bytes),
        ExprKind::Binary("*", a, b) => value(code, a)?.checked_mul(value(code, b)?),
        ExprKind::Binary("+", a, b) => value(code, a)?.checked_add(value(code, b)?),
        _ => code.constant(expr),
    }
}
