//! What a run tells its observer.

use crate::source::{Diagnostic, Limit, SiteId, Spared};
use lanescope_model::Request;

/// One memory instruction of one warp, as it is issued.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// The place in the program.
    pub site: SiteId,
    /// The block's coordinates.
    pub block: [u32; 3],
    /// The block's linear index.
    pub block_index: u64,
    /// The warp in its block.
    pub warp: u32,
    /// How many times this warp has issued this site before.
    pub occurrence: u32,
    /// What the model needs. Shared addresses count from the block's first byte of shared
    /// memory; global addresses from the start of the array's allocation (see
    /// [`crate::source::Array::base`]).
    pub request: Request<'a>,
}

/// Takes each request of a run.
pub trait Observer {
    /// Called for each request, in the order a warp issues them; `false` stops the run.
    fn access(&mut self, access: &Access<'_>) -> bool;

    /// Called when all warps of the block that still run have come to a barrier.
    fn barrier(&mut self) {}

    /// Called when a block has ended; `false` stops the run.
    fn block_done(&mut self, _block_index: u64) -> bool {
        true
    }

    /// Called every few thousand steps, so that a run that makes no request can be stopped too; `false` stops it.
    fn goes_on(&mut self) -> bool {
        true
    }
}

impl<F: FnMut(&Access<'_>) -> bool> Observer for F {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self(access)
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All blocks asked for have run.
    Completed,
    /// The budget ran out.
    Stopped(Limit),
    /// The observer said so.
    Cancelled,
}

/// What a run found out besides its requests.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// Requests given to the observer.
    pub requests: u64,
    /// Instructions executed, each for a warp; dear ones count for several, as in [`crate::source::Budget::steps`].
    pub steps: u64,
    /// Blocks that ran to their end.
    pub blocks_done: u64,
    /// Blocks of the whole grid.
    pub blocks_total: u64,
    /// Mistakes of the kernel met on the way (out of range, races, barriers), each once a place.
    pub findings: Vec<Diagnostic>,
    /// By [`SiteId`]: why an access was met without a request, the first time that one was; see
    /// [`crate::source::Program::spared`].
    pub spared: Vec<Option<Spared>>,
}

impl Outcome {
    /// Whether every block of the grid ran to its end.
    #[must_use]
    pub fn exact(&self) -> bool {
        self.end == End::Completed && self.blocks_done == self.blocks_total
    }
}
