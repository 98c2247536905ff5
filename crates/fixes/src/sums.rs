//! What a reduction leaves in global memory, as sums of what its threads read.
//!
//! Each thread stores the sum (modulo 2^64) of everything it has read since its last store; every
//! byte of global memory begins as a random number. For kernels whose stores add up what they read
//! this is what they compute, exactly, whatever the order of the additions.

use lanescope_frontend::{Access, Budget, End, NamedLaunch, Observer, Program, execute};
use lanescope_model::{Operation, Space};

use crate::mix::Numbered;

/// The final sums in global memory by address; `None` when the run did not end by itself.
pub(crate) fn sums(
    program: &Program,
    launch: &NamedLaunch,
    warp_lanes: u32,
    budget: Budget,
) -> Option<Numbered<u64>> {
    let mut adder = Adder {
        warp_lanes: warp_lanes as usize,
        ..Adder::default()
    };
    let outcome = execute(program, launch, warp_lanes, budget, &mut adder);
    (outcome.end == End::Complete).then_some(adder.global)
}

#[derive(Default)]
struct Adder {
    warp_lanes: usize,
    block: u64,
    shared: Numbered<u64>,
    global: Numbered<u64>,
    /// `[thread of the block]`: the sum of what it has read since its last store.
    held: Vec<u64>,
}

impl Observer for Adder {
    fn access(&mut self, access: &Access<'_>) -> bool {
        if access.block != self.block {
            self.block = access.block;
            self.shared.clear();
            self.held.clear();
        }
        let request = &access.request;
        let first = access.warp as usize * self.warp_lanes;
        let end = first + request.addresses.len();
        if self.held.len() < end {
            self.held.resize(end, 0);
        }
        for lane in request
            .active
            .iter()
            .take_while(|lane| *lane < request.addresses.len())
        {
            self.one(
                first + lane,
                request.space,
                request.operation,
                request.addresses[lane],
            );
        }
        true
    }
}

impl Adder {
    fn one(&mut self, thread: usize, space: Space, operation: Operation, address: u64) {
        let held = &mut self.held[thread];
        let (memory, first) = match space {
            Space::Shared => (&mut self.shared, 0),
            Space::Global => (&mut self.global, random(address)),
        };
        let before = || memory.get(&address).copied().unwrap_or(first);
        let after = match operation {
            Operation::Load | Operation::MatrixLoad { .. } => {
                *held = held.wrapping_add(before());
                return;
            }
            Operation::Store | Operation::MatrixStore { .. } | Operation::AsyncCopy => {
                std::mem::take(held)
            }
            _ => before().wrapping_add(std::mem::take(held)),
        };
        memory.insert(address, after);
    }
}

/// A number drawn from an address (splitmix64).
const fn random(address: u64) -> u64 {
    let mut value = address.wrapping_add(0x9e37_79b9_7f4a_7c15);
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}
