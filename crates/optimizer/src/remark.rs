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
    /// A store of what its place holds already.
    Unchanged,
    /// The array is constant, and the compiler knows what it holds there.
    Known,
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

impl RemarkKind {
    /// A name that stays the same, for scripts.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Vectorized { .. } => "vectorized",
            Self::Merged { .. } => "merged",
            Self::Eliminated { .. } => "eliminated",
            Self::PartlyEliminated { .. } => "partly-eliminated",
            Self::Overwritten => "overwritten",
            Self::Unchanged => "unchanged",
            Self::Known => "known",
            Self::Unused => "unused",
            Self::Hoisted => "hoisted",
            Self::Sunk => "sunk",
            Self::Unrolled { .. } => "unrolled",
            Self::Aggregated => "aggregated",
        }
    }

    /// The other access that it is about, if it is about one.
    #[must_use]
    pub const fn other(self) -> Option<SiteId> {
        match self {
            Self::Vectorized { into: other, .. }
            | Self::Merged { with: other }
            | Self::Eliminated { held_from: other }
            | Self::PartlyEliminated { held_from: other } => Some(other),
            Self::Overwritten
            | Self::Unchanged
            | Self::Known
            | Self::Unused
            | Self::Hoisted
            | Self::Sunk
            | Self::Unrolled { .. }
            | Self::Aggregated => None,
        }
    }
}

/// Adds a remark once.
pub(crate) fn note(remarks: &mut Vec<Remark>, site: SiteId, kind: RemarkKind) {
    let remark = Remark { site, kind };
    if !remarks.contains(&remark) {
        remarks.push(remark);
    }
}
