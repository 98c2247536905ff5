//! One memory instruction of one warp.

use crate::LaneMask;

/// The widest warp (AMD's wave64) has this many lanes.
pub const MAX_LANES: usize = 64;

/// Which memory a request goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    /// Memory of one block: shared memory, LDS, threadgroup or workgroup memory.
    Shared,
    /// Memory of the whole device.
    Global,
}

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Each lane reads.
    Load,
    /// Each lane writes.
    Store,
    /// Each lane reads, changes and writes one word, and wants the old value.
    Atomic,
    /// Each lane changes one word and wants nothing back (`red` in PTX).
    Reduction,
    /// Each lane adds one to a word of 32 bits and wants nothing back. On shared memory of CC 5.x
    /// and later that is an instruction of its own (`ATOMS.POPC.INC`), which gathers the lanes on
    /// one word; elsewhere it is a [`Operation::Reduction`].
    Increment,
    /// As [`Operation::Atomic`], with two operands a lane: the value expected and the one to put
    /// there. On shared memory of CC 5.x and later each phase takes twice its wavefronts.
    CompareAndSwap,
    /// `ldmatrix`: each of the first `8 * matrices` lanes gives the address of a 16-byte row.
    MatrixLoad {
        /// 1, 2 or 4 matrices of 8 rows.
        matrices: u8,
    },
    /// `stmatrix`: as [`Operation::MatrixLoad`], writing.
    MatrixStore {
        /// 1, 2 or 4 matrices of 8 rows.
        matrices: u8,
    },
    /// What a `cp.async` does to shared memory. Its cost depends on both of its sides, so that as a [`Request`] of its own
    /// it has no counts: [`crate::Device::async_copy_counts`] has them.
    AsyncCopy,
}

impl Operation {
    /// Whether each lane changes a word in one step that nothing comes between.
    #[must_use]
    pub const fn is_atomic(self) -> bool {
        matches!(
            self,
            Self::Atomic | Self::Reduction | Self::Increment | Self::CompareAndSwap
        )
    }
}

/// The bytes that each lane reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// 8 bits a lane.
    Bytes1,
    /// 16 bits a lane.
    Bytes2,
    /// 32 bits a lane.
    Bytes4,
    /// 64 bits a lane.
    Bytes8,
    /// 128 bits a lane; a row of a matrix.
    Bytes16,
}

impl Width {
    /// The width of `bytes` bytes, if a lane can read that much with one instruction.
    #[must_use]
    pub const fn from_bytes(bytes: u64) -> Option<Self> {
        match bytes {
            1 => Some(Self::Bytes1),
            2 => Some(Self::Bytes2),
            4 => Some(Self::Bytes4),
            8 => Some(Self::Bytes8),
            16 => Some(Self::Bytes16),
            _ => None,
        }
    }

    /// This width in bytes: 1, 2, 4, 8 or 16.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        match self {
            Self::Bytes1 => 1,
            Self::Bytes2 => 2,
            Self::Bytes4 => 4,
            Self::Bytes8 => 8,
            Self::Bytes16 => 16,
        }
    }
}

/// One memory instruction of one warp: what it does, how wide, and where each lane points.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Which memory.
    pub space: Space,
    /// What is done there.
    pub operation: Operation,
    /// Bytes a lane.
    pub width: Width,
    /// The lanes that take part.
    pub active: LaneMask,
    /// `[lane]`: byte addresses, at most [`MAX_LANES`] of them; a lane past the end is off,
    /// and what stands at a lane that is off does not count.
    pub addresses: &'a [u64],
}
