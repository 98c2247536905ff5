//! A way to end an analysis from outside: from another thread, or when its time is up.

use lanescope_ir::SiteId;
use lanescope_simt::{Access, AffineAccess, AsyncCopyAccess, BlockDone, Observer};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

/// Ends the run of whoever holds a copy of it, and knows how far that is; a run that was ended is not fully counted.
#[derive(Clone, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Default)]
struct Inner {
    is_ended: AtomicBool,
    /// The caller's clock: nothing here knows the time.
    is_due: Option<Box<dyn Fn() -> bool + Send + Sync>>,
    /// How often it was asked whether to go on.
    asked: AtomicU32,
    blocks_done: AtomicU64,
}

/// How many questions one look at the clock answers: a look may cost more than a request.
const ASKED_A_LOOK: u32 = 64;

impl Stop {
    /// Ends by itself once `is_due`, which is asked again and again, on the thread that runs.
    #[must_use]
    pub fn when(is_due: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(Inner {
            is_due: Some(Box::new(is_due)),
            ..Inner::default()
        }))
    }

    /// Ends it.
    pub fn stop(&self) {
        self.0.is_ended.store(true, Ordering::Relaxed);
    }

    /// Whether it was ended.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        if self.0.is_ended.load(Ordering::Relaxed) {
            return true;
        }
        let Some(is_due) = &self.0.is_due else {
            return false;
        };
        let asked = self.0.asked.fetch_add(1, Ordering::Relaxed);
        asked.is_multiple_of(ASKED_A_LOOK) && self.look(is_due)
    }

    /// The same with a look at the clock whenever asked: for what is asked seldom.
    #[must_use]
    pub fn is_stopped_now(&self) -> bool {
        let is_due = self.0.is_due.as_ref();
        self.0.is_ended.load(Ordering::Relaxed) || is_due.is_some_and(|is_due| self.look(is_due))
    }

    /// Blocks that the run has counted so far.
    #[must_use]
    pub fn blocks_done(&self) -> u64 {
        self.0.blocks_done.load(Ordering::Relaxed)
    }

    /// Notes that the run has counted so many blocks in all.
    pub fn set_blocks_done(&self, blocks: u64) {
        self.0.blocks_done.store(blocks, Ordering::Relaxed);
    }

    pub(crate) fn add_blocks(&self, blocks: u64) {
        self.0.blocks_done.fetch_add(blocks, Ordering::Relaxed);
    }

    fn look(&self, is_due: &dyn Fn() -> bool) -> bool {
        let is_due = is_due();
        if is_due {
            self.stop();
        }
        is_due
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_ended = self.0.is_ended.load(Ordering::Relaxed);
        formatter.debug_tuple("Stop").field(&is_ended).finish()
    }
}

/// A tally that can be stopped.
pub(crate) struct Stoppable<'s, T> {
    pub(crate) tally: T,
    pub(crate) stop: &'s Stop,
}

impl<T: Observer> Observer for Stoppable<'_, &mut T> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self.tally.access(access) && !self.stop.is_stopped()
    }

    fn affine_access(&mut self, site: SiteId, access: &AffineAccess) -> Option<bool> {
        let goes_on = self.tally.affine_access(site, access)?;
        Some(goes_on && !self.stop.is_stopped())
    }

    fn async_copy(&mut self, copy: &AsyncCopyAccess<'_>) -> bool {
        self.tally.async_copy(copy) && !self.stop.is_stopped()
    }

    fn barrier(&mut self) {
        self.tally.barrier();
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        self.stop.add_blocks(done.times);
        self.tally.block_done(done) && !self.stop.is_stopped()
    }

    fn goes_on(&mut self) -> bool {
        self.tally.goes_on() && !self.stop.is_stopped_now()
    }

    fn one_by_one(&mut self, blocks: u64, alike: bool) -> bool {
        self.tally.one_by_one(blocks, alike)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_ends_it_and_is_not_asked_again() {
        let looks = Arc::new(AtomicU32::new(0));
        let seen = Arc::clone(&looks);
        let stop = Stop::when(move || seen.fetch_add(1, Ordering::Relaxed) == 2);
        assert!((0..2 * ASKED_A_LOOK).all(|_| !stop.is_stopped()));
        assert!(stop.is_stopped() && stop.is_stopped_now());
        assert_eq!(looks.load(Ordering::Relaxed), 3);
    }

    #[test]
    fn a_copy_ends_it_too() {
        let stop = Stop::default();
        assert!(!stop.is_stopped() && !stop.is_stopped_now());
        stop.clone().stop();
        assert!(stop.is_stopped() && stop.is_stopped_now());
    }
}
