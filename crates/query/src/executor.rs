//! Executor: who runs independent tasks.

use std::fmt::Debug;

/// Runs independent tasks, in any order or at the same time.
pub trait Executor: Debug + Send + Sync {
    /// Calls `task` with every number below `tasks`, each once, and returns when all calls have returned.
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync));
}

/// One task after another, on the thread that asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct InOrder;

impl Executor for InOrder {
    fn run(&self, tasks: usize, task: &(dyn Fn(usize) + Sync)) {
        (0..tasks).for_each(task);
    }
}
