//! Whether every element of an array is one thread's alone: of shared memory between two barriers.

use std::collections::BTreeMap;

use lanescope_frontend::{
    Access, ArrayId, AsyncCopyAccess, BlockDone, End, NamedLaunch, Observer, Program, execute,
};

use lanescope_model::Space;

use crate::Question;

/// The most elements that are followed.
const MOST_ELEMENTS: usize = 1 << 20;

/// Whether no two threads of the launch touch the same element of the array `named`, so that no other thread sees in which order
/// one touches its own; of a shared array between two barriers.
pub(crate) fn is_each_ones_own(
    question: &Question<'_>,
    program: &Program,
    launch: &NamedLaunch,
    named: &str,
) -> bool {
    let mut arrays = program.arrays().iter().zip(0_u32..);
    let Some((array, id)) = arrays.find(|(array, _)| array.name == named) else {
        return false;
    };
    let mut owners = Owners {
        program,
        array: ArrayId(id),
        space: array.space,
        element: array.element_bytes.max(1),
        block_threads: launch.block_threads(),
        warp_lanes: u64::from(question.device.warp_lanes()),
        owner: BTreeMap::new(),
        is_apart: true,
    };
    let lanes = question.device.warp_lanes();
    let outcome = execute(program, launch, lanes, question.budget, &mut owners);
    owners.is_apart && outcome.end == End::Complete
}

struct Owners<'p> {
    program: &'p Program,
    array: ArrayId,
    space: Space,
    element: u64,
    block_threads: u64,
    warp_lanes: u64,
    /// By element: its thread.
    owner: BTreeMap<u64, u64>,
    is_apart: bool,
}

impl Observer for Owners<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let touched = self.program.site(access.site).and_then(|site| site.array);
        if touched.is_none() && access.request.space == self.space {
            // It may be this array.
            self.is_apart = false;
            return false;
        }
        if touched != Some(self.array) {
            return true;
        }
        let first = access
            .block
            .saturating_mul(self.block_threads)
            .saturating_add(u64::from(access.warp) * self.warp_lanes);
        let request = &access.request;
        let elements = request.width.bytes().div_ceil(self.element);
        for lane in request.active.iter() {
            let Some(address) = request.addresses.get(lane) else {
                continue;
            };
            let thread = first + lane as u64;
            let at = address / self.element;
            for element in at..at + elements {
                let owner = *self.owner.entry(element).or_insert(thread);
                self.is_apart &= owner == thread;
            }
        }
        self.is_apart &= self.owner.len() <= MOST_ELEMENTS;
        self.is_apart
    }

    fn async_copy(&mut self, copy: &AsyncCopyAccess<'_>) -> bool {
        // It writes shared memory at a time of its own.
        self.is_apart &= self.space == Space::Global;
        self.is_apart && copy.load().is_none_or(|load| self.access(&load))
    }

    fn barrier(&mut self) {
        if self.space == Space::Shared {
            self.owner.clear();
        }
    }

    fn block_done(&mut self, _done: &BlockDone) -> bool {
        self.barrier();
        true
    }
}
