//! Counts of requests by what they are like, to compare runs.

use super::LINES;
use lanescope_ir::Kernel;
use lanescope_model::Operation;
use lanescope_simt::{
    Access, BlockDone, Budget, Launch, Observer, Outcome, execute, execute_classes,
};
use std::collections::BTreeMap;

/// Requests up to a shift by whole periods: access, warp, lanes, addresses from the period of the first; of one aligned
/// element that all lanes share (`one_element.rs`), from itself.
pub type Pattern = (u32, u32, u64, Vec<u64>);

/// Counts requests by their pattern.
#[derive(Default)]
pub struct Patterns {
    since: BTreeMap<Pattern, u64>,
    pub all: BTreeMap<Pattern, u64>,
    /// The most that one request stood for.
    pub most: u64,
    /// Requests that were observed, each for as many as are alike.
    pub observed: u64,
}

impl Observer for Patterns {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let active = access.request.active.0;
        let addresses = access.request.addresses;
        let first = addresses[active.trailing_zeros() as usize];
        let lanes = (0..addresses.len()).filter(|lane| active >> lane & 1 == 1);
        let is_one = lanes.clone().all(|lane| addresses[lane] == first);
        let is_plain = matches!(access.request.operation, Operation::Load | Operation::Store);
        let base = if is_one && is_plain && first.is_multiple_of(access.request.width.bytes()) {
            first
        } else {
            first & !127
        };
        let relative = lanes
            .map(|lane| addresses[lane].wrapping_sub(base))
            .collect();
        let pattern = (access.site.0, access.warp, active, relative);
        *self.since.entry(pattern).or_default() += access.times;
        self.observed += 1;
        self.most = self.most.max(access.times);
        true
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        for (pattern, count) in std::mem::take(&mut self.since) {
            *self.all.entry(pattern).or_default() += count * done.times;
        }
        true
    }
}

/// A launch run whole, and by what is alike.
pub fn both(kernel: &Kernel, launch: &Launch) -> ([Patterns; 2], [Outcome; 2]) {
    let mut full = Patterns::default();
    let mut classes = Patterns::default();
    let budget = Budget::default();
    let first = execute(kernel, launch, 32, budget, &mut full);
    let second = execute_classes(kernel, launch, 32, budget, LINES, &mut classes);
    ([full, classes], [first, second])
}
