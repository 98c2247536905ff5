//! Conditions that stay true while a counter goes up.

use lanescope_syntax::tree::{Expr, ExprKind};

use crate::code::{any, chain, is_name, whole};
use crate::effects::has_effect;

/// The name that a loop's last part raises: `j++`, `j += 8` by a literal.
pub(crate) fn raised(step: &Expr) -> Option<&str> {
    let target = match &step.kind {
        ExprKind::Prefix("++", target) | ExprKind::Postfix("++", target) => target,
        ExprKind::Assign("+", target, by) if whole(by).is_some() => target,
        _ => return None,
    };
    match &target.kind {
        ExprKind::Name(name) => Some(name),
        _ => None,
    }
}

/// Whether a condition that holds still holds for all larger values of `counter`: it is a summand of what is to be the larger
/// side, and nothing else takes it.
pub(crate) fn stays_true(condition: &Expr, counter: &str) -> bool {
    let (larger, smaller) = match &condition.kind {
        ExprKind::Binary(">=" | ">", larger, smaller) => (larger, smaller),
        ExprKind::Binary("<=" | "<", smaller, larger) => (larger, smaller),
        _ => return false,
    };
    let takes = |expr: &Expr| any(expr, &|one| is_name(one, counter));
    let summands = chain(larger, "+");
    let taking = summands.iter().filter(|summand| takes(summand)).count();
    let has_it = summands.iter().any(|summand| is_name(summand, counter));
    has_it && taking == 1 && !takes(smaller) && !has_effect(condition)
}
