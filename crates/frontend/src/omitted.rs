//! Why an access of the source makes no request.

use crate::{End, Program, SiteId, SourceOutcome};

/// Why an access that stands in the source makes no request of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omitted {
    /// The compiler joins it with that one into a wider access. As nvcc of CUDA 13 does for compute
    /// capability 9.0, where it was measured; other compilers may differ.
    Joined(SiteId),
    /// It stands in both branches of an `if`, and is one instruction with that one.
    Merged(SiteId),
    /// The thread still holds the value: it has read or written it before.
    Held,
    /// What it stores is overwritten before anything reads it.
    Overwritten,
    /// Nothing uses the value that it loads.
    Unused,
    /// It lies in constant memory or is the thread's own: neither is counted.
    Elsewhere,
    /// It lies in shared memory of another block of the cluster, which is not counted.
    Cluster,
    /// TMA or the tensor cores move or read it past the load/store unit: it makes no wavefront and no sector.
    Bulk,
    /// It is a texture's or a surface's, which are not counted.
    Texture,
    /// No thread of the blocks that ran comes to it.
    Unreached,
    /// The run ended before a thread came to it.
    Cut,
}

/// What became of an access where a compiler has changed the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteOrigin {
    /// The access of the source that its requests count for.
    pub counts_for: SiteId,
    /// Why it makes none, where it makes none.
    pub omitted: Option<Omitted>,
}

impl Omitted {
    /// The access that does this one's work too, if one does.
    #[must_use]
    pub const fn other(self) -> Option<SiteId> {
        match self {
            Self::Joined(other) | Self::Merged(other) => Some(other),
            _ => None,
        }
    }
}

impl Program {
    /// Why the access `id` made no request in the run that `outcome` tells of; means nothing for one
    /// that made some.
    #[must_use]
    pub fn omitted(&self, id: SiteId, outcome: &SourceOutcome) -> Omitted {
        let at = id.0 as usize;
        let omitted = self.origins.get(at).and_then(|origin| origin.omitted);
        let met = outcome.omitted.get(at).copied().flatten().or(omitted);
        met.unwrap_or(if outcome.end == End::Complete {
            Omitted::Unreached
        } else {
            Omitted::Cut
        })
    }
}
