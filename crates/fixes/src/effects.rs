//! What statements and expressions change.

use std::collections::BTreeSet;

use lanescope_syntax::tree::{Expr, ExprKind, Stmt, StmtKind};

use crate::code::{Code, any, operands, own_expressions, statements};
use crate::neighbours::{Finder, Target};

/// The names that a statement, or one inside it, may change.
pub(crate) fn changes(stmt: &Stmt) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for one in statements(std::slice::from_ref(stmt)) {
        for expr in own_expressions(one) {
            changed_names(expr, &mut found);
        }
        if let StmtKind::Declare(list) = &one.kind {
            found.extend(list.iter().map(|declared| declared.name.to_string()));
        }
    }
    found
}

/// Whether a statement, or one inside it, leaves the list.
pub(crate) fn jumps(stmt: &Stmt) -> bool {
    statements(std::slice::from_ref(stmt)).iter().any(|one| {
        matches!(
            one.kind,
            StmtKind::Break | StmtKind::Continue | StmtKind::Return(_)
        )
    })
}

/// Whether what is in a shared array may be another after the statement.
pub(crate) fn waits(stmt: &Stmt, code: &Code<'_>, target: Target<'_>) -> bool {
    let finder = Finder {
        code,
        target,
        counter: None,
        is_deep: false,
    };
    let list = statements(std::slice::from_ref(stmt));
    list.iter()
        .flat_map(|one| own_expressions(one))
        .any(|expr| {
            let text = code.at(expr.span);
            let is_assigned =
                matches!(&expr.kind, ExprKind::Assign(_, target, _) if finder.names_it(target));
            text.contains("sync") || is_assigned
        })
}

/// Whether evaluating it twice, or elsewhere, does harm.
pub(crate) fn has_effect(expr: &Expr) -> bool {
    changes_something(expr) || any(expr, &|one| matches!(one.kind, ExprKind::Call { .. }))
}

/// Whether evaluating it twice changes something twice: functions count as those of numbers that an index calls.
pub(crate) fn changes_something(expr: &Expr) -> bool {
    any(expr, &|one| {
        matches!(
            one.kind,
            ExprKind::Assign(..)
                | ExprKind::Prefix("++" | "--", _)
                | ExprKind::Postfix(..)
                | ExprKind::Lambda(..)
                | ExprKind::Missing
        )
    })
}

/// The names in an expression.
pub(crate) fn collect_names(expr: &Expr, found: &mut BTreeSet<String>) {
    if let ExprKind::Name(name) = &expr.kind {
        found.insert(name.to_string());
    }
    for one in operands(expr) {
        collect_names(one, found);
    }
}

/// The names that an expression may change: those assigned to, counted up, or whose address is taken.
pub(crate) fn changed_names(expr: &Expr, found: &mut BTreeSet<String>) {
    let target = match &expr.kind {
        ExprKind::Assign(_, target, _)
        | ExprKind::Prefix("++" | "--" | "&", target)
        | ExprKind::Postfix(_, target) => Some(target),
        _ => None,
    };
    let mut root = target;
    while let Some(inner) = root {
        match &inner.kind {
            ExprKind::Name(name) => {
                found.insert(name.to_string());
                root = None;
            }
            ExprKind::Member(base, _) => root = Some(base),
            // What an array holds is no part of where its elements are.
            _ => root = None,
        }
    }
    for one in operands(expr) {
        changed_names(one, found);
    }
}
