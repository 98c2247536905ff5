//! What lanes read, once they go on, that wait or run apart from those that run.

use lanescope_ir::Register;
use lanescope_ir::analysis::RegisterSet;

use super::{State, Warp};
use crate::prepare::program::{Program, Slot};

/// What matters in lanes that do not run now. What other registers hold there may be overwritten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Matters {
    /// Any register may.
    #[default]
    Anything,
    /// Those that were found.
    Some,
}

/// The registers that matter in lanes which do not run now.
#[derive(Clone, Debug, Default)]
pub(crate) struct Elsewhere {
    matters: Matters,
    registers: RegisterSet,
}

impl<const L: usize> Warp<L> {
    /// Whether what a register holds matters to no lane that does not run.
    #[inline]
    pub(crate) fn is_dead_elsewhere(&self, register: Register) -> bool {
        match self.elsewhere.matters {
            Matters::Anything => false,
            Matters::Some => !self.elsewhere.registers.contains(register),
        }
    }

    /// Takes it that any register may matter to lanes that do not run.
    pub(crate) const fn forget_elsewhere(&mut self) {
        self.elsewhere.matters = Matters::Anything;
    }

    /// Finds out what the lanes read that are not in a split, which runs.
    pub(crate) fn look_elsewhere(&mut self, at: usize, program: &Program) {
        let Self {
            splits,
            groups,
            elsewhere,
            alive,
            ..
        } = self;
        if splits.get(at).is_some_and(|split| split.mask == *alive) {
            return;
        }
        elsewhere.registers.reset(program.bits.len());
        let others = splits.iter().enumerate().filter(|(other, _)| *other != at);
        let others = others.map(|(_, split)| match split.state {
            // It reads the operand of its reduction where the barrier opens.
            State::Barrier {
                reduce: Some(_), ..
            } => None,
            State::Ready | State::Sync(_) | State::Barrier { reduce: None, .. } => Some(split.slot),
        });
        let waiting = groups.iter().filter(|group| group.waiting != 0);
        let mut slots = others.chain(waiting.map(|group| Some(group.slot)));
        let is_known = slots.all(|slot| {
            let live = slot.and_then(|slot| program.resumed.live_at(slot));
            live.is_some_and(|live| {
                elsewhere.registers.unite(live);
                true
            })
        });
        elsewhere.matters = if is_known {
            Matters::Some
        } else {
            Matters::Anything
        };
    }
}

impl Slot {
    /// Whether what it writes to a register in the lanes of a mask may be written in all: no other lane lives, or none
    /// looks there.
    #[inline]
    pub(crate) fn writes_whole<const L: usize>(
        &self,
        warp: &Warp<L>,
        dst: Register,
        mask: u64,
    ) -> bool {
        let is_dead = || self.guard.is_none() && warp.is_dead_elsewhere(dst);
        mask == warp.alive || self.is_temporary || is_dead()
    }
}
