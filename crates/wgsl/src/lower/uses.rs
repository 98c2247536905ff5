//! Where the expressions of a function are used: which must keep their value while variables change.
//!
//! naga says when an expression is computed, and what it reads of a variable is the variable's register. One that is used
//! only by the statement right behind needs no register of its own.

use crate::operands;
use naga::{Block, Expression, Function, Handle, Statement, TypeInner};

/// What one function uses, and where.
pub(super) struct Uses {
    /// `[expression]`: the emits and the statement that it stands with; 0: it is not emitted.
    groups: Vec<u32>,
    kept: Vec<bool>,
    indexed: Vec<bool>,
    is_used: Vec<bool>,
    group: u32,
}

impl Uses {
    /// Of expressions outside of functions, which have no statements.
    pub(super) const fn none() -> Self {
        Self {
            groups: Vec::new(),
            kept: Vec::new(),
            indexed: Vec::new(),
            is_used: Vec::new(),
            group: 0,
        }
    }

    pub(super) fn of(function: &Function, is_array: &dyn Fn(Handle<Expression>) -> bool) -> Self {
        let count = function.expressions.len();
        let mut uses = Self {
            groups: vec![0; count],
            kept: vec![false; count],
            indexed: vec![false; count],
            is_used: vec![false; count],
            group: 1,
        };
        uses.block(function, &function.body);
        for (_, expression) in function.expressions.iter() {
            if let Expression::Access { base, .. } = *expression
                && is_array(base)
            {
                uses.indexed[base.index()] = true;
            }
        }
        uses
    }

    /// Whether the value is used behind the statement that follows where it is computed.
    pub(super) fn keeps(&self, handle: Handle<Expression>) -> bool {
        self.kept.get(handle.index()) == Some(&true)
    }

    /// Whether naga says where it is computed; else it has no time.
    pub(super) fn is_emitted(&self, handle: Handle<Expression>) -> bool {
        self.groups
            .get(handle.index())
            .is_some_and(|group| *group != 0)
    }

    /// Whether anything uses the value.
    pub(super) fn uses(&self, handle: Handle<Expression>) -> bool {
        self.is_used.get(handle.index()) == Some(&true)
    }

    /// Whether an element of the array, which lies in no memory, is taken by an index that only the run knows.
    pub(super) fn indexes(&self, handle: Handle<Expression>) -> bool {
        self.indexed.get(handle.index()) == Some(&true)
    }

    fn block(&mut self, function: &Function, block: &Block) {
        for statement in block {
            self.statement(function, statement);
        }
    }

    fn statement(&mut self, function: &Function, statement: &Statement) {
        if let Statement::Emit(range) = statement {
            for handle in range.clone() {
                self.groups[handle.index()] = self.group;
                let expression = &function.expressions[handle];
                operands::of_expression(expression, &mut |one| self.use_of(one));
            }
            return;
        }
        operands::of_statement(statement, &mut |one| self.use_of(one));
        self.group += 1;
        let blocks = operands::blocks(statement);
        for (at, block) in blocks.iter().enumerate() {
            self.block(function, block);
            if let Statement::Loop {
                break_if: Some(condition),
                ..
            } = statement
                && at + 1 == blocks.len()
            {
                // It is evaluated in the scope of `continuing`, which comes last.
                self.use_of(*condition);
            }
            self.group += 1;
        }
    }

    fn use_of(&mut self, handle: Handle<Expression>) {
        let at = handle.index();
        self.is_used[at] = true;
        self.kept[at] |= self.groups[at] != 0 && self.groups[at] != self.group;
    }
}

/// Whether a value of this type is an array that lies in no memory.
pub(super) const fn is_array_value(inner: &TypeInner) -> bool {
    matches!(inner, TypeInner::Array { .. })
}
