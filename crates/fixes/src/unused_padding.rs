//! Rows that are declared longer than the indices go by: a padding that does nothing.

use std::rc::Rc;

use lanescope_frontend::SourceArray;
use lanescope_syntax::tree::{Expr, ExprKind, Function, TypeKind};

use crate::code::{Code, whole};
use crate::literal::Literal;
use crate::products::factors;
use crate::row_pitch::RowPitch;

/// The most elements that count as a padding.
const MOST_PADDING: u64 = 33;

/// What rows of the array are declared as, and what the indices take them for; `None` where the two agree.
pub(crate) fn unused_padding(
    code: &Code<'_>,
    kernel: &Rc<Function>,
    array: &SourceArray,
) -> Option<(String, String)> {
    let row = declared_row(code, array)?;
    let pitches = RowPitch::all(code, kernel, array);
    let declared = code.at(row.span);
    if pitches.iter().any(|pitch| pitch.text == declared) {
        return None;
    }
    let mut shorter = pitches
        .into_iter()
        .filter(|pitch| is_padded(code, row, &pitch.text));
    Some((declared.to_owned(), shorter.next()?.text))
}

/// The length of a row: the last of several sides, or the last factor of the only one.
fn declared_row<'c>(code: &'c Code<'_>, array: &SourceArray) -> Option<&'c Expr> {
    let declared = code.declared(array.span)?;
    let TypeKind::Array(inner, Some(size)) = &declared.ty.kind else {
        return None;
    };
    let mut last = inner;
    let mut side = size;
    while let TypeKind::Array(inner, Some(size)) = &last.kind {
        (last, side) = (inner, size);
    }
    if matches!(inner.kind, TypeKind::Array(..)) {
        return Some(side);
    }
    let mut found = Vec::new();
    factors(side, &mut found);
    found.pop().filter(|_| !found.is_empty())
}

/// Whether a declared length is `pitch` and some more.
fn is_padded(code: &Code<'_>, length: &Expr, pitch: &str) -> bool {
    match (&length.kind, whole(length), Literal::of(pitch)) {
        (ExprKind::Binary("+", a, b), ..) => {
            code.at(a.span) == pitch && whole(b).is_some_and(|more| more > 0)
        }
        (_, Some(length), Some(Literal { value: pitch, .. })) => {
            length > pitch && length - pitch <= MOST_PADDING
        }
        _ => false,
    }
}
