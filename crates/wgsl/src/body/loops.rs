//! naga's loops as `for`, `while` and `do`.

use super::Body;
use crate::make;
use lanescope_frontend::Span;
use lanescope_syntax::tree::{Expr, ExprKind, Name, Stmt, StmtKind, Unroll};
use naga::{Block, Expression, Handle, Statement};

impl<'m> Body<'_, 'm> {
    /// A loop: a `for` or a `while` again where the source had one.
    pub(super) fn turns(
        &mut self,
        body: &'m Block,
        continuing: &'m Block,
        break_if: Option<Handle<Expression>>,
        span: Span,
        list: &mut Vec<Stmt>,
    ) {
        let mut inner = Vec::new();
        let outside = self.kept.len();
        self.depth += 1;
        self.loops += 1;
        let (condition, from) = self.condition(body, &mut inner);
        self.some(body, from, &mut inner);
        self.depth -= 1;
        let mut after = Vec::new();
        self.depth += 1;
        self.statements(continuing, &mut after);
        self.depth -= 1;
        self.loops -= 1;
        let break_if = break_if.map(|condition| self.value(condition));
        let kept = self.kept.split_off(outside);
        match (condition, &after[..], break_if) {
            (Some(condition), [], None) => {
                let kind = StmtKind::While {
                    condition,
                    body: Box::new(make::block(span, inner)),
                    unroll: Unroll::Unsaid,
                };
                list.push(make::statement(span, kind));
            }
            (Some(condition), [step], None) if is_step(step, &kept) => {
                let StmtKind::Expr(step) = &step.kind else {
                    return;
                };
                let kind = StmtKind::For {
                    init: self.init(step, span, list).map(Box::new),
                    condition: Some(condition),
                    step: Some(step.clone()),
                    body: Box::new(make::block(span, inner)),
                    unroll: Unroll::Unsaid,
                };
                list.push(make::statement(span, kind));
            }
            (condition, _, break_if) => {
                let leave = condition.map(|condition| leave_unless(condition, span));
                inner.splice(0..0, leave);
                let kind = StmtKind::Loop {
                    body: inner,
                    continuing: after,
                    break_if,
                };
                list.push(make::statement(span, kind));
            }
        }
    }

    /// What a loop asks first, and the statement behind that. Where asking takes statements, they
    /// are in `inner`, with one that leaves the loop.
    fn condition(&mut self, body: &'m Block, inner: &mut Vec<Stmt>) -> (Option<Expr>, usize) {
        let Some(at) = body.iter().position(is_test) else {
            return (None, 0);
        };
        if !body.iter().take(at).all(|one| self.computes(one)) {
            return (None, 0);
        }
        for (statement, span) in body.span_iter().take(at) {
            self.statement(statement, crate::types::span_of(*span), inner);
        }
        let Some(Statement::If { condition, .. }) = body.get(at) else {
            return (None, at);
        };
        let condition = self.value(*condition);
        if inner.is_empty() {
            return (Some(condition), at + 1);
        }
        let span = condition.span;
        inner.push(leave_unless(condition, span));
        (None, at + 1)
    }

    /// Whether a statement only computes.
    fn computes(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Emit(_) => true,
            Statement::If {
                condition,
                accept,
                reject,
            } => self.join(*condition, accept, reject).is_some(),
            _ => false,
        }
    }

    /// The first value of the variable that a `for` steps, if it is known.
    fn init(&mut self, step: &Expr, span: Span, list: &[Stmt]) -> Option<Stmt> {
        let name = assigned(step)?;
        let first = match &list.last()?.kind {
            StmtKind::Declare(one) => match &one[..] {
                [one] if one.name == *name => one.init.clone(),
                _ => None,
            },
            StmtKind::Expr(Expr {
                kind: ExprKind::Assign("=", target, value),
                ..
            }) if is_named(target, name) => Some((**value).clone()),
            _ => None,
        };
        let first = first.or_else(|| self.first_value(name))?;
        let is_plain = matches!(first.kind, ExprKind::Whole { .. } | ExprKind::Name(_));
        let target = make::name(span, name);
        is_plain.then(|| make::act(span, make::assign(span, target, first)))
    }

    /// The value that a variable has from the function's beginning to this loop.
    fn first_value(&mut self, name: &Name) -> Option<Expr> {
        let at = self.values.variables.iter().position(|one| one == name)?;
        let (handle, variable) = self.function.local_variables.iter().nth(at)?;
        let here = self.loops == 0 && self.uses.only_within(handle, self.depth);
        match variable.init {
            Some(init) if here => Some(self.values.write(init)),
            _ => None,
        }
    }
}

/// Whether a statement leaves the loop where a condition does not hold, and does nothing else.
fn is_test(statement: &Statement) -> bool {
    matches!(statement, Statement::If { accept, reject, .. }
        if accept.is_empty() && matches!(reject[..], [Statement::Break]))
}

/// Whether a statement may step a `for`: an assignment that names nothing of its body.
fn is_step(statement: &Stmt, of_body: &[Name]) -> bool {
    match &statement.kind {
        StmtKind::Expr(expr) => assigned(expr).is_some() && !mentions(expr, of_body),
        _ => false,
    }
}

/// The variable that an expression assigns to.
fn assigned(expr: &Expr) -> Option<&Name> {
    match &expr.kind {
        ExprKind::Assign("=", target, _) => match &target.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

fn is_named(expr: &Expr, name: &Name) -> bool {
    matches!(&expr.kind, ExprKind::Name(found) if found == name)
}

fn mentions(expr: &Expr, names: &[Name]) -> bool {
    let any = |list: &[Expr]| list.iter().any(|one| mentions(one, names));
    match &expr.kind {
        ExprKind::Name(name) => names.contains(name),
        ExprKind::Prefix(_, a) | ExprKind::Member(a, _) | ExprKind::Cast(_, a) => {
            mentions(a, names)
        }
        ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Index(a, b) => {
            mentions(a, names) || mentions(b, names)
        }
        ExprKind::Conditional(a, b, c) => {
            mentions(a, names) || mentions(b, names) || mentions(c, names)
        }
        ExprKind::Call { arguments, .. } => any(arguments),
        ExprKind::Construct(_, list) => any(list),
        _ => false,
    }
}

fn leave_unless(condition: Expr, span: Span) -> Stmt {
    let condition = make::prefix(span, "!", condition);
    let yes = Box::new(make::statement(span, StmtKind::Break));
    make::statement(
        span,
        StmtKind::If {
            condition,
            yes,
            no: None,
            is_constexpr: false,
        },
    )
}
