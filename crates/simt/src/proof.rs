//! Block and iteration invariance: follows how every value of a block grows with the block's index, and with the
//! iteration of a loop.
//!
//! Beside each register stands its slope, the same for all lanes, or that it grows in some other way. Arithmetic modulo
//! two to the width keeps slopes without any condition; what reads a value as a number (comparisons, extensions,
//! quotients) holds as long as the value stays in its type's range, and cuts the [`Region`] to the blocks for which it
//! does. A comparison must come out the same in every lane, an address must stay in its allocation and move by multiples
//! of the period after which its counts repeat. What cannot be followed is not guessed: the proof fails, and blocks run.

mod access;
mod arithmetic;
mod classes;
mod comparison;
pub(crate) mod cycle;
mod follower;
mod quotient;
pub(crate) mod region;
pub(crate) mod replay;
mod slope;
pub(crate) mod together;
mod transfer;

use lanescope_ir::Register;

use crate::Periods;
use crate::proof::region::{Region, Slope};
use crate::proof::replay::{Executed, Trace};

use slope::Growth;

pub(crate) use slope::UNTOUCHED;

/// What is proved of the block that runs, or of an iteration.
#[derive(Clone, Debug)]
pub(crate) struct Proof {
    pub(crate) region: Region,
    pub(crate) failed: bool,
    periods: Periods,
    /// Whether it is other iterations that are to do the same, rather than other blocks.
    of_iterations: bool,
    /// Whether shared or local memory may hold what differs from block to block.
    memory_differs: bool,
    /// How residues are followed.
    residues: Residues,
    /// Whether there was a choice.
    pub(crate) has_residues: bool,
    /// What the block or the iteration executes, where irregular accesses may be made again; none: they fail the proof.
    pub(crate) trace: Option<Trace>,
    /// The first warp that is traced.
    pub(crate) first_warp: u32,
    /// Registers that the current instruction writes, and how they grow.
    writes: Vec<(Register, Growth)>,
}

/// For which blocks residues of what grows are proved. Which of the two leaves more blocks depends on what else is done
/// with them: as the column of a tile whose row is the quotient, a residue grows along the row; as the turn in a ring of
/// buffers, it comes back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Residues {
    /// For those in which they are the same.
    #[default]
    Repeat,
    /// For those up to where one wraps.
    Grow,
}

impl Residues {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Repeat => Self::Grow,
            Self::Grow => Self::Repeat,
        }
    }
}

impl Proof {
    pub(crate) const fn new(region: Region, periods: Periods) -> Self {
        Self {
            region,
            failed: false,
            periods,
            of_iterations: false,
            memory_differs: false,
            residues: Residues::Repeat,
            has_residues: false,
            trace: None,
            first_warp: 0,
            writes: Vec::new(),
        }
    }

    /// The same, with residues followed so.
    pub(crate) const fn with(mut self, residues: Residues) -> Self {
        self.residues = residues;
        self
    }

    /// Whether residues of what grows with this slope are to grow. They are where the region is less than a period long.
    fn residues_grow(&mut self, slope: Slope, modulus: u64) -> bool {
        self.has_residues = true;
        self.residues == Residues::Grow || !self.region.holds_period(slope, modulus)
    }

    /// Of so many further iterations of a loop.
    pub(crate) const fn of_iterations(steps: u64, periods: Periods) -> Self {
        let mut proof = Self::new(Region::of_iterations(steps), periods);
        proof.of_iterations = true;
        proof
    }

    /// Notes an instruction that is followed.
    fn note(&mut self, executed: Executed) {
        if let Some(trace) = &mut self.trace
            && !trace.note(executed)
        {
            self.failed |= !trace.is_regular();
            self.trace = None;
        }
    }

    /// Notes that a register of a warp was moved behind iterations that did not run.
    pub(crate) fn note_moved(&mut self, warp: u32, register: Register) {
        if let Some(trace) = &mut self.trace {
            trace.note_moved(warp - self.first_warp, register);
        }
    }
}
