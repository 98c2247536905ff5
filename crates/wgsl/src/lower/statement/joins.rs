//! `&&` and `||`, which naga writes as branches that store into a variable without a name.

use super::Lower;
use crate::lower::number::Number;
use crate::lower::place::Place;
use lanescope_ir::{BinaryOp, ScalarType, UnaryOp};
use naga::{Block, Expression, Handle, Literal, LocalVariable, Statement};

/// `&&` or `||` as naga writes it.
pub(in crate::lower) struct Join {
    variable: Handle<LocalVariable>,
    is_or: bool,
    /// What the branch asks: the left side, negated for `||`.
    condition: Handle<Expression>,
    right: Handle<Expression>,
}

impl<'m> Lower<'m> {
    /// Whether an `if` is how naga writes `&&` or `||`.
    pub(super) fn join(
        &self,
        condition: Handle<Expression>,
        accept: &Block,
        reject: &Block,
    ) -> Option<Join> {
        let (Some(Statement::Store { pointer, value }), [otherwise]) = (accept.last(), &reject[..])
        else {
            return None;
        };
        let Statement::Store {
            pointer: same,
            value: short,
        } = otherwise
        else {
            return None;
        };
        let variable = self.unnamed(*pointer)?;
        let Expression::Literal(Literal::Bool(is_or)) = *self.expression(*short) else {
            return None;
        };
        (self.unnamed(*same)? == variable).then_some(Join {
            variable,
            is_or,
            condition,
            right: *value,
        })
    }

    fn unnamed(&self, pointer: Handle<Expression>) -> Option<Handle<LocalVariable>> {
        let Expression::LocalVariable(variable) = *self.expression(pointer) else {
            return None;
        };
        let function = self.frame().function?;
        let made_up = function.local_variables[variable].name.is_none();
        made_up.then_some(variable)
    }

    /// What `&&` or `||` came to, where a pointer is to the variable that stands for it.
    pub(in crate::lower) fn joined(&self, pointer: Handle<Expression>) -> Option<Number> {
        let Expression::LocalVariable(variable) = *self.expression(pointer) else {
            return None;
        };
        self.frame().joined.get(&variable).copied()
    }

    /// An operator where the right side computes values alone; else the branch that it is.
    pub(super) fn write_join(&mut self, join: Join, accept: &'m Block) {
        let condition = self.scalar(join.condition);
        if condition.constant() == Some(0) {
            return self.joins_to(&join, Number::boolean(join.is_or));
        }
        let start = self.builder.position();
        let mark = self.ranges.mark();
        self.ranges.assume(condition, true);
        let inner = accept.span_iter().take(accept.len().saturating_sub(1));
        for (statement, span) in inner {
            self.statement(statement, crate::lower::span_of(*span));
        }
        let right = self.scalar(join.right);
        self.ranges.leave(mark);
        if condition.constant().is_some() {
            return self.joins_to(&join, right);
        }
        if self.builder.is_pure_since(start) {
            let value = if join.is_or {
                let left = self.unary(UnaryOp::Not, condition);
                self.binary(BinaryOp::Or, left, right)
            } else {
                self.binary(BinaryOp::And, condition, right)
            };
            return self.joins_to(&join, value);
        }
        // What touches memory, or more, is done only by the lanes that want it.
        let looks_right = self.builder.cut(start);
        let register = self.builder.register(ScalarType::Bool);
        self.ranges.note_variable(register);
        let kept = vec![Number::new(ScalarType::Bool, register.into())];
        self.assign(&kept, &vec![Number::boolean(join.is_or)]);
        self.builder.begin_if(condition.operand);
        self.builder.append(looks_right);
        self.assign(&kept, &vec![right]);
        self.builder.end_if();
        if let Some(value) = kept.first() {
            self.joins_to(&join, *value);
        }
    }

    fn joins_to(&mut self, join: &Join, value: Number) {
        let at = join.variable.index();
        if let Some(place) = self.frame_mut().variables.get_mut(at) {
            *place = Place::Registers(vec![value]);
        }
        self.frame_mut().joined.insert(join.variable, value);
    }
}
