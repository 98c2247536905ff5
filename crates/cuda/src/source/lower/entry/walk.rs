//! Walks over a tree's statements and expressions.

use lanescope_syntax::tree::{Expr, ExprKind, Stmt, StmtKind, TypeKind};

/// Whether a statement is a loop, to which a `break` or `continue` inside belongs.
pub(in crate::source::lower) fn is_loop(statement: &Stmt) -> bool {
    matches!(
        statement.kind,
        StmtKind::For { .. }
            | StmtKind::ForEach { .. }
            | StmtKind::While { .. }
            | StmtKind::Do { .. }
    )
}

/// Calls `visit` for a statement and all inside it.
pub(crate) fn walk_statements(statement: &Stmt, visit: &mut dyn FnMut(&Stmt)) {
    visit(statement);
    for one in statement.nested() {
        walk_statements(one, visit);
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
            if matches!(item.ty.kind, TypeKind::Reference { .. }) {
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
        StmtKind::Switch { value, .. } => walk_expression(value, visit),
        StmtKind::Empty
        | StmtKind::Struct(_)
        | StmtKind::Typedef(..)
        | StmtKind::Block(_)
        | StmtKind::Several(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(None)
        | StmtKind::Values { .. } => {}
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
        | ExprKind::Cast(_, a)
        | ExprKind::Designated(_, a)
        | ExprKind::Expand(a) => walk_expression(a, visit),
        ExprKind::Fold { left, right, .. } => {
            let sides = left.iter().chain(right);
            sides.for_each(|side| walk_expression(side, visit));
        }
        ExprKind::Call {
            callee, arguments, ..
        } => {
            walk_expression(callee, visit);
            arguments
                .iter()
                .for_each(|argument| walk_expression(argument, visit));
        }
        ExprKind::Construct(_, list) | ExprKind::List(list) => {
            list.iter().for_each(|one| walk_expression(one, visit))
        }
        ExprKind::Lambda(function, captures) => {
            for capture in captures
                .list
                .iter()
                .filter_map(|capture| capture.init.as_ref())
            {
                walk_expression(capture, visit);
            }
            for statement in &function.body {
                walk_expressions(statement, visit);
            }
        }
        ExprKind::Whole { .. }
        | ExprKind::Real { .. }
        | ExprKind::Text(_)
        | ExprKind::Name(_)
        | ExprKind::AlignofType(_)
        | ExprKind::SizeofType(_)
        | ExprKind::SizeofPack(_)
        | ExprKind::SizeofValue(_)
        | ExprKind::Missing => {}
    }
}
