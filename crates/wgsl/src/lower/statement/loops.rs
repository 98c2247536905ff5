//! Loops: the test at the beginning of a turn, where there is one, the turn, and what stands between two turns.

use super::{Around, Lower};
use lanescope_ir::UnaryOp;
use naga::{Block, Expression, Handle, Statement};

impl<'m> Lower<'m> {
    pub(super) fn turns(
        &mut self,
        body: &'m Block,
        continuing: &'m Block,
        break_if: Option<Handle<Expression>>,
    ) {
        self.builder.begin_scope();
        self.builder.begin_loop();
        self.ranges.forget_variables();
        let mark = self.ranges.mark();
        let break_frame = self.builder.depth();
        let from = self.test(body);
        // Lanes that `continue` wait for the others at the end of the turn.
        let scoped = continues(body);
        if scoped {
            self.builder.begin_scope();
        }
        let continue_frame = Some(self.builder.depth());
        self.frame_mut().around.push(Around {
            break_frame,
            continue_frame,
        });
        self.statements(body, from);
        self.frame_mut().around.pop();
        if scoped {
            self.builder.end_scope();
        }
        self.block(continuing);
        if let Some(condition) = break_if {
            let condition = self.scalar(condition);
            let stays = self.unary(UnaryOp::Not, condition);
            self.builder.stay_if(stays.operand);
        }
        self.ranges.leave(mark);
        self.ranges.forget_variables();
        // Only what is a `for` or a `while` of the text may be unrolled.
        let counts = from > 0 && break_if.is_none() && is_step(continuing);
        self.builder.end_loop((!counts).then_some(1));
        self.builder.end_scope();
    }

    /// What a turn asks first, and the statement behind that.
    fn test(&mut self, body: &'m Block) -> usize {
        let Some(at) = body.iter().position(is_test) else {
            return 0;
        };
        if !body.iter().take(at).all(|one| self.computes(one)) {
            return 0;
        }
        for (statement, span) in body.span_iter().take(at) {
            self.statement(statement, crate::lower::span_of(*span));
        }
        if let Some(Statement::If { condition, .. }) = body.get(at) {
            let stays = self.scalar(*condition);
            if stays.constant().is_none_or(|known| known == 0) {
                self.builder.stay_if(stays.operand);
            }
            self.ranges.assume(stays, true);
        }
        at + 1
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
}

/// Whether a statement leaves the loop where a condition does not hold, and does nothing else.
fn is_test(statement: &Statement) -> bool {
    matches!(statement, Statement::If { accept, reject, .. }
        if accept.is_empty() && matches!(reject[..], [Statement::Break]))
}

/// Whether what stands between two turns is at most one assignment.
fn is_step(continuing: &Block) -> bool {
    let mut stores = 0;
    continuing.iter().all(|one| {
        stores += usize::from(matches!(one, Statement::Store { .. }));
        matches!(one, Statement::Emit(_) | Statement::Store { .. }) && stores <= 1
    })
}

/// Whether a `continue` that belongs to the loop stands somewhere inside.
fn continues(block: &Block) -> bool {
    block.iter().any(|one| match one {
        Statement::Continue => true,
        Statement::Loop { .. } => false,
        other => crate::operands::blocks(other).into_iter().any(continues),
    })
}
