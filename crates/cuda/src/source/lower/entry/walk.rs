//! Walks over a tree's statements and expressions.

use crate::source::syntax::{Expr, ExprKind, Stmt, StmtKind, SwitchPart, TypeKind};

/// Calls `visit` for a statement and all inside it.
pub(super) fn walk_statements(statement: &Stmt, visit: &mut dyn FnMut(&Stmt)) {
    visit(statement);
    match &statement.kind {
        StmtKind::Block(list) | StmtKind::Several(list) => {
            list.iter().for_each(|one| walk_statements(one, visit))
        }
        StmtKind::If { yes, no, .. } => {
            walk_statements(yes, visit);
            if let Some(no) = no {
                walk_statements(no, visit);
            }
        }
        StmtKind::For { init, body, .. } => {
            if let Some(init) = init {
                walk_statements(init, visit);
            }
            walk_statements(body, visit);
        }
        StmtKind::ForEach { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::Do { body, .. } => walk_statements(body, visit),
        StmtKind::Loop {
            body, continuing, ..
        } => body
            .iter()
            .chain(continuing)
            .for_each(|one| walk_statements(one, visit)),
        StmtKind::Switch { body, .. } => {
            for part in body {
                if let SwitchPart::Stmt(one) = part {
                    walk_statements(one, visit);
                }
            }
        }
        _ => {}
    }
}

/// Calls `visit` for every expression of a statement and of all inside it.
pub(crate) fn walk_expressions(statement: &Stmt, visit: &mut dyn FnMut(&Expr)) {
    walk_statements(statement, &mut |one| match &one.kind {
        StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => walk_expression(expr, visit),
        StmtKind::Declare(list) => list
            .iter()
            .filter_map(|one| one.init.as_ref())
            .for_each(|expr| walk_expression(expr, visit)),
        StmtKind::If { condition, .. }
        | StmtKind::While { condition, .. }
        | StmtKind::Do { condition, .. } => walk_expression(condition, visit),
        StmtKind::For {
            condition, step, ..
        } => condition
            .iter()
            .chain(step)
            .for_each(|expr| walk_expression(expr, visit)),
        StmtKind::ForEach { item, range, .. } => {
            walk_expression(range, visit);
            if matches!(item.of.kind, TypeKind::Reference(_)) {
                visit_named_again(range, visit);
            }
        }
        StmtKind::Bind {
            init, is_reference, ..
        } => {
            walk_expression(init, visit);
            if *is_reference {
                visit_named_again(init, visit);
            }
        }
        StmtKind::Switch { value, .. }
        | StmtKind::Loop {
            break_if: Some(value),
            ..
        } => walk_expression(value, visit),
        _ => {}
    });
}

/// What is named by a reference may be changed there: it is visited as a place whose address is taken.
fn visit_named_again(place: &Expr, visit: &mut dyn FnMut(&Expr)) {
    let address = ExprKind::Prefix("&", Box::new(place.clone()));
    visit(&Expr::new(place.span, address));
}

fn walk_expression(expr: &Expr, visit: &mut dyn FnMut(&Expr)) {
    visit(expr);
    let mut both = |a: &Expr, b: &Expr| {
        walk_expression(a, visit);
        walk_expression(b, visit);
    };
    match &expr.kind {
        ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Index(a, b) => both(a, b),
        ExprKind::Conditional(a, b, c) => {
            both(a, b);
            walk_expression(c, visit);
        }
        ExprKind::Prefix(_, a)
        | ExprKind::Postfix(_, a)
        | ExprKind::Member(a, _)
        | ExprKind::Cast(_, a) => walk_expression(a, visit),
        ExprKind::Call {
            callee, arguments, ..
        } => {
            walk_expression(callee, visit);
            arguments.iter().for_each(|one| walk_expression(one, visit));
        }
        ExprKind::Construct(_, list) | ExprKind::List(list) => {
            list.iter().for_each(|one| walk_expression(one, visit))
        }
        ExprKind::Lambda(function, _) => {
            for statement in &function.body {
                walk_expressions(statement, visit);
            }
        }
        _ => {}
    }
}
