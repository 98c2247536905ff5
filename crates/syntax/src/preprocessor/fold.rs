//! Constants of conditions.

use crate::tree::{Expr, ExprKind};

/// The value of an expression of whole constants; names count as 0.
#[must_use]
pub fn fold(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Whole { value, .. } => i64::try_from(*value).ok(),
        ExprKind::Name(_) | ExprKind::Call { .. } => Some(0),
        ExprKind::Prefix(op, a) => {
            let a = fold(a)?;
            Some(match *op {
                "!" => i64::from(a == 0),
                "-" => a.wrapping_neg(),
                "~" => !a,
                _ => a,
            })
        }
        ExprKind::Binary(op, a, b) => fold_binary(op, fold(a)?, fold(b)?),
        ExprKind::Conditional(c, a, b) => fold(if fold(c)? != 0 { a } else { b }),
        _ => None,
    }
}

fn fold_binary(op: &str, a: i64, b: i64) -> Option<i64> {
    Some(match op {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        "<<" => a.wrapping_shl(u32::try_from(b).ok()?),
        ">>" => a.wrapping_shr(u32::try_from(b).ok()?),
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "<" => i64::from(a < b),
        ">" => i64::from(a > b),
        "<=" => i64::from(a <= b),
        ">=" => i64::from(a >= b),
        "==" => i64::from(a == b),
        "!=" => i64::from(a != b),
        "&&" => i64::from(a != 0 && b != 0),
        "||" => i64::from(a != 0 || b != 0),
        _ => return None,
    })
}
