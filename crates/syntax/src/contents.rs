//! Contents of a buffer that nobody gave, as diagnostics name them.

use std::fmt;

/// What a buffer holds before the launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Contents {
    /// Zeros.
    #[default]
    Zero,
    /// Element i holds i.
    Iota,
    /// Numbers drawn by this seed: integers over their whole range, floats from 0 to 1.
    Random(u64),
}

impl fmt::Display for Contents {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Zero => out.write_str("zeros"),
            Self::Iota => out.write_str("0, 1, 2, …"),
            Self::Random(seed) => write!(out, "random numbers (seed {seed})"),
        }
    }
}
