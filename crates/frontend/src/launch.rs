//! How a program is launched.

use lanescope_simt::{Blocks, ParameterValue};
pub(crate) use lanescope_syntax::Contents;
use std::sync::Arc;

/// The values a run needs besides the program, as a person gives them: to [`lanescope_simt::Launch`] it adds the names of
/// parameters and variables, and values of no fixed width. [`crate::Program::simt_launch`] makes the other of it.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedLaunch {
    /// Blocks along x, y, z; a 0 counts as 1.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z; a 0 counts as 1.
    pub block: [u32; 3],
    /// Values of the kernel's parameters, by name.
    pub arguments: Vec<Argument>,
    /// What parameters are given by position; these win over those by name. `None`: see [`NamedLaunch::arguments`].
    pub values: Vec<Option<ParameterValue>>,
    /// Bytes that arrays hold before the launch, by the parameter's name; they win over [`Buffer::contents`].
    pub contents: Vec<(String, Arc<[u8]>)>,
    /// Values of an expression's variables, by name; one not named takes its first value.
    pub variables: Vec<(String, i64)>,
    /// Bytes of `extern __shared__` memory.
    pub dynamic_shared_bytes: u64,
    /// Which blocks run.
    pub blocks: Blocks,
}

impl Default for NamedLaunch {
    fn default() -> Self {
        Self {
            grid: [1; 3],
            block: [32, 1, 1],
            arguments: Vec::new(),
            values: Vec::new(),
            contents: Vec::new(),
            variables: Vec::new(),
            dynamic_shared_bytes: 0,
            blocks: Blocks::All,
        }
    }
}

/// Parts of names of numbers that are small in most launches: how far around an element a kernel reaches, and how often
/// it does something again.
const SMALL_NAMES: [&str; 14] = [
    "radius",
    "halo",
    "apron",
    "taps",
    "ksize",
    "kernel_size",
    "filter",
    "mask_size",
    "order",
    "degree",
    "iter",
    "steps",
    "rounds",
    "repeat",
];

/// The value taken for these.
const SMALL: i64 = 4;

impl NamedLaunch {
    /// A launch of `grid` blocks of `block` threads, all else as by default.
    #[must_use]
    pub fn new(grid: [u32; 3], block: [u32; 3]) -> Self {
        Self {
            grid,
            block,
            ..Self::default()
        }
    }

    /// The value taken for a number that nobody gave, by its name: a width is the threads along x, a height those along y, all else all threads.
    pub(crate) fn assumed(&self, name: &str) -> i64 {
        let along = |axis: usize| self.threads_along(axis);
        let lower = name.to_lowercase();
        let is = |names: &[&str]| names.iter().any(|name| lower.contains(name));
        if is(&SMALL_NAMES) {
            return SMALL;
        }
        if is(&["nx", "width", "cols", "col", "pitch", "stride"])
            || (self.block[1] > 1 && lower == "n")
        {
            along(0)
        } else if is(&["ny", "height", "row"]) {
            along(1)
        } else {
            along(0).saturating_mul(along(1)).saturating_mul(along(2))
        }
    }

    /// What the parameter at position `at` is given there.
    pub(crate) fn value(&self, at: usize) -> Option<&ParameterValue> {
        self.values.get(at)?.as_ref()
    }

    /// Threads of the whole grid along x, y or z.
    pub(crate) fn threads_along(&self, axis: usize) -> i64 {
        let side = |of: [u32; 3]| i64::from(of.get(axis).copied().unwrap_or(1).max(1));
        side(self.grid) * side(self.block)
    }

    /// Adds the value of one kernel parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: ArgumentValue) -> Self {
        self.arguments.push(Argument {
            name: name.to_owned(),
            value,
        });
        self
    }

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

    /// Linear indices of the blocks that run.
    #[must_use]
    pub fn block_range(&self) -> std::ops::Range<u64> {
        let (first, end) = self.blocks.of_grid(self.grid_blocks());
        first..end
    }

    /// Coordinates of the block with linear index `index` (x runs fastest).
    #[must_use]
    pub fn block_at(&self, index: u64) -> [u32; 3] {
        let [x, y, _] = self.grid.map(|n| u64::from(n.max(1)));
        let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        [small(index % x), small(index / x % y), small(index / x / y)]
    }
}

fn product(sides: [u32; 3]) -> u64 {
    sides.iter().fold(1, |all: u64, side| {
        all.saturating_mul(u64::from(*side).max(1))
    })
}

/// The value of one kernel parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument {
    /// The parameter's name.
    pub name: String,
    /// Its value.
    pub value: ArgumentValue,
}

/// What a kernel parameter is given.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgumentValue {
    /// A whole number; for a pointer, the number of elements it points to: of none, it is the null pointer.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// A buffer in global memory.
    Buffer(Buffer),
}

/// A buffer in global memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buffer {
    /// Its elements; `None`: as many as are asked for.
    pub elements: Option<u64>,
    /// Bytes from an address aligned to 256 to the first element.
    pub base_offset: u64,
    /// What it holds before the launch.
    pub contents: Contents,
}
