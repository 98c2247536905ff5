//! What a reduction leaves in global memory, as sums of what its threads read.
//!
//! Each thread stores the sum (modulo 2^64) of everything it has read since its last store; every
//! byte of global memory begins as a random number. For kernels whose stores add up what they read
//! this is what they compute, exactly, whatever the order of the additions.

use std::collections::BTreeMap;

use lanescope_lang::{Access, Budget, End, Launch, Observer, Program, execute};
use lanescope_model::{Operation, Space};

/// The final sums in global memory by address; `None` when the run did not end by itself.
pub(crate) fn sums(
    program: &Program,
    launch: &Launch,
    warp_lanes: u32,
    budget: Budget,
) -> Option<BTreeMap<u64, u64>> {
    let launch = Launch {
        reread: true,
        ..launch.clone()
    };
    let mut adder = Adder {
        warp_lanes: u64::from(warp_lanes),
        ..Adder::default()
    };
    let outcome = execute(program, &launch, warp_lanes, budget, &mut adder);
    (outcome.end == End::Completed).then_some(adder.global)
}

#[derive(Default)]
struct Adder {
    warp_lanes: u64,
    block: u64,
    shared: BTreeMap<u64, u64>,
    global: BTreeMap<u64, u64>,
    /// `[thread of the block]`: the sum of what it has read since its last store.
    held: BTreeMap<u64, u64>,
}

impl Observer for Adder {
    fn access(&mut self, access: &Access<'_>) -> bool {
        if access.block_index != self.block {
            self.block = access.block_index;
            self.shared.clear();
            self.held.clear();
        }
        let request = &access.request;
        for lane in request
            .active
            .iter()
            .take_while(|lane| *lane < request.addresses.len())
        {
            let thread = u64::from(access.warp) * self.warp_lanes + lane as u64;
            self.one(
                thread,
                request.space,
                request.operation,
                request.addresses[lane],
            );
        }
        true
    }
}

impl Adder {
    fn one(&mut self, thread: u64, space: Space, operation: Operation, address: u64) {
        let held = self.held.entry(thread).or_default();
        let (memory, first) = match space {
            Space::Shared => (&mut self.shared, 0),
            Space::Global => (&mut self.global, random(address)),
        };
        let before = memory.get(&address).copied().unwrap_or(first);
        match operation {
            Operation::Load | Operation::MatrixLoad { .. } => *held = held.wrapping_add(before),
            Operation::Store | Operation::MatrixStore { .. } => {
                memory.insert(address, std::mem::take(held));
            }
            _ => {
                memory.insert(address, before.wrapping_add(std::mem::take(held)));
            }
        }
    }
}

/// A number drawn from an address (splitmix64).
const fn random(address: u64) -> u64 {
    let mut value = address.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
