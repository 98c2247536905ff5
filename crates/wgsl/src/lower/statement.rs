//! Statements.

mod joins;
mod loops;
mod switch;

use super::number::{Number, Value};
use super::{Lower, span_of};
use lanescope_frontend::{Construct, DiagnosticKind, Span};
use lanescope_ir::{Op, Operand};
use naga::{Barrier, Block, Expression, Handle, Statement};

/// A loop or `switch` around a statement.
#[derive(Clone, Copy)]
pub(super) struct Around {
    break_frame: u32,
    /// `None` for a `switch`.
    continue_frame: Option<u32>,
}

impl<'m> Lower<'m> {
    pub(super) fn block(&mut self, block: &'m Block) {
        self.statements(block, 0);
    }

    /// The statements from the one at `from` on.
    fn statements(&mut self, block: &'m Block, from: usize) {
        for (statement, span) in block.span_iter().skip(from) {
            self.statement(statement, span_of(*span));
        }
    }

    /// A function's statements but for a `return` at their end; the value of that.
    pub(super) fn body(&mut self, block: &'m Block) -> Option<Handle<Expression>> {
        let tail = match block.last() {
            Some(Statement::Return { value }) => Some(*value),
            _ => None,
        };
        let count = block.len() - usize::from(tail.is_some());
        for (statement, span) in block.span_iter().take(count) {
            self.statement(statement, span_of(*span));
        }
        tail.flatten()
    }

    fn statement(&mut self, statement: &'m Statement, span: Span) {
        use Statement as S;
        if self.frames.len() == 1 {
            self.at = span;
        }
        if !self.spend(1) {
            return;
        }
        match *statement {
            S::Emit(ref range) => {
                for handle in range.clone() {
                    self.emit(handle);
                }
            }
            S::Block(ref block) => self.block(block),
            S::If {
                condition,
                ref accept,
                ref reject,
            } => self.branch(condition, accept, reject),
            S::Switch {
                selector,
                ref cases,
            } => self.switch(selector, cases),
            S::Loop {
                ref body,
                ref continuing,
                break_if,
            } => self.turns(body, continuing, break_if),
            S::Break => self.leave(|around| Some(around.break_frame)),
            S::Continue => self.leave(|around| around.continue_frame),
            S::Return { value } => self.returned(value),
            S::Store { pointer, value } => {
                let value = self.value(value);
                let (place, shape) = (self.place(pointer), self.shape(pointer));
                let (is_volatile, at) = (self.is_atomic(pointer), self.span(pointer));
                self.store(&place, shape, &value, is_volatile, at);
            }
            S::ControlBarrier(barrier) => self.wait(barrier, span),
            S::MemoryBarrier(_) => self.builder.emit(Op::Fence),
            S::Atomic {
                pointer,
                fun,
                value,
                result,
            } => self.atomic((pointer, fun, value), result, span),
            S::WorkGroupUniformLoad { pointer, result } => {
                self.wait(Barrier::WORK_GROUP, span);
                let (place, shape) = (self.place(pointer), self.shape(pointer));
                let at = self.span(pointer);
                let value = self.load(&place, shape, false, at);
                self.set(result, value);
                self.wait(Barrier::WORK_GROUP, span);
            }
            S::Call {
                function,
                ref arguments,
                result,
            } => self.call(function, arguments, result, span),
            S::SubgroupBallot { result, predicate } => self.ballot(result, predicate),
            S::SubgroupGather {
                mode,
                argument,
                result,
            } => self.gather(mode, argument, result),
            S::SubgroupCollectiveOperation {
                op,
                collective_op,
                argument,
                result,
            } => self.collective(op, collective_op, argument, result),
            S::ImageStore { .. } | S::ImageAtomic { .. } => {
                let what = Construct::Texture;
                self.say(span, DiagnosticKind::Unsupported { what });
            }
            _ => {
                let what = Construct::AStatement;
                self.say(span, DiagnosticKind::Unsupported { what });
            }
        }
    }

    fn wait(&mut self, barrier: Barrier, span: Span) {
        let block = Barrier::WORK_GROUP | Barrier::STORAGE | Barrier::TEXTURE;
        if !barrier.intersects(block) {
            return self.builder.emit(Op::Fence);
        }
        self.stand_at(span);
        self.builder.emit(Op::Barrier {
            id: Operand::Constant(0),
            threads: None,
            arrive: false,
        });
        self.stand_nowhere();
    }

    fn branch(&mut self, condition: Handle<Expression>, accept: &'m Block, reject: &'m Block) {
        if let Some(join) = self.join(condition, accept, reject) {
            return self.write_join(join, accept);
        }
        let condition = self.scalar(condition);
        if let Some(known) = condition.constant() {
            return self.block(if known != 0 { accept } else { reject });
        }
        self.builder.begin_if(condition.operand);
        self.assuming(condition, true, |lower| lower.block(accept));
        if !reject.is_empty() {
            self.builder.begin_else();
            self.assuming(condition, false, |lower| lower.block(reject));
        }
        self.builder.end_if();
        if reject.is_empty() && goes_elsewhere(accept) {
            self.ranges.assume(condition, false);
        }
    }

    /// What is done where a condition holds, or does not.
    fn assuming(&mut self, condition: Number, holds: bool, inner: impl FnOnce(&mut Self)) {
        let mark = self.ranges.mark();
        self.ranges.assume(condition, holds);
        inner(self);
        self.ranges.leave(mark);
    }

    fn leave(&mut self, frame: impl Fn(&Around) -> Option<u32>) {
        let found = self.frame().around.iter().rev().find_map(frame);
        if let Some(frame) = found {
            self.builder.leave(frame);
        }
    }

    fn returned(&mut self, value: Option<Handle<Expression>>) {
        let value: Option<Value> = value.map(|value| self.value(value));
        let Some((kept, depth)) = self.frame().result.clone() else {
            return self.builder.exit();
        };
        if let Some(value) = value {
            self.assign(&kept, &value);
        }
        self.builder.leave(depth);
    }
}

/// Whether no lane comes to a block's end.
fn goes_elsewhere(block: &Block) -> bool {
    let last = block.last();
    last.is_some_and(|last| {
        matches!(
            last,
            Statement::Return { .. } | Statement::Break | Statement::Continue
        )
    })
}
