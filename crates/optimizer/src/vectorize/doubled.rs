//! Addresses that are the sum of one before and its index, whose alignment is not known (LLVM's
//! StraightLineStrengthReduce).
//!
//! Behind `s[t]`, from compute capability 10.0 on, the place of `s[2 * t + 1]` is that of `s[t]`, `4 * t` and 4: nothing
//! proves that it lies in the upper half of 8 aligned bytes, so neighbours there stay apart. The place before must
//! dominate, and lie in the same array. 66 small kernels were compiled for it; of strides that are four times another
//! some are written so too, which is not modelled.

use crate::facts::{Facts, Location};
use crate::profile::Preferences;
use lanescope_ir::{AddressSpace, ArrayId, BlockId, Kernel, Op};
use std::collections::BTreeMap;

/// Offsets between an address and twice another, at most: arrays of shared memory are not larger.
const MOST_OFFSET: u64 = 1 << 20;

/// A place of shared memory that is known before others.
#[derive(Clone, Copy, Debug)]
struct Base {
    block: BlockId,
    at: usize,
    array: Option<ArrayId>,
}

/// The places of shared memory that a kernel goes to.
#[derive(Debug, Default)]
pub(super) struct Doubled {
    /// By the number of twice their address.
    bases: BTreeMap<u64, Vec<Base>>,
}

impl Doubled {
    pub(super) fn of(kernel: &Kernel, facts: &Facts, preferences: Preferences) -> Self {
        let mut bases: BTreeMap<u64, Vec<Base>> = BTreeMap::new();
        if !preferences.doubles_addresses {
            return Self { bases };
        }
        for block in facts.flow.reverse_postorder() {
            let numbers = &facts.numbers;
            numbers.walk(kernel, *block, &facts.loops, |at, instruction, values| {
                if let Op::Load { address, site, .. } | Op::Store { address, site, .. } =
                    &instruction.op
                    && let Some(location) = Location::of(kernel, *site, address, values)
                    && location.space == AddressSpace::Shared
                    && !location.address.is_known()
                {
                    let twice = location.address.number.wrapping_mul(2);
                    bases.entry(twice).or_default().push(Base {
                        block: *block,
                        at,
                        array: location.array,
                    });
                }
            });
        }
        Self { bases }
    }

    /// Whether an access of a block lies twice as far into its array as one that is always before.
    pub(super) fn holds(
        &self,
        facts: &Facts,
        block: BlockId,
        at: usize,
        location: &Location,
    ) -> bool {
        let number = location.address.number;
        let near = number.saturating_sub(MOST_OFFSET)..number.saturating_add(MOST_OFFSET);
        self.bases.range(near).flat_map(|(_, all)| all).any(|base| {
            let is_before = if base.block == block {
                base.at < at
            } else {
                facts.dominators.dominates(base.block, block)
            };
            is_before && base.array == location.array
        })
    }
}
