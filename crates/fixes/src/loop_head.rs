//! Loops whose counter goes up by 1.

use lanescope_syntax::tree::{Expr, ExprKind, Stmt, StmtKind};

use crate::code::whole;

/// The head of a loop whose counter goes up by 1.
pub(crate) struct LoopHead<'e> {
    pub(crate) counter: &'e str,
    /// Where the counter begins; `None` where it is set before.
    pub(crate) first: Option<&'e Expr>,
    pub(crate) init: Option<&'e Stmt>,
    pub(crate) end: &'e Expr,
    pub(crate) includes_end: bool,
    pub(crate) body: &'e Stmt,
}

impl<'e> LoopHead<'e> {
    pub(crate) fn of(stmt: &'e Stmt) -> Option<Self> {
        let StmtKind::For {
            init,
            condition: Some(condition),
            step: Some(step),
            body,
            ..
        } = &stmt.kind
        else {
            return None;
        };
        let ExprKind::Binary(sign @ ("<" | "<="), left, end) = &condition.kind else {
            return None;
        };
        let ExprKind::Name(counter) = &left.kind else {
            return None;
        };
        let is_counter =
            |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if name == counter);
        let goes_up = match &step.kind {
            ExprKind::Prefix("++", inner) | ExprKind::Postfix("++", inner) => is_counter(inner),
            ExprKind::Assign("+", target, value) => is_counter(target) && whole(value) == Some(1),
            _ => false,
        };
        let init = init.as_deref();
        let first = match init.map(|init| &init.kind) {
            Some(StmtKind::Declare(list)) => match list.as_slice() {
                [one] if one.name == *counter => one.init.as_ref(),
                _ => return None,
            },
            Some(StmtKind::Expr(expr)) => match &expr.kind {
                ExprKind::Assign("=", target, value) if is_counter(target) => Some(&**value),
                _ => return None,
            },
            Some(StmtKind::Empty) | None => None,
            Some(_) => return None,
        };
        goes_up.then_some(Self {
            counter,
            first,
            init,
            end,
            includes_end: *sign == "<=",
            body,
        })
    }
}

/// Where the line of a directive before `at` begins, or `at`.
pub(crate) fn with_pragma(text: &str, at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default().trim_end();
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let directive = before.get(line..).unwrap_or_default();
    match directive.trim_start().starts_with("#pragma unroll") {
        true => line + (directive.len() - directive.trim_start().len()),
        false => at,
    }
}
