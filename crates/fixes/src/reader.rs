//! The seam to the front end: who reads a source, and as what.

use lanescope_frontend::{NamedLaunch, Parsed};

use crate::{Edit, Source};

/// Which version of a source is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Version {
    /// The one that is counted: as a compiler makes it, where one is followed.
    Counted,
    /// The same, with no two accesses joined into a wider one.
    Separate,
    /// As written: every access where it stands.
    Written,
}

/// What the text around a kernel does with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Callers {
    /// Whether it launches the kernel: a change of the kernel's parameters would not compile then.
    pub is_launched: bool,
    /// Whether it launches or instantiates the kernel's template with more than one list of arguments: what suits one of
    /// them may be wrong for another.
    pub has_instances: bool,
    /// Whether it launches the kernel with more than one shape: what changes the blocks changes each of them.
    pub has_shapes: bool,
}

/// A launch of a kernel's template with one list of arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// The template's arguments, as text.
    pub templates: Vec<String>,
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared_bytes: u64,
    /// The kernel's arguments in order; whole numbers that the text says only.
    pub arguments: Vec<Option<i64>>,
}

/// Reads sources as the count that is to fall reads them.
pub trait Reader: std::fmt::Debug {
    /// The program of a source, ready to run, with diagnostics.
    fn read(&self, source: &Source, version: Version) -> Parsed;

    /// What the text around a kernel does with it; a kernel stands alone by default.
    fn callers(&self, _source: &Source, _kernel: &str) -> Callers {
        Callers::default()
    }

    /// The launches, each shape once, for each list of arguments that the text launches the kernel's template with, or
    /// instantiates it for; `None` where one of them is not launched by constants, by default.
    fn instances(&self, _source: &Source, _kernel: &str) -> Option<Vec<Instance>> {
        None
    }

    /// The further edits of the text with which it launches the kernel as `to` instead of as `from`; `done` are made anyhow.
    /// Empty where the text does so with these; `None` where it has no launch that can be changed, by default.
    fn launch_edits(
        &self,
        _source: &Source,
        _kernel: &str,
        _done: &[Edit],
        _change: [&NamedLaunch; 2],
    ) -> Option<Vec<Edit>> {
        None
    }

    /// Whether the search is to end with what it has found: runs look at it now and then.
    fn is_over(&self) -> bool {
        false
    }
}
