//! What a warp, or the warps of a block, executed.

use lanescope_ir::{Op, Register, SiteId};

/// Instructions that are noted at most.
const MOST_EXECUTED: usize = 4_096;

/// An instruction that was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Executed {
    pub(crate) slot: u32,
    /// Counted from the first that is traced.
    pub(crate) warp: u32,
    pub(crate) mask: u64,
    /// Whether it wrote its registers in all lanes that matter.
    pub(crate) whole: bool,
    /// Whether it stands for itself in several iterations of a loop.
    pub(crate) is_multiplied: bool,
    /// Whether it has to be executed each time.
    pub(crate) is_irregular: bool,
}

/// A register that was moved behind iterations which did not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moved {
    /// How many instructions had been executed.
    pub(super) at: usize,
    pub(super) warp: u32,
    pub(super) register: Register,
}

/// What an iteration of one warp, or a block, executed, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    pub(super) executed: Vec<Executed>,
    pub(super) moved: Vec<Moved>,
    /// Accesses that are irregular wherever they are made.
    pub(super) sites: Vec<SiteId>,
}

impl Trace {
    /// Notes an instruction. Returns whether there was room.
    pub(crate) fn note(&mut self, executed: Executed) -> bool {
        let has_room = self.executed.len() < MOST_EXECUTED;
        if has_room {
            self.executed.push(executed);
        }
        has_room
    }

    /// Notes that a register of a warp was moved.
    pub(crate) fn note_moved(&mut self, warp: u32, register: Register) {
        self.moved.push(Moved {
            at: self.executed.len(),
            warp,
            register,
        });
    }

    /// The access of the last instruction is irregular.
    pub(crate) fn admit(&mut self, site: SiteId) {
        if !self.sites.contains(&site) {
            self.sites.push(site);
        }
    }

    /// The last instruction, which is no access, has to be executed each time.
    pub(crate) fn admit_last(&mut self) {
        if let Some(last) = self.executed.last_mut() {
            last.is_irregular = true;
        }
    }

    pub(crate) fn is_regular(&self) -> bool {
        self.sites.is_empty() && self.executed.iter().all(|one| !one.is_irregular)
    }

    pub(super) fn is_irregular(&self, executed: &Executed, op: &Op) -> bool {
        executed.is_irregular || op.sites().iter().any(|site| self.sites.contains(site))
    }
}
