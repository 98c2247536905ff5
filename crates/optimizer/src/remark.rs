//! Optimization remarks: what became of an access.

use lanescope_ir::SiteId;

/// What a pass did to an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The access.
    pub site: SiteId,
    /// What was done to it.
    pub kind: RemarkKind,
}

/// What was done to an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RemarkKind {
    /// Part of a wider access, that of this site.
    Vectorized {
        /// The access that it is part of.
        into: SiteId,
        /// Bytes of that one.
        bytes: u32,
    },
    /// One instruction with the access of the other branch.
    Merged {
        /// That access.
        with: SiteId,
    },
    /// The thread holds the value: it has read or written it at this site.
    Eliminated {
        /// Where.
        held_from: SiteId,
    },
    /// Done only by lanes that do not hold the value yet.
    PartlyEliminated {
        /// Where others have it from.
        held_from: SiteId,
    },
    /// Overwritten before anything reads it.
    Overwritten,
    /// Nothing uses the value.
    Unused,
    /// Done once, before a loop that does it in every iteration.
    Hoisted,
    /// Moved into the one branch that needs it.
    Sunk,
    /// Written out so many times.
    Unrolled {
        /// Copies.
        times: u32,
    },
    /// One lane does it for the warp.
    Aggregated,
}

/// Adds a remark once.
pub(crate) fn note(remarks: &mut Vec<Remark>, site: SiteId, kind: RemarkKind) {
    let remark = Remark { site, kind };
    if !remarks.contains(&remark) {
        remarks.push(remark);
    }
}
