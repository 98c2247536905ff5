//! A change of the source that is to be proved.

use lanescope_frontend::{NamedLaunch, SourceArray};

use crate::{Edit, FixKind, TileLayout};

/// A change to be proved.
pub(crate) struct Change<'a> {
    pub(crate) kind: FixKind,
    /// The array it is about; `None`: the whole source.
    pub(crate) array: Option<&'a SourceArray>,
    pub(crate) edits: Vec<Edit>,
    pub(crate) launch: NamedLaunch,
    /// Instructions more for each index, at most.
    pub(crate) instructions: u32,
    /// The changed piece of source that says most, where that is known.
    pub(crate) snippet: Option<String>,
    /// Whether shared memory is laid out anew in a way that only the runs tell.
    pub(crate) relocates: bool,
    /// Where it puts the elements of shared arrays, as others write layouts.
    pub(crate) layouts: Vec<TileLayout>,
    /// The most wavefronts and sectors that it may leave: what a larger change leaves.
    pub(crate) most_cost: Option<u64>,
}

impl Change<'_> {
    /// A change of the whole source.
    pub(crate) const fn whole(kind: FixKind, edits: Vec<Edit>, launch: NamedLaunch) -> Self {
        Self {
            kind,
            array: None,
            edits,
            launch,
            instructions: 0,
            snippet: None,
            relocates: false,
            layouts: Vec::new(),
            most_cost: None,
        }
    }
}
