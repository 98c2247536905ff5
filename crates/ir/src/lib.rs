//! A typed intermediate representation of GPU kernels: basic blocks over mutable registers, memory accesses with
//! their source places, convergence barriers.
//!
//! Every front end (CUDA, WGSL, PTX, SASS) lowers to a [`Kernel`], optimizer passes change one, and a simulator runs
//! one. A [`Builder`] writes one from structured control.
//!
//! # How a kernel is meant
//!
//! **Lanes and masks.** A kernel says what one thread does; a warp runs it for all of its lanes in lock step. At any time
//! some of the lanes are *active*: those that came to this instruction together. An instruction is executed by the active
//! lanes in which its [`Guard`] holds, if it has one. A register has a value in each lane, and a write changes the lanes
//! that execute it and no others. So a register may be written on both ways of a branch and read behind it, and divergence
//! needs no phi nodes; and so a guarded write does not end the life of the old value.
//!
//! **Widths and types.** A register has a width (1, 8, 16, 32 or 64 bits) and no type: the instruction says how it reads the
//! bits, as in PTX. A constant is bits, zero-extended. Arithmetic of a type reads registers as wide as the type and writes
//! one as wide as its result; a shift's amount is always 32 bits. A load may fill a wider register, sign- or zero-extended
//! as the element's type says, and a store truncates. A register of one bit is a predicate; in memory one takes a byte.
//!
//! **Convergence.** Where the lanes of a branch go different ways, the two groups run one after the other, each with its own
//! mask. They meet again where the branch says ([`Terminator::Branch`]'s `join`, its immediate post-dominator, as a
//! structured language has it), or where a *convergence barrier* says, as machine code does: [`Op::Arm`] notes the active
//! lanes and where they will meet, [`Op::Join`] waits there until each of them has come, left with [`Op::Leave`] or exited.
//! Exchanges between lanes ([`Effect::Exchanges`]) and requests see the lanes that are active, no more: moving one of them
//! across a branch changes what is counted.
//!
//! **Memory.** Each access names a [`Site`]: its text and place, the space, the element, the bytes a lane. A lane's address
//! is `base + index + offset`. What a warp asks for at one site at one time is one *request*; the bytes that were read
//! matter only as far as they decide addresses, branches or barriers.
//!
//! **What is not known.** An argument that nobody gave, contents of a buffer, a result of an operation that is not modelled
//! ([`Origin::Unknown`]): the representation has no value for it. Who runs a kernel follows which lanes hold something
//! unknown and what comes of it, and never treats an assumption as a fact.
//!
//! **Effects.** What an operation does besides writing registers is declared once, beside its operands and its doc
//! ([`Effects`]). A pass that asks for them treats a new operation right without knowing it.
//!
//! Start reading at `op.rs`, the table of operations from which visiting, verifying, the text form and effects follow; then
//! `kernel.rs` (registers, blocks, accesses, arrays) and `operator.rs` (the tables of operators). `eval` says what each
//! operator computes, [`analysis`] holds the textbook analyses.
//!
//! Left out: what any compiler would do with a kernel, and what any device makes of its accesses.

pub mod analysis;
mod builder;
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

pub use builder::{Builder, Fragment, Position};
pub use instruction::{Address, Guard, Instruction, Operand, Terminator};
pub use kernel::{
    AddressSpace, Array, ArrayId, BarrierId, Block, BlockId, Kernel, LoopHint, Parameter, Place,
    PlaceId, Register, Site, SiteId, Stage, Variable,
};
pub use op::{Effect, Effects, Op, Origin, PlainAccess};
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
