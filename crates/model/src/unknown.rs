//! Why there is no answer.

use std::fmt;

/// Why the model has no answer for a request on a device.
///
/// It is an answer in itself: nothing verifiable is known, or the question does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unknown {
    /// The request goes to the other memory: ask for its counts there.
    OtherSpace,
    /// The device has no memory of its own for a block, so banks do not apply.
    NoSharedMemory,
    /// The device's banks are not published.
    Banks,
    /// The device has no instruction that does this.
    Instruction,
    /// Which lanes are served together is not known for reads of this many bytes a lane.
    ReadPhases {
        /// Bytes a lane.
        bytes: u32,
    },
    /// Which lanes are served together is not known for writes of this many bytes a lane.
    WritePhases {
        /// Bytes a lane.
        bytes: u32,
    },
    /// What an atomic operation costs here is not known.
    Atomics,
    /// The pieces in which global memory is moved are not known.
    GlobalPieces,
    /// Where the request goes is not known: its addresses depend on something that could not be read.
    Address,
}

impl Unknown {
    /// A stable lower-case word for files and command lines.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::OtherSpace => "other-space",
            Self::NoSharedMemory => "no-shared-memory",
            Self::Banks => "banks",
            Self::Instruction => "instruction",
            Self::ReadPhases { .. } => "read-phases",
            Self::WritePhases { .. } => "write-phases",
            Self::Atomics => "atomics",
            Self::GlobalPieces => "global-pieces",
            Self::Address => "address",
        }
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherSpace => f.write_str("the request goes to another memory"),
            Self::NoSharedMemory => {
                f.write_str("does not apply: this device has no dedicated shared memory")
            }
            Self::Banks => f.write_str("unknown: the banks of this device are not published"),
            Self::Instruction => f.write_str("does not apply: this device has no such instruction"),
            Self::ReadPhases { bytes } => write!(
                f,
                "unknown: which lanes are served together for reads of {bytes} bytes a lane"
            ),
            Self::WritePhases { bytes } => write!(
                f,
                "unknown: which lanes are served together for writes of {bytes} bytes a lane"
            ),
            Self::Atomics => f.write_str("unknown: what an atomic operation costs on this device"),
            Self::GlobalPieces => {
                f.write_str("unknown: in which pieces this device moves global memory")
            }
            Self::Address => f.write_str("unknown: where the request goes"),
        }
    }
}

impl std::error::Error for Unknown {}
