//! Scalar semantics of every operator: the one definition that executors, folders of constants and tests share.
//!
//! Values are the bits of a register, zero-extended to 64. What stands above the operand's width is ignored, and results
//! carry zeros above theirs. Integers wrap. Floats of 32 and 64 bits round as IEEE 754 says; those of 16 bits are computed
//! in 64 and rounded once; transcendental functions of 32 bits are computed in 64, so that they lie within one unit in
//! the last place of what a device gives. All of it is the same natively and in WASM.

mod atomic;
mod bits;
mod convert;
mod float;
mod integer;
mod relation;

pub use atomic::{atomic, reduce};
pub use bits::{add_carry, bit_field_insert, lop3, pack, unpack};
pub(crate) use bits::{low_bits, shifted_left, shifted_right};
pub use convert::{convert, from_f64, to_f64};
pub use relation::compare;

use crate::{BinaryOp, ScalarType, TernaryOp, UnaryOp};

/// The value of [`crate::Op::Unary`].
#[must_use]
pub fn unary(op: UnaryOp, ty: ScalarType, a: u64) -> u64 {
    let a = a & ty.mask();
    if ty.is_float() {
        float::unary(op, ty, a)
    } else {
        integer::unary(op, ty, a)
    }
}

/// The value of [`crate::Op::Binary`].
#[must_use]
pub fn binary(op: BinaryOp, ty: ScalarType, a: u64, b: u64) -> u64 {
    if ty.is_float() {
        float::binary(op, ty, a & ty.mask(), b)
    } else {
        integer::binary(op, ty, a & ty.mask(), b)
    }
}

/// The value of [`crate::Op::Ternary`].
#[must_use]
pub fn ternary(op: TernaryOp, ty: ScalarType, a: u64, b: u64, c: u64) -> u64 {
    if ty.is_float() {
        float::ternary(op, ty, a, b, c)
    } else {
        integer::ternary(op, ty, a, b, c)
    }
}

/// The low `bits` bits of `value`, sign-extended.
#[must_use]
pub const fn sign_extend(value: u64, bits: u32) -> i64 {
    if bits == 0 || bits >= 64 {
        return value.cast_signed();
    }
    (value << (64 - bits)).cast_signed() >> (64 - bits)
}

/// The integer that the low bits of `value` are, read as `ty`.
#[must_use]
pub const fn integer_value(ty: ScalarType, value: u64) -> i128 {
    if ty.is_signed() {
        sign_extend(value, ty.bits()) as i128
    } else {
        (value & ty.mask()) as i128
    }
}

/// The low bits of an integer, as many as `ty` has.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is asked for"
)]
pub(crate) const fn wrap(ty: ScalarType, value: i128) -> u64 {
    value as u64 & ty.mask()
}
