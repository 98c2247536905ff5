//! `if` and its kin, as flat instructions.

use super::Lower;
use crate::source::code::Inst;

impl Lower<'_> {
    /// Ends the `if` whose instruction is at `at`; it has no `else`.
    pub(super) fn close_if(&mut self, at: usize) {
        let end = self.here();
        self.emit(Inst::EndIf);
        self.set_target(at, end);
    }

    /// Ends the `if` at `at` whose [`Inst::Else`] is at `else_at`.
    pub(super) fn close_if_else(&mut self, at: usize, else_at: usize) {
        let end = self.here();
        self.emit(Inst::EndIf);
        self.set_target(at, u32::try_from(else_at).unwrap_or(0));
        self.set_target(else_at, end);
    }

    pub(super) fn here(&self) -> u32 {
        u32::try_from(self.insts.len()).unwrap_or(0)
    }

    fn set_target(&mut self, at: usize, to: u32) {
        if let Some(
            Inst::If {
                otherwise: target, ..
            }
            | Inst::Else { end: target }
            | Inst::Test { exit: target, .. },
        ) = self.insts.get_mut(at)
        {
            *target = to;
        }
    }

    /// Sets where the tests from `start` on leave their scope, for those that do not know yet.
    pub(super) fn close_tests(&mut self, start: usize, exit: u32) {
        for inst in &mut self.insts[start..] {
            if let Inst::Test {
                exit: target @ super::UNSET,
                ..
            } = inst
            {
                *target = exit;
            }
        }
    }
}

/// Whether instructions only compute: no memory, no control, no variable.
pub(super) fn is_pure(insts: &[Inst]) -> bool {
    insts.iter().all(|inst| {
        matches!(
            inst,
            Inst::Unary { .. }
                | Inst::Binary { .. }
                | Inst::Convert { .. }
                | Inst::Select { .. }
                | Inst::Address { .. }
                | Inst::Init { .. }
        )
    })
}
