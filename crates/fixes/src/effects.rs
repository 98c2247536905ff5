//! What statements and expressions change.

use std::collections::BTreeSet;

use lanescope_syntax::tree::{Expr, ExprKind, Stmt, StmtKind, TypeKind};

use crate::code::{Code, any, is_name, operands, own_expressions, statements};
use crate::gather::Gathered;

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
pub(crate) fn waits(stmt: &Stmt, code: &Code<'_>, array: &Gathered<'_>) -> bool {
    let is_array =
        |name: &str| name == array.target.name || array.others.iter().any(|other| *other == *name);
    let names_it = |expr: &Expr| {
        any(
            expr,
            &|one| matches!(&one.kind, ExprKind::Name(name) if is_array(name)),
        )
    };
    let may_write = |expr: &Expr| match &expr.kind {
        ExprKind::Assign(_, target, _)
        | ExprKind::Prefix("++" | "--", target)
        | ExprKind::Postfix(_, target) => names_it(target),
        ExprKind::Call {
            callee, arguments, ..
        } => {
            let names_array = arguments.iter().any(names_it);
            let takes_place = arguments.iter().any(|one| is_place(one, &names_it));
            let mut functions = code.functions();
            let called = functions.find(|one| is_name(callee, &one.name));
            takes_place
                || called.is_some_and(|function| {
                    let mut parameters = function.parameters.iter();
                    let takes_places = parameters.any(|one| {
                        matches!(
                            one.ty.kind,
                            TypeKind::Pointer { .. } | TypeKind::Reference { .. }
                        )
                    });
                    let reached = code.reached_from(function);
                    let mut bodies = reached.iter().flat_map(|one| statements(&one.body));
                    let waits_inside = bodies.any(|stmt| {
                        own_expressions(stmt)
                            .into_iter()
                            .any(|expr| code.at(expr.span).contains("sync") || names_it(expr))
                    });
                    waits_inside || takes_places && names_array
                })
        }
        _ => false,
    };
    let list = statements(std::slice::from_ref(stmt));
    list.iter()
        .flat_map(|one| own_expressions(one))
        .any(|expr| code.at(expr.span).contains("sync") || any(expr, &may_write))
}

/// Whether it is a pointer to what `names_it` holds of.
fn is_place(expr: &Expr, names_it: &dyn Fn(&Expr) -> bool) -> bool {
    match &expr.kind {
        ExprKind::Name(_) => names_it(expr),
        ExprKind::Prefix("&", inner) => names_it(inner),
        ExprKind::Binary("+" | "-", inner, _) | ExprKind::Cast(_, inner) => {
            is_place(inner, names_it)
        }
        _ => false,
    }
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
