//! Why an object cannot be read.

use std::fmt;

/// Why an object cannot be read.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectError {
    /// It is no ELF file for CUDA.
    NotCubin,
    /// It ends before what its headers promise.
    Truncated,
    /// It is one of 32 bits or with the most significant byte first, which no supported compiler writes.
    Layout,
}

impl fmt::Display for ObjectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotCubin => "not a cubin: no ELF file for CUDA",
            Self::Truncated => "the object is cut off; copy it again",
            Self::Layout => "an object of 32 bits, from before CUDA 9; compile it again",
        })
    }
}

impl std::error::Error for ObjectError {}
