//! Statements of a list, and the uses of an array that each makes whenever it is reached.

use lanescope_syntax::tree::{ExprKind, Stmt, StmtKind};

use crate::code::own_expressions;
use crate::neighbours::{Finder, Use};

/// The statements, those that one declaration stands for each by itself.
pub(crate) fn flat<'c>(list: &[&'c Stmt]) -> Vec<&'c Stmt> {
    let mut found = Vec::new();
    for stmt in list {
        match &stmt.kind {
            StmtKind::Several(inner) => found.extend(flat(&inner.iter().collect::<Vec<_>>())),
            StmtKind::Empty => {}
            // Any other stands by itself.
            _ => found.push(*stmt),
        }
    }
    found
}

/// Where the head of a control ends whose body has no braces.
pub(crate) fn head_end(stmt: &Stmt, body: &Stmt) -> Option<u32> {
    match &stmt.kind {
        StmtKind::If { condition, yes, .. } if yes.span == body.span => {
            Some(condition.span.end.saturating_add(1)).filter(|end| *end <= body.span.start)
        }
        StmtKind::For {
            step: Some(step), ..
        } => Some(step.span.end.saturating_add(1)).filter(|end| *end <= body.span.start),
        StmtKind::While { condition, .. } => {
            Some(condition.span.end.saturating_add(1)).filter(|end| *end <= body.span.start)
        }
        // No other control is changed.
        _ => None,
    }
}

/// The uses that a statement of a list makes itself, whenever it is reached.
pub(crate) fn uses_of<'e>(
    finder: &Finder<'_, '_>,
    stmt: &'e Stmt,
    is_stored: bool,
) -> Vec<Use<'e>> {
    match &stmt.kind {
        StmtKind::Expr(expr) if is_stored => match &expr.kind {
            ExprKind::Assign("=", target, _) => finder.uses(target),
            _ => Vec::new(),
        },
        _ if is_stored => Vec::new(),
        StmtKind::Expr(_)
        | StmtKind::Declare(_)
        | StmtKind::Bind { .. }
        | StmtKind::Return(_)
        | StmtKind::If { .. } => {
            let own = own_expressions(stmt).into_iter();
            own.flat_map(|expr| finder.uses(expr)).collect()
        }
        // Of any other none is sure to be made.
        _ => Vec::new(),
    }
}

/// The uses that a loop's body makes in every turn.
pub(crate) fn unconditional<'e>(
    finder: &Finder<'_, '_>,
    body: &'e [Stmt],
    is_stored: bool,
) -> Vec<Use<'e>> {
    let mut found = Vec::new();
    for stmt in body {
        found.extend(uses_of(finder, stmt, is_stored));
        match &stmt.kind {
            StmtKind::Block(list) | StmtKind::Several(list) => {
                found.extend(unconditional(finder, list, is_stored));
            }
            StmtKind::For { body, .. }
            | StmtKind::If {
                yes: body,
                is_constexpr: true,
                ..
            } if !is_stored => {
                found.extend(unconditional(
                    finder,
                    std::slice::from_ref(&**body),
                    is_stored,
                ));
            }
            // What else is inside may not run.
            _ => {}
        }
    }
    found
}
