//! Sums and products in an expression.

use lanescope_syntax::tree::{Expr, ExprKind};

/// What is added up in an expression.
pub(crate) fn summands<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary("+" | "-", a, b) => {
            summands(a, found);
            summands(b, found);
        }
        ExprKind::Cast(_, inner) => summands(inner, found),
        _ => found.push(expr),
    }
}

/// What is multiplied in an expression.
pub(crate) fn factors<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    match &expr.kind {
        ExprKind::Binary("*", a, b) => {
            factors(a, found);
            factors(b, found);
        }
        _ => found.push(expr),
    }
}
