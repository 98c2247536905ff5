//! Accesses of a block that may be joined, as they are met.

use lanescope_ir::{AddressSpace, ScalarType, SiteId};

use crate::facts::Location;
use crate::library::LibraryBranches;

/// Candidates of one block at once, at most.
pub(super) const CANDIDATES: usize = 512;

/// An access that may become part of a wider one.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) at: usize,
    pub(super) is_store: bool,
    pub(super) location: Location,
    pub(super) element: ScalarType,
    /// Bytes of the aligned piece that it may be joined to; zero: to none.
    pub(super) alignment: u64,
    /// Bytes from the piece's beginning.
    pub(super) behind: u64,
    /// Whether the type says how it is aligned.
    pub(super) is_aligned: bool,
    /// Only those of one run, between the same calls, are joined.
    pub(super) run: u32,
    pub(super) calls: u32,
    /// Branches before it that part accesses of its kind.
    pub(super) branches: u32,
    /// Whether the loop around moves the address, and lanes differ in it.
    pub(super) moves: bool,
    /// Iterations that are one piece of the loop around.
    pub(super) iterations: usize,
    pub(super) site: SiteId,
}

impl Candidate {
    fn piece(&self) -> u64 {
        self.location.address.number.wrapping_sub(self.behind)
    }

    pub(super) fn joins(&self, other: &Self) -> bool {
        self.alignment > 0
            && (
                self.alignment,
                self.is_store,
                self.location.space,
                self.run,
                (self.calls, self.branches),
                self.element.bytes(),
            ) == (
                other.alignment,
                other.is_store,
                other.location.space,
                other.run,
                (other.calls, other.branches),
                other.element.bytes(),
            )
            && self.piece() == other.piece()
    }

    /// The bits of the bytes that it takes of its piece.
    pub(super) const fn bytes(&self) -> u32 {
        ((1 << self.location.bytes) - 1) << self.behind
    }
}

/// Branches of library functions since the last barrier.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Branches {
    all: u32,
    /// Those that stay in machine code.
    kept: u32,
}

impl Branches {
    pub(super) const fn pass(&mut self, branches: LibraryBranches) {
        match branches {
            LibraryBranches::None => {}
            LibraryBranches::Predicated => self.all += 1,
            LibraryBranches::Kept => {
                self.all += 1;
                self.kept += 1;
            }
        }
    }
}

/// Candidates since the last barrier.
#[derive(Debug, Default)]
pub(super) struct Window {
    pub(super) list: Vec<Candidate>,
    pub(super) load_run: u32,
    pub(super) store_run: u32,
    pub(super) calls: u32,
    pub(super) branches: Branches,
    pub(super) last_piece: Option<u64>,
}

impl Window {
    /// Adds an access; `strict`: it parts those of the other kind wherever it goes.
    pub(super) fn push(&mut self, mut candidate: Candidate, strict: bool) {
        // What the type aligns is joined before a call is made of anything (`BlackScholes` of the CUDA samples).
        candidate.calls = if candidate.is_aligned { 0 } else { self.calls };
        let is_shared = candidate.location.space == AddressSpace::Shared;
        candidate.branches = if is_shared && !candidate.is_store {
            self.branches.kept
        } else {
            self.branches.all
        };
        let overlaps = |other: &Candidate| other.location.may_alias(&candidate.location);
        if candidate.is_store {
            let mut parts_loads = strict;
            let mut parts_stores = false;
            for other in &self.list {
                let is_there = other.location.is_same(&candidate.location);
                let over = overlaps(other);
                parts_loads |= over && !other.is_store && !is_there;
                // Stores of runs before are parted from this one already.
                parts_stores |= over && other.is_store && !is_there && other.run == self.store_run;
            }
            if is_shared {
                let here = Some(candidate.piece());
                self.load_run += u32::from(parts_loads);
                self.store_run += u32::from(parts_stores || strict && self.last_piece != here);
                self.last_piece = here;
            } else {
                self.load_run += u32::from(parts_loads);
                self.store_run += u32::from(parts_stores);
            }
            candidate.run = self.store_run;
        } else {
            let parts = strict
                || self
                    .list
                    .iter()
                    .any(|other| other.is_store && overlaps(other));
            if parts && is_shared {
                self.store_run += 1;
                self.last_piece = None;
            }
            candidate.run = self.load_run;
        }
        if self.list.len() < CANDIDATES {
            self.list.push(candidate);
        }
    }
}
