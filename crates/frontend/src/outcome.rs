//! What came of a run, in the words of the text.

use crate::{Diagnostic, End, Omitted};

/// What warps executed of a line: from 1, in the text; 0 for instructions that stand nowhere.
pub type Executed = lanescope_simt::Executed<u32>;

/// What a run found out besides its requests: [`lanescope_simt::Outcome`] in the words of the text. Findings and doubts are
/// diagnostics with their places, what was executed is told by line, and beside it stands why an access made no request.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceOutcome {
    /// How it ended.
    pub end: End,
    /// Requests given to the observer.
    pub requests: u64,
    /// Instructions executed, each for a warp; dear ones count for several, as in [`crate::Budget::steps`].
    pub steps: u64,
    /// Blocks that ran to their end.
    pub blocks_done: u64,
    /// Blocks of the whole grid.
    pub blocks_total: u64,
    /// What warps executed of the program's own instructions, by line, in order; nothing of a program without.
    pub executed: Vec<Executed>,
    /// Mistakes of the kernel met on the way (out of range, races, barriers), each once a place.
    pub findings: Vec<Diagnostic>,
    /// By [`crate::SiteId`]: why an access was met without a request, the first time that one was; see
    /// [`crate::Program::omitted`].
    pub omitted: Vec<Option<Omitted>>,
}

impl SourceOutcome {
    /// Of a run that has not begun.
    pub(crate) const fn unrun(end: End, blocks_total: u64) -> Self {
        Self {
            end,
            requests: 0,
            steps: 0,
            blocks_done: 0,
            blocks_total,
            executed: Vec::new(),
            findings: Vec::new(),
            omitted: Vec::new(),
        }
    }

    /// Adds what was executed at lines.
    pub fn add_executed(&mut self, more: impl IntoIterator<Item = Executed>) {
        self.executed = Executed::sums(self.executed.iter().copied().chain(more));
    }

    /// Whether every block of the grid ran to its end.
    #[must_use]
    pub fn exact(&self) -> bool {
        self.end == End::Complete && self.blocks_done == self.blocks_total
    }
}
