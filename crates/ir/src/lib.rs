//! A typed intermediate representation of GPU kernels: basic blocks over mutable registers, memory accesses with
//! their source places, convergence barriers.
//!
//! Every front end (CUDA, WGSL, PTX, SASS) lowers to a [`Kernel`], optimizer passes change one, and a simulator runs
//! one. Registers have a width; instructions say how they read bits, as in PTX. A write changes the lanes that execute
//! it, so divergence needs no phi nodes.
//!
//! Left out: what any compiler would do with a kernel, and what any device makes of its accesses.

pub mod analysis;
pub mod eval;
mod instruction;
mod kernel;
mod op;
mod operator;
mod scalar_type;
mod short_list;
mod special_register;
mod text;
mod verify;
mod visit;

pub use instruction::{Address, Guard, Instruction, Operand, Terminator};
pub use kernel::{
    AddressSpace, Array, ArrayId, BarrierId, Block, BlockId, Kernel, LoopHint, Parameter, Place,
    PlaceId, Register, Site, SiteId, Stage, Variable,
};
pub use op::{Effect, Effects, Op, Origin};
pub use operator::{
    AtomicOp, BinaryOp, Comparison, Law, MatchMode, Rounding, ShuffleMode, TernaryOp, UnaryOp,
    VoteMode, WarpReduceOp, WarpReduceScope,
};
pub use scalar_type::ScalarType;
pub use short_list::{Items, ShortList};
pub use special_register::SpecialRegister;
pub use text::TextError;
pub use verify::{Fault, IrError, Location, Table};
pub use visit::{Slot, SlotMut};
