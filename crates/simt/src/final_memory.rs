//! Final memory: what the buffers of a launch hold once it has run.

use lanescope_ir::{ArrayId, Kernel, ScalarType};

use crate::machine::memory::{Global, allocation_number};

/// What global memory holds after a run, as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct FinalMemory {
    global: Global,
}

/// Why a byte is unknown does not matter here.
const UNKNOWN: u8 = 1;

impl FinalMemory {
    pub(crate) const fn new(global: Global) -> Self {
        Self { global }
    }

    /// The first `bytes` bytes of the allocation that a pointer parameter of `kernel` was given, by the parameter's
    /// position; `None` for what is not known: contents that nobody gave, what depends on them, and what atomics of
    /// several blocks give in an order of their own.
    #[must_use]
    pub fn parameter(&self, kernel: &Kernel, position: usize, bytes: usize) -> Vec<Option<u8>> {
        self.allocation(allocation_number(kernel, position), bytes)
    }

    /// As [`Self::parameter`] of an array that the text declares.
    #[must_use]
    pub fn array(&self, id: ArrayId, bytes: usize) -> Vec<Option<u8>> {
        self.allocation(id.index(), bytes)
    }

    fn allocation(&self, number: usize, bytes: usize) -> Vec<Option<u8>> {
        let allocation = self.global.allocations.get(number).and_then(Option::as_ref);
        let Some(start) = allocation.map(|one| one.start) else {
            return vec![None; bytes];
        };
        let byte = |at: usize| {
            let address = start.wrapping_add(at as u64);
            let word = self.global.read(address, ScalarType::U8, UNKNOWN, UNKNOWN);
            let byte = u8::try_from(word.bits & 0xff).ok();
            byte.filter(|_| word.source == 0)
        };
        (0..bytes).map(byte).collect()
    }
}
