//! What to allocate, dispatch and read back, as data.

use std::borrow::Cow;
use std::sync::Arc;

use lanescope_kernels::{Fill, Problem, Traffic};
use serde::{Deserialize, Serialize};

/// Whether a shader keeps the checks a browser always makes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Checks {
    /// Indices and loops bounded, workgroup memory zeroed: as in a browser.
    #[default]
    On,
    /// None of these; native only.
    Off,
}

/// Everything one run of a kernel needs, as data: what to allocate, what to
/// dispatch, what to compare.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The buffers; steps name them by index.
    pub buffers: Vec<BufferPlan>,
    /// What one run does, in order.
    pub steps: Vec<Step>,
    /// Indices of the buffers that hold results, and what each must be.
    pub results: Vec<(usize, Check)>,
    /// Bytes that count towards bandwidth.
    pub traffic: Traffic,
}

/// One buffer of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BufferPlan {
    /// What it is for.
    pub role: Role,
    /// Its size, a multiple of 16; of what a launch brings, of 4.
    pub bytes: u64,
}

/// What a buffer is for. Buffers of equal role and size are shared by plans.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Filled once, then only read.
    Input(Fill),
    /// Filled before a verified run; the number tells scratch buffers apart.
    Output(Fill, u32),
    /// Holds these bytes before a verified run; the number tells buffers apart. A kernel may read
    /// it, write it or both.
    Data(Arc<[u8]>, u32),
    /// The uniform's bytes, of any number: those of a [`lanescope_kernels::Shape`], or a launch's scalars.
    Uniform(Arc<[u8]>),
}

/// One command of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A dispatch.
    Dispatch {
        /// What runs.
        shader: Shader,
        /// Where each buffer is bound, and its index.
        bindings: Vec<(Slot, usize)>,
        /// Workgroups.
        workgroups: [u32; 3],
    },
    /// The device's own copy of a whole buffer.
    Copy {
        /// Index of the source.
        source: usize,
        /// Index of the destination.
        destination: usize,
    },
}

/// Where a buffer is bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// The group.
    pub group: u32,
    /// The number in the group.
    pub binding: u32,
}

impl Slot {
    /// Of the first group.
    #[must_use]
    pub const fn first(binding: u32) -> Self {
        Self { group: 0, binding }
    }
}

/// A WGSL text with its entry point and the values of its overrides.
#[derive(Clone, Debug, PartialEq)]
pub struct Shader {
    /// The text: the catalogue's, or a visitor's.
    pub text: Cow<'static, str>,
    /// The entry point.
    pub entry: Cow<'static, str>,
    /// Override names and values.
    pub constants: Vec<(Cow<'static, str>, f64)>,
    /// With or without run-time checks; those of a visitor's text are never left out.
    pub checks: Checks,
}

/// How a result is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    /// Nothing is written.
    Nothing,
    /// Element i is the fill's element i.
    Same(Fill, u64),
    /// The transpose of a matrix of rows and columns, bit for bit.
    Transposed(Fill, u32, u32),
    /// Element 0 is the wrapping sum of so many integers.
    IntegerSum(u64),
    /// Element 0 is the sum of so many floats, each through so many additions.
    FloatSum {
        /// Terms.
        length: u64,
        /// Additions a term passes through.
        depth: u64,
    },
    /// Element i is where lane i % 64 of the stride probe ends.
    Stride {
        /// Words between lanes.
        stride_words: u32,
        /// Elements written.
        length: u64,
    },
    /// Element i is the i-th of these words, where it is known; bit for bit, or as floats within some units in the last
    /// place.
    Values {
        /// The words.
        expected: Arc<[Option<u32>]>,
        /// Units in the last place; 0: bit for bit.
        ulps: u32,
    },
}

impl Check {
    /// Elements that have to be read back.
    #[must_use]
    pub fn elements(&self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Same(_, length) | Self::Stride { length, .. } => *length,
            Self::Transposed(_, rows, columns) => Problem::Matrix {
                rows: *rows,
                columns: *columns,
            }
            .elements(),
            Self::Values { expected, .. } => expected.len() as u64,
            Self::IntegerSum(_) | Self::FloatSum { .. } => 1,
        }
    }
}
