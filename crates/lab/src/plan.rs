//! What to allocate, dispatch and read back, as data.

use std::borrow::Cow;

use lanescope_kernels::{Element, Fill, Problem, Traffic};
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
    /// Index of the buffer that holds the result.
    pub output: usize,
    /// What the result must be.
    pub check: Check,
    /// Bytes that count towards bandwidth.
    pub traffic: Traffic,
}

/// One buffer of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BufferPlan {
    /// What it is for.
    pub role: Role,
    /// Its size, a multiple of 16.
    pub bytes: u64,
}

/// What a buffer is for. Buffers of equal role and size are shared by plans.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Filled once, then only read.
    Input(Fill),
    /// Filled before a verified run; the number tells scratch buffers apart.
    Output(Fill, u32),
    /// A [`lanescope_kernels::Shape`].
    Uniform([u8; 16]),
}

/// One command of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A dispatch.
    Dispatch {
        /// What runs.
        shader: Shader,
        /// Binding number and buffer index.
        bindings: Vec<(u32, usize)>,
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

/// A WGSL text with its entry point and the values of its overrides.
#[derive(Clone, Debug, PartialEq)]
pub struct Shader {
    /// The text, from the catalogue only.
    pub text: Cow<'static, str>,
    /// The entry point.
    pub entry: &'static str,
    /// The element type the text was made for.
    pub element: Element,
    /// Override names and values.
    pub constants: Vec<(&'static str, u32)>,
    /// With or without run-time checks.
    pub checks: Checks,
}

/// How a result is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

impl Check {
    /// Elements that have to be read back.
    #[must_use]
    pub fn elements(self) -> u64 {
        match self {
            Self::Nothing => 0,
            Self::Same(_, length) | Self::Stride { length, .. } => length,
            Self::Transposed(_, rows, columns) => Problem::Matrix { rows, columns }.elements(),
            Self::IntegerSum(_) | Self::FloatSum { .. } => 1,
        }
    }
}
