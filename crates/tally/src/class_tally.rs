//! Sums over a whole launch of which one block of each class ran.

use crate::repeats::Repeats;
use crate::{Kind, Sums, Tally};
use lanescope_ir::SiteId;
use lanescope_model::Device;
use lanescope_simt::{
    Access, AffineAccess, AsyncCopyAccess, BlockDone, Certainty, Observer, Periods,
};

/// Of an access, requests that are as certain as each other.
type LineRepeats = Repeats<(SiteId, Certainty), (Kind, Sums)>;

/// Sums the requests of a run by classes of blocks; give it to [`lanescope_frontend::execute_classes`].
#[derive(Clone, Debug)]
pub struct ClassTally<'d> {
    /// Of the block that runs.
    block: Tally<'d>,
    /// What is to be added to `block`.
    repeats: LineRepeats,
    all: Tally<'d>,
    classes: Vec<(u64, u64)>,
    requests: u64,
}

/// Classes that are remembered.
const MOST_CLASSES: usize = 1 << 12;

impl<'d> ClassTally<'d> {
    /// Sums of nothing yet, for `device`.
    #[must_use]
    pub fn new(device: &'d Device) -> Self {
        Self {
            block: Tally::new(device),
            repeats: Repeats::default(),
            all: Tally::new(device),
            classes: Vec::new(),
            requests: 0,
        }
    }

    /// The linear index of a block of each class, and for how many blocks it stands; `None` where they are too many.
    #[must_use]
    pub fn classes(&self) -> Option<&[(u64, u64)]> {
        (self.classes.len() < MOST_CLASSES).then_some(&self.classes)
    }

    /// Requests that the blocks made which stand for the classes.
    #[must_use]
    pub const fn requests(&self) -> u64 {
        self.requests
    }

    /// By how much the requests of a class may be apart without a count changing.
    #[must_use]
    pub fn periods(device: &Device) -> Periods {
        Periods {
            shared: device.shared_period_bytes().unwrap_or(0),
            global: device.global_period_bytes().unwrap_or(0),
        }
    }

    /// The sums so far of the block that runs.
    pub fn block(&mut self) -> &Tally<'d> {
        self.settle();
        &self.block
    }

    /// Adds the sums of other blocks of the same launch.
    pub fn add(&mut self, mut others: Self) {
        others.settle();
        self.all.take(&mut others.all, 1);
        self.all.take(&mut others.block, 1);
        self.requests = self.requests.saturating_add(others.requests);
        let room = MOST_CLASSES.saturating_sub(self.classes.len());
        self.classes.extend(others.classes.into_iter().take(room));
    }

    /// The sums of all blocks; what ran of a block that did not end counts once.
    #[must_use]
    pub fn whole(mut self) -> Tally<'d> {
        self.settle();
        self.all.take(&mut self.block, 1);
        self.all
    }

    /// Adds what is counted by the times it was made to the block that runs.
    fn settle(&mut self) {
        let Self { block, repeats, .. } = self;
        repeats.settle(|(site, _), (kind, cost), times| block.add(site, *kind, cost, times));
    }
}

impl Observer for ClassTally<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        self.requests = self.requests.saturating_add(access.times);
        self.block.access(access)
    }

    fn async_copy(&mut self, copy: &AsyncCopyAccess<'_>) -> bool {
        self.requests = self.requests.saturating_add(copy.times);
        self.block.async_copy(copy)
    }

    fn affine_access(&mut self, site: SiteId, access: &AffineAccess) -> Option<bool> {
        let Self { block, repeats, .. } = self;
        let repeat = LineRepeats::request(block.counter(), site.0, access)?;
        let to = (site, access.certainty);
        if !repeats.count(to, &repeat, access.times) {
            let addresses = access.addresses();
            let request = access.request(&addresses);
            let cost = block.cost(&request, access.certainty);
            let place = (access.block_index, access.warp, access.occurrence);
            block.offer(site, place, &cost, &request);
            let kind = Kind::of(access.space, access.operation);
            repeats.remember(
                to,
                &repeat,
                (kind, cost),
                access.times,
                |(site, _), (kind, cost), times| block.add(site, *kind, cost, times),
            );
        }
        self.requests = self.requests.saturating_add(access.times);
        Some(true)
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        if self.classes.len() < MOST_CLASSES {
            self.classes.push((done.block, done.times));
        }
        self.settle();
        self.all.take(&mut self.block, done.times);
        true
    }
}
