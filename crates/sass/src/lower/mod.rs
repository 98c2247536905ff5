//! Opcodes to instructions of the intermediate representation, a family a file.

pub(crate) mod asynchronous;
pub(crate) mod atomic;
pub(crate) mod convert;
pub(crate) mod double;
pub(crate) mod float;
pub(crate) mod half;
pub(crate) mod integer;
pub(crate) mod logic;
pub(crate) mod memory;
pub(crate) mod predicate;
pub(crate) mod special;
pub(crate) mod sync;
pub(crate) mod tensor;
pub(crate) mod warp;

use crate::builder::Builder;
use crate::instruction::{Refused, SassInstruction};

/// Lowers one instruction.
pub(crate) type Lowering = fn(&mut Builder<'_>, &SassInstruction<'_>) -> Result<(), Refused>;

/// No effect on addresses, branches or values.
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn nothing(_: &mut Builder<'_>, _: &SassInstruction<'_>) -> Result<(), Refused> {
    Ok(())
}

/// A value that is not followed.
pub(crate) fn opaque(_: &mut Builder<'_>, _: &SassInstruction<'_>) -> Result<(), Refused> {
    Err(Refused)
}
