//! A typed intermediate representation of GPU kernels: basic blocks over mutable registers, memory accesses with
//! their source places, convergence barriers.
//!
//! Every front end (CUDA, WGSL, PTX, SASS) lowers to a [`Kernel`], optimizer passes change one, and a simulator runs
//! one. A [`Builder`] writes one from structured control.
//!
//! # Masks
//!
//! A kernel is executed by warps. A warp executes an instruction for a set of its lanes, the mask. An instruction reads
//! registers in the lanes of the mask and writes them there; in all other lanes a register keeps its value. That is why
//! registers are mutable and divergence needs no phi nodes: after `if (p) x = 1; else x = 2;` each lane's `x` is what
//! the branch that the lane took has written. It also means that a definition does not kill another one unless it is
//! executed by every lane that the other was executed by; an analysis that forgets this is wrong about code behind a
//! branch, not only about code inside it.
//!
//! # Guards
//!
//! A [`Guard`] narrows the mask for one instruction: lanes in which the predicate does not hold take no part. They write
//! nothing, ask for no memory, and do not count as active for votes, matches and reductions. A guarded definition is
//! therefore also a use of what it overwrites. An instruction whose guard holds in no lane is not issued: it makes no
//! request. Front ends of source texts make branches instead; guards come from PTX, SASS and if-conversion.
//!
//! # Widths and types
//!
//! A register has a width and no type: 1 (a predicate), 8, 16, 32 or 64 bits. An operation says how it reads them
//! ([`ScalarType`]), so that a value is reinterpreted by reading it as something else and converted by [`Op::Convert`]
//! alone. Operands are as wide as the type they are read as; only memory is lenient: a load extends a narrow element to
//! its register as the element's type says, a store takes the low bits. Constants are bits, zero-extended; integers wrap;
//! a shift's amount is a 32-bit number, and one that is not below the width shifts everything out. [`Kernel::verify`]
//! holds a kernel to all of this, and what it lets pass can be run, printed and analysed without another look at an
//! index or a width.
//!
//! Addresses are 64 bits wide in the generic space and in global memory. In shared and local memory they count modulo
//! two to the 32 from the window's first byte; [`SpecialRegister::SharedWindow`] and [`SpecialRegister::LocalWindow`] are
//! the generic addresses of those bytes.
//!
//! # Convergence
//!
//! Where lanes of a warp part, the representation says where they meet, because it decides how many requests an
//! instruction behind that place is. There are two ways to say so.
//!
//! - [`Terminator::Branch::join`](Terminator::Branch): the lanes that part here meet at this block, the branch's immediate
//!   post-dominator. That suffices where every lane reaches it.
//! - Convergence barriers, as in SASS: [`Op::Arm`] notes the lanes that are active, [`Op::Join`] waits for them, and
//!   lanes on their way elsewhere say so by [`Op::Leave`]. That is needed where a lane leaves two structures at once
//!   (`break` inside an `if`, `return` inside a loop). A branch inside has no join of its own.
//!
//! A lane that has exited is waited for by nobody. Barriers of the block ([`Op::Barrier`]) are another matter: they order
//! warps, not lanes.
//!
//! # Unknown values
//!
//! A value may be unknown: read from memory that nobody described, given by [`Op::Unmodelled`], or taken from a register
//! that no launch determines ([`SpecialRegister::Unpredictable`]). Being unknown is a property of a value in a lane, next
//! to its bits, and spreads from operands to results. It is harmless while it stays a value. Once it decides an address
//! or a branch, what is counted is a guess, and the run says of which access and why. An operation that is not modelled
//! must therefore be written as one, with all that it reads and writes; leaving it out would make a guess look like a
//! count. If it may touch memory, it is not pure, and the run is not fully counted.
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
