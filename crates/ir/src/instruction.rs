//! Instructions of a kernel.

use crate::{BlockId, Op, PlaceId, Register};

/// What an instruction reads: a register, or the bits of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operand {
    /// A register.
    Register(Register),
    /// A constant: bits, zero-extended.
    Constant(u64),
}

impl Default for Operand {
    /// Zero.
    fn default() -> Self {
        Self::Constant(0)
    }
}

impl Operand {
    /// The register, if it is one.
    #[must_use]
    pub const fn register(self) -> Option<Register> {
        match self {
            Self::Register(register) => Some(register),
            Self::Constant(_) => None,
        }
    }

    /// The bits of a constant, if it is one.
    #[must_use]
    pub const fn constant(self) -> Option<u64> {
        match self {
            Self::Constant(bits) => Some(bits),
            Self::Register(_) => None,
        }
    }
}

impl From<Register> for Operand {
    fn from(register: Register) -> Self {
        Self::Register(register)
    }
}

/// The address of a memory access: `base + index + offset`, modulo two to 64 (shared, local: two to 32).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// A register of 32 or 64 bits, or a constant.
    pub base: Operand,
    /// A second term, as SASS's uniform register.
    pub index: Option<Operand>,
    /// Bytes added.
    pub offset: i64,
}

/// The predicate of an instruction: only lanes in which it holds (or, negated, does not) execute it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Guard {
    /// A register of one bit.
    pub predicate: Register,
    /// Whether the lanes in which it does not hold execute.
    pub negated: bool,
}

/// One instruction: what is done, by which of the active lanes, and where the source says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its predicate, if it has one.
    pub guard: Option<Guard>,
    /// What is done.
    pub op: Op,
    /// Where it stands in the source.
    pub place: PlaceId,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    /// On to a block.
    Jump(BlockId),
    /// Lanes in which the predicate holds (or, negated, does not) go to `taken`, others to `otherwise`.
    Branch {
        /// A predicate.
        predicate: Operand,
        /// Whether lanes in which it does not hold are those that go to `taken`.
        negated: bool,
        /// Where to.
        taken: BlockId,
        /// Where others go.
        otherwise: BlockId,
        /// Where the lanes meet again: the branch's immediate post-dominator; `None` where convergence barriers say.
        join: Option<BlockId>,
    },
    /// To the target that the index chooses, the last for all others (`brx`).
    Switch {
        /// The index.
        index: Operand,
        /// Targets; at least one.
        targets: Vec<BlockId>,
    },
    /// To the block at a code address (`RET`, `BRX`, a call's return), one of [`crate::Kernel::code_addresses`].
    Indirect {
        /// The code address.
        address: Operand,
    },
    /// The lane's work ends.
    Exit,
}
