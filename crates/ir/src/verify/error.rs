//! What a kernel breaks, and where.

use std::fmt;

use crate::{AddressSpace, BlockId, PlaceId, Register, ScalarType, SiteId};

/// What is wrong with a kernel, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrError {
    /// Where in the kernel.
    pub location: Location,
    /// The place in the source of what is wrong; entry 0 where it has none.
    pub place: PlaceId,
    /// What.
    pub fault: Fault,
}

/// Where in a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Location {
    /// The kernel as a whole.
    Kernel,
    /// A register's declaration.
    Register(Register),
    /// A site's declaration.
    Site(SiteId),
    /// An instruction, by its index in the block.
    Instruction(BlockId, usize),
    /// A block's terminator.
    Terminator(BlockId),
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The kernel has no block.
    NoBlock,
    /// A register is not 1, 8, 16, 32 or 64 bits wide.
    RegisterWidth(u8),
    /// An index is past the end of its table.
    OutOfRange(Table, u32),
    /// An operand or a result is not as wide as it must be.
    Width {
        /// Bits that are allowed.
        expected: &'static [u32],
        /// Bits that it has.
        found: u32,
    },
    /// A constant has ones above the bits that are read.
    ConstantTooWide(u64),
    /// The operator does not take operands of this type.
    Type(&'static str, ScalarType),
    /// Something has to have one of some numbers of parts.
    Count {
        /// Of what.
        what: &'static str,
        /// How many there are.
        found: usize,
    },
    /// The parts of an access do not make up its width.
    AccessWidth {
        /// Bytes of the elements.
        elements: u64,
        /// Bytes of the site.
        site: u64,
    },
    /// An instruction names a site of another space.
    Space(AddressSpace),
    /// An alignment that is no power of two, or less than is passed behind it.
    Alignment(u32),
}

/// A table of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// [`Kernel::registers`](crate::Kernel::registers).
    Registers,
    /// [`Kernel::blocks`](crate::Kernel::blocks).
    Blocks,
    /// [`Kernel::sites`](crate::Kernel::sites).
    Sites,
    /// [`Kernel::arrays`](crate::Kernel::arrays).
    Arrays,
    /// [`Kernel::variables`](crate::Kernel::variables).
    Variables,
    /// [`Kernel::places`](crate::Kernel::places).
    Places,
    /// [`Kernel::files`](crate::Kernel::files).
    Files,
    /// Convergence barriers, below [`Kernel::barriers`](crate::Kernel::barriers).
    Barriers,
    /// Axes: x, y, z.
    Axes,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Registers => "register",
            Self::Blocks => "block",
            Self::Sites => "site",
            Self::Arrays => "array",
            Self::Variables => "variable",
            Self::Places => "place",
            Self::Files => "file",
            Self::Barriers => "convergence barrier",
            Self::Axes => "axis",
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoBlock => write!(f, "the kernel has no block"),
            Self::RegisterWidth(bits) => write!(f, "a register cannot have {bits} bits"),
            Self::OutOfRange(table, index) => write!(f, "there is no {table} {index}"),
            Self::Width { expected, found } => {
                write!(f, "{found} bits where {expected:?} are read or written")
            }
            Self::ConstantTooWide(bits) => write!(f, "constant {bits:#x} is too wide"),
            Self::Type(name, ty) => write!(f, "`{name}` does not take {}", ty.name()),
            Self::Count { what, found } => write!(f, "{found} {what}"),
            Self::AccessWidth { elements, site } => {
                write!(f, "elements of {elements} bytes in an access of {site}")
            }
            Self::Space(space) => write!(f, "a site of {} memory here", space.name()),
            Self::Alignment(to) => write!(f, "alignment {to} is no power of two"),
        }
    }
}

impl fmt::Display for IrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.location {
            Location::Kernel => write!(f, "{}", self.fault),
            Location::Register(one) => write!(f, "register {}: {}", one.0, self.fault),
            Location::Site(one) => write!(f, "site {}: {}", one.0, self.fault),
            Location::Instruction(block, index) => {
                write!(f, "block {}, instruction {index}: {}", block.0, self.fault)
            }
            Location::Terminator(block) => {
                write!(f, "block {}, terminator: {}", block.0, self.fault)
            }
        }
    }
}

impl std::error::Error for IrError {}
