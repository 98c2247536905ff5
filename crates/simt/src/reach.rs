//! Reach: how far into each buffer a launch goes, which is how large the buffer has to be.

use crate::machine::memory::{ALLOCATION_BITS, allocation_number};
use crate::{Access, Budget, End, Launch, Observer, execute};
use lanescope_ir::Kernel;
use lanescope_model::Space;

/// `[parameter]`: bytes from the beginning of a pointer's allocation to the end of the last byte that a lane touches; 0
/// for one that is never used. `None` where the launch does not end within the budget, or where an address, a branch or a
/// barrier depends on what is not known.
///
/// Sizes that the launch gives are taken as given: what lies behind them is not reached.
#[must_use]
pub fn reached_bytes(
    kernel: &Kernel,
    launch: &Launch,
    lanes: u32,
    budget: Budget,
) -> Option<Vec<u64>> {
    let mut reach = Reach::of(kernel);
    let outcome = execute(kernel, launch, lanes, budget, &mut reach);
    let is_known = outcome.doubts.is_empty() && outcome.end == End::Complete;
    reach.bytes(kernel).filter(|_| is_known)
}

/// How far a run goes into each allocation. As an observer it ends a run at the first address that is not known.
#[derive(Debug)]
pub struct Reach {
    /// `[allocation]`: the byte behind the last that was touched.
    ends: Vec<u64>,
    is_known: bool,
}

impl Reach {
    /// Of a run of `kernel` that is still to come.
    #[must_use]
    pub fn of(kernel: &Kernel) -> Self {
        Self {
            ends: vec![0; kernel.arrays.len() + kernel.parameters.len()],
            is_known: true,
        }
    }

    /// `[parameter]`: bytes from the beginning of a pointer's allocation to the end of the last byte that was touched, as
    /// [`reached_bytes`] gives them; `None` where an address was not known.
    #[must_use]
    pub fn bytes(&self, kernel: &Kernel) -> Option<Vec<u64>> {
        let end = |position| self.ends.get(allocation_number(kernel, position)).copied();
        let ends = (0..kernel.parameters.len()).map(|position| end(position).unwrap_or(0));
        self.is_known.then(|| ends.collect())
    }
}

impl Observer for Reach {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let request = &access.request;
        if request.space != Space::Global {
            return true;
        }
        self.is_known &= access.unknown == 0;
        for (lane, address) in request.addresses.iter().enumerate() {
            if request.active.0 >> lane & 1 == 0 {
                continue;
            }
            let number = (address >> ALLOCATION_BITS).checked_sub(1);
            let slot = number.and_then(|number| usize::try_from(number).ok());
            if let Some(end) = slot.and_then(|slot| self.ends.get_mut(slot)) {
                let offset = address & ((1 << ALLOCATION_BITS) - 1);
                *end = (*end).max(offset + request.width.bytes());
            }
        }
        self.is_known
    }
}
