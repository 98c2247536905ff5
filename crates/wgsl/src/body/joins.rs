//! `&&` and `||`, which naga writes as branches.

use super::Body;
use crate::make;
use lanescope_frontend::Span;
use lanescope_syntax::tree::{Stmt, StmtKind};
use naga::{Block, Expression, Handle, Literal, LocalVariable, Statement};

/// `&&` or `||` as naga writes it.
pub(super) struct Join {
    variable: Handle<LocalVariable>,
    is_or: bool,
    left: Handle<Expression>,
    /// What the `if` asks.
    condition: Handle<Expression>,
    right: Handle<Expression>,
}

impl<'m> Body<'_, 'm> {
    /// Whether an `if` is how naga writes `&&` or `||`.
    pub(super) fn join(
        &self,
        condition: Handle<Expression>,
        accept: &Block,
        reject: &Block,
    ) -> Option<Join> {
        let (variable, short) = self.joins_into(reject)?;
        let Some(Statement::Store { pointer, value }) = accept.last() else {
            return None;
        };
        if self.local(*pointer) != Some(variable) || reject.len() != 1 {
            return None;
        }
        let Expression::Literal(Literal::Bool(is_or)) = *self.values.expression(short) else {
            return None;
        };
        let left = match *self.values.expression(condition) {
            Expression::Unary { expr, .. } if is_or => expr,
            _ if is_or => return None,
            _ => condition,
        };
        Some(Join {
            variable,
            is_or,
            left,
            condition,
            right: *value,
        })
    }

    fn joins_into(&self, reject: &Block) -> Option<(Handle<LocalVariable>, Handle<Expression>)> {
        let Some(Statement::Store { pointer, value }) = reject.first() else {
            return None;
        };
        let variable = self.local(*pointer)?;
        let made_up = self.function.local_variables[variable].name.is_none();
        made_up.then_some((variable, *value))
    }

    fn local(&self, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        match *self.values.expression(pointer) {
            Expression::LocalVariable(variable) => Some(variable),
            _ => None,
        }
    }

    /// `a && b` or `a || b`, if computing `b` takes no statement; else the `if` that it is.
    pub(super) fn write_join(
        &mut self,
        join: Join,
        accept: &'m Block,
        reject: &'m Block,
        span: Span,
        list: &mut Vec<Stmt>,
    ) {
        let mut inner = Vec::new();
        self.depth += 1;
        for (statement, at) in accept.span_iter().take(accept.len() - 1) {
            self.statement(statement, crate::types::span_of(*at), &mut inner);
        }
        self.depth -= 1;
        let right = self.value(join.right);
        if inner.is_empty() {
            let left = self.value(join.left);
            let op = if join.is_or { "||" } else { "&&" };
            let whole = make::binary(span, op, left, right);
            self.joined.insert(join.variable, whole);
            return;
        }
        self.needed.insert(join.variable);
        let name = self.values.variables[join.variable.index()].clone();
        let target = make::name(span, &name);
        inner.push(make::act(span, make::assign(span, target, right)));
        let condition = self.value(join.condition);
        let no = Some(Box::new(self.block(reject, span)));
        list.push(make::statement(
            span,
            StmtKind::If {
                condition,
                yes: Box::new(make::block(span, inner)),
                no,
                is_constexpr: false,
            },
        ));
    }
}
