use serde::{Deserialize, Serialize};

use crate::plan::Plan;
use crate::{DeviceLimits, Fault};

/// Which clock a duration was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// The device's timestamps at the ends of a pass.
    Device,
    /// Wall clock around completed work: includes submission.
    Wall,
}

/// A plan made ready by a [`Machine`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Program(pub usize);

/// What an experiment needs of a GPU. [`crate::Gpu`] is the real one; tests
/// drive experiments with machines that fail on purpose.
#[expect(
    async_fn_in_trait,
    reason = "futures stay on one thread, as in a browser"
)]
pub trait Machine {
    /// What the device allows.
    fn limits(&self) -> DeviceLimits;

    /// The clock that [`Machine::run`] reads.
    fn clock(&self) -> Clock;

    /// Allocates and compiles; `sets` copies of the buffers are used in turn.
    ///
    /// # Errors
    /// Any [`Fault`] of allocation or compilation.
    async fn prepare(&mut self, plan: &Plan, sets: u32) -> Result<Program, Fault>;

    /// Fills the outputs of the first set, so that stale results are seen, and gives buffers with data what they hold
    /// before a run.
    ///
    /// # Errors
    /// A lost device.
    async fn poison(&mut self, program: Program) -> Result<(), Fault>;

    /// Runs the program `repeats` times in one submission and returns nanoseconds.
    ///
    /// # Errors
    /// A lost device, or one that did not finish in time.
    async fn run(&mut self, program: Program, repeats: u32) -> Result<f64, Fault>;

    /// Words of a buffer of the first set, by its index in the plan, from `first` on.
    ///
    /// # Errors
    /// A lost device, or a mapping that failed.
    async fn read(
        &mut self,
        program: Program,
        buffer: usize,
        first: u64,
        elements: u64,
    ) -> Result<Vec<u32>, Fault>;

    /// Frees every program and buffer.
    fn clear(&mut self);
}
