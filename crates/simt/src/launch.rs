//! Launch configuration: grid, block, parameters, and how much a run may cost.

use lanescope_ir::{AddressSpace, Array, Kernel};
use std::sync::Arc;

/// A kernel launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared_bytes: u64,
    /// By position in [`lanescope_ir::Kernel::parameters`]; those that are not listed are missing.
    pub parameters: Vec<ParameterValue>,
    /// By position in [`lanescope_ir::Kernel::variables`]; those that are not listed take their first value.
    pub variables: Vec<i64>,
    /// Which blocks run.
    pub blocks: Blocks,
}

impl Launch {
    /// Threads of a block, at most `u64::MAX`.
    #[must_use]
    pub fn block_threads(&self) -> u64 {
        product(self.block)
    }

    /// Blocks of the grid, at most `u64::MAX`.
    #[must_use]
    pub fn grid_blocks(&self) -> u64 {
        product(self.grid)
    }

    /// Coordinates of the block with linear index `index`: x runs fastest.
    #[must_use]
    pub fn block_at(&self, index: u64) -> [u32; 3] {
        let [x, y, _] = self.grid.map(|side| u64::from(side.max(1)));
        let small = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
        [small(index % x), small(index / x % y), small(index / x / y)]
    }

    /// Linear indices of the blocks that run: the first, and the one behind the last.
    #[must_use]
    pub fn block_range(&self) -> (u64, u64) {
        self.blocks.of_grid(self.grid_blocks())
    }
}

fn product(sides: [u32; 3]) -> u64 {
    sides
        .iter()
        .fold(1, |all: u64, side| all.saturating_mul(u64::from(*side)))
}

/// Which blocks of the grid run, by linear index (x runs fastest).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blocks {
    /// Every block.
    #[default]
    All,
    /// The first so many.
    First(u64),
    /// One.
    Only(u64),
    /// From one up to, not with, another: what a thread of several takes.
    Range(u64, u64),
    /// As [`Blocks::Range`], where blocks are known to be alike but for accesses that depend on data: they run by classes.
    Alike(u64, u64),
}

impl Blocks {
    /// Linear indices of those of a grid of `all` blocks: the first, and the one behind the last.
    #[must_use]
    pub fn of_grid(self, all: u64) -> (u64, u64) {
        match self {
            Self::All => (0, all),
            Self::First(count) => (0, count.min(all)),
            Self::Only(at) => (at.min(all), at.saturating_add(1).min(all)),
            Self::Range(first, end) | Self::Alike(first, end) => {
                (first.min(end).min(all), end.min(all))
            }
        }
    }

    /// The blocks of a range, which are known to be alike but for accesses that depend on data, or not.
    #[must_use]
    pub const fn of_range((first, end): (u64, u64), alike: bool) -> Self {
        if alike {
            Self::Alike(first, end)
        } else {
            Self::Range(first, end)
        }
    }
}

/// What a kernel parameter is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterValue {
    /// Its bytes, the lowest first.
    Bytes(Vec<u8>),
    /// A pointer to global memory.
    Buffer {
        /// Bytes of the allocation; `None`: as many as are asked for.
        bytes: Option<u64>,
        /// Address of the allocation's first byte modulo 1024.
        base_offset: u64,
        /// What it holds before the launch.
        contents: Contents,
        /// Bytes from the allocation's first byte to where the pointer points.
        offset_in_allocation: u64,
    },
    /// Nobody said: its value is unknown.
    Missing,
}

/// What a buffer holds before the launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Contents {
    /// Nobody said: what is read is unknown.
    #[default]
    Unknown,
    /// Zeros.
    Zero,
    /// Element i holds i.
    Iota,
    /// Numbers drawn by this seed: integers over their whole range, floats from 0 to 1.
    Random(u64),
    /// These bytes; what lies behind them is unknown.
    Bytes(Arc<[u8]>),
}

/// How much a run may cost; it stops at the first of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Requests given to the observer.
    pub requests: u64,
    /// Instructions, each for a warp; an empty block or iteration costs one too.
    pub steps: u64,
    /// Bytes of memory for registers and contents.
    pub bytes: u64,
    /// Findings kept, and doubts.
    pub findings: u32,
    /// Blocks whose shared memory is watched for races; bounds are checked in all.
    pub watched_blocks: u64,
}

impl Default for Budget {
    /// Enough for ten million requests; some seconds at worst.
    fn default() -> Self {
        Self {
            requests: 10_000_000,
            steps: 1_000_000_000,
            bytes: 256 << 20,
            findings: 64,
            watched_blocks: 4,
        }
    }
}

/// The arrays of dynamic shared memory whose size neither the kernel nor the launch gives: they are taken to be large
/// enough.
pub fn unsized_shared<'a>(
    kernel: &'a Kernel,
    launch: &Launch,
) -> impl Iterator<Item = &'a Array> + use<'a> {
    // Of a list of accesses no memory has a known end.
    let is_sized = launch.dynamic_shared_bytes != 0 || kernel.shared_bytes.is_none();
    let arrays = kernel.arrays.iter();
    arrays.filter(move |array| {
        !is_sized && array.space == AddressSpace::Shared && array.bytes.is_none()
    })
}
