//! A way to end an analysis from another thread.

use lanescope_lang::{Access, ClassObserver, Observer};
use lanescope_tally::{ClassTally, Tally};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ends the run of whoever holds a copy of it; a run that was ended is not fully counted.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends it.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was ended.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A tally that can be stopped.
pub(crate) struct Stoppable<'s, T> {
    pub(crate) tally: T,
    pub(crate) stop: &'s Stop,
}

impl Observer for Stoppable<'_, &mut Tally<'_>> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self.tally.access(access) && !self.stop.is_stopped()
    }

    fn barrier(&mut self) {
        self.tally.barrier();
    }

    fn block_done(&mut self, block_index: u64) -> bool {
        self.tally.block_done(block_index) && !self.stop.is_stopped()
    }
}

impl ClassObserver for Stoppable<'_, &mut ClassTally<'_>> {
    fn access(&mut self, access: &Access<'_>, times: u64) -> bool {
        self.tally.access(access, times) && !self.stop.is_stopped()
    }

    fn block_done(&mut self, block_index: u64, times: u64) -> bool {
        self.tally.block_done(block_index, times) && !self.stop.is_stopped()
    }
}
