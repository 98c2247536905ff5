//! A kernel: registers, blocks, accesses, arrays, parameters.

use crate::operator::operators;
use crate::{Instruction, ScalarType, Terminator};
use lanescope_model::{Operation, Width};

macro_rules! index {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// The index as one into a vector.
            #[must_use]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

index!(
    /// A register, by its index in [`Kernel::registers`]. Registers are mutable: a write under a mask changes the
    /// lanes of the mask.
    Register
);
index!(
    /// A basic block, by its index in [`Kernel::blocks`].
    BlockId
);
index!(
    /// A memory access of the program, by its index in [`Kernel::sites`].
    SiteId
);
index!(
    /// An array or buffer, by its index in [`Kernel::arrays`].
    ArrayId
);
index!(
    /// A place in the source, by its index in [`Kernel::places`].
    PlaceId
);
index!(
    /// A convergence barrier, below [`Kernel::barriers`].
    BarrierId
);

operators! {
    /// What a kernel's text is.
    #[derive(Default)]
    Stage {
        /// A programming language's text: what the source says.
        #[default]
        Source = "source",
        /// PTX: what a compiler's front half made of it.
        Ptx = "ptx",
        /// A machine's own instructions: nothing is left to guess.
        Machine = "machine",
    }

    /// Which memory an access names.
    AddressSpace {
        /// Found from the address: global, shared or local memory.
        Generic = "generic",
        /// Memory of the whole device.
        Global = "global",
        /// Memory of one block. Addresses count from [`Kernel::shared_base`].
        Shared = "shared",
        /// Memory of one thread.
        Local = "local",
        /// Constant memory.
        Constant = "constant",
        /// Shared memory of any block of the cluster.
        SharedCluster = "cluster",
    }
}

/// A memory access of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The instruction or expression as written, as in `LDS.64` or `tile[ty][tx]`.
    pub text: String,
    /// Where it stands.
    pub place: PlaceId,
    /// Which memory.
    pub space: AddressSpace,
    /// What is done there.
    pub operation: Operation,
    /// Type of an element: how a narrow value is extended in its register.
    pub element: ScalarType,
    /// Bytes a lane.
    pub width: Width,
    /// The array it touches, where that is known before the launch.
    pub array: Option<ArrayId>,
    /// Whether every read counts, whatever was read before.
    pub is_volatile: bool,
    /// Whether nothing that the kernel stores changes what it reads.
    pub is_read_only: bool,
    /// Whether one lane asks for what the whole warp wants: an atomic that the compiler adds up first.
    pub is_warp_aggregated: bool,
    /// A power of two that divides the address `behind` bytes before it: `(to, behind)`; `(1, 0)` where nothing is
    /// known.
    pub alignment: (u32, u32),
}

/// An array in shared, global, constant or local memory, or the buffer of a pointer parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub place: PlaceId,
    /// Which memory it lies in.
    pub space: AddressSpace,
    /// The element's type as written, as in `float`.
    pub element: String,
    /// Bytes of an element.
    pub element_bytes: u64,
    /// Bytes before the first of the elements that the launch counts.
    pub header_bytes: u64,
    /// Its dimensions, the outermost first; empty where only the launch knows its size.
    pub extents: Vec<u64>,
    /// Bytes of the whole; `None` where only the launch knows.
    pub bytes: Option<u64>,
    /// Bytes that its first byte's address is a multiple of.
    pub alignment: u64,
    /// First byte from its space's first byte: of shared, local and constant memory.
    pub base: u64,
    /// Whether the pointer to it is `__restrict__`.
    pub is_restrict: bool,
    /// Bytes it holds before the launch, by offset; what is not listed is zero for declared arrays and unknown for
    /// buffers of parameters.
    pub initial: Vec<(u64, Vec<u8>)>,
}

/// A kernel parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; empty where the text has none.
    pub name: String,
    /// Where it is declared.
    pub place: PlaceId,
    /// Its type as written, as in `const float*`; empty where the text has none.
    pub declared: String,
    /// Bytes from the first parameter's first byte.
    pub offset: u32,
    /// Its bytes.
    pub bytes: u32,
    /// The scalar it is, where it is one.
    pub scalar: Option<ScalarType>,
    /// The buffer it points to, if it is known to be a pointer.
    pub array: Option<ArrayId>,
}

/// A place in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// First byte in the text.
    pub start: u32,
    /// Byte behind the last.
    pub end: u32,
    /// Line in the text, from 1; 0 where there is none.
    pub line: u32,
    /// Column in bytes, from 1; 0 where there is none.
    pub column: u32,
    /// File of the source that the text was compiled from, by its index in [`Kernel::files`], and the line there.
    pub origin: Option<(u16, u32)>,
}

/// A variable of an expression that takes each of several values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Where it is declared.
    pub place: PlaceId,
    /// Its values, in the order written; at least one.
    pub values: Vec<i64>,
}

/// A basic block: instructions that run one after another, then a terminator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Instructions in order.
    pub instructions: Vec<Instruction>,
    /// How it ends.
    pub terminator: Terminator,
    /// Where the terminator stands.
    pub place: PlaceId,
}

/// What the source says of a loop: `#pragma unroll`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopHint {
    /// The loop's header.
    pub header: BlockId,
    /// Iterations that are to be written out one after another; 1: none, `u32::MAX`: all.
    pub unroll: u32,
}

/// A kernel. Block 0 is its entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// What its text is.
    pub stage: Stage,
    /// Bits of each register: 1, 8, 16, 32 or 64.
    pub registers: Vec<u8>,
    /// Basic blocks; the entry first.
    pub blocks: Vec<Block>,
    /// Memory accesses.
    pub sites: Vec<Site>,
    /// Arrays and buffers.
    pub arrays: Vec<Array>,
    /// Parameters, by offset.
    pub parameters: Vec<Parameter>,
    /// Variables of an expression.
    pub variables: Vec<Variable>,
    /// Places in the source; entry 0 is no place. Of machine code the others are its rows, in the listing's order.
    pub places: Vec<Place>,
    /// Files that a listing was compiled from.
    pub files: Vec<String>,
    /// Convergence barriers.
    pub barriers: u32,
    /// Bytes of static shared memory; `None` where the text does not say (a SASS listing).
    pub shared_bytes: Option<u64>,
    /// Whether shared memory holds zeros before a block begins, as a language may say; else nothing that is known.
    pub is_shared_zeroed: bool,
    /// Address of shared memory's first byte that programs can use: 0x400 on CC 9.0, where the system reserves what is
    /// below.
    pub shared_base: u64,
    /// Bytes of a thread's own memory.
    pub local_bytes: u64,
    /// Code addresses that [`crate::Terminator::Indirect`] may go to.
    pub code_addresses: Vec<(u64, BlockId)>,
    /// Positions of parameters whose offset is a guess: a listing does not say how a structure is aligned.
    pub guessed_parameters: Vec<u32>,
    /// What the source says of loops.
    pub loop_hints: Vec<LoopHint>,
    /// Threads of a block along x, y, z, where the text says so and not the launch.
    pub block_size: Option<[u32; 3]>,
}
