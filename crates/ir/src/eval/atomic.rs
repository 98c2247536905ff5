//! What atomics leave in memory, and the steps of reductions.

use super::binary;
use crate::{AtomicOp, BinaryOp, ScalarType, WarpReduceOp};

/// What an atomic leaves in its word, which held `old`.
#[must_use]
pub fn atomic(op: AtomicOp, ty: ScalarType, old: u64, a: u64, b: u64) -> u64 {
    let (old, a, b) = (old & ty.mask(), a & ty.mask(), b & ty.mask());
    match op {
        AtomicOp::Add => binary(BinaryOp::Add, ty, old, a),
        AtomicOp::Exchange => a,
        AtomicOp::Minimum => binary(BinaryOp::Minimum, ty, old, a),
        AtomicOp::Maximum => binary(BinaryOp::Maximum, ty, old, a),
        AtomicOp::And => old & a,
        AtomicOp::Or => old | a,
        AtomicOp::Xor => old ^ a,
        AtomicOp::Increment if old >= a => 0,
        AtomicOp::Increment => old + 1,
        AtomicOp::Decrement if old == 0 || old > a => a,
        AtomicOp::Decrement => old - 1,
        AtomicOp::CompareAndSwap if old == a => b,
        AtomicOp::CompareAndSwap => old,
    }
}

/// One step of a reduction over lanes.
#[must_use]
pub fn reduce(op: WarpReduceOp, ty: ScalarType, a: u64, b: u64) -> u64 {
    let op = match op {
        WarpReduceOp::Add => BinaryOp::Add,
        WarpReduceOp::Multiply => BinaryOp::Multiply,
        WarpReduceOp::Minimum => BinaryOp::Minimum,
        WarpReduceOp::Maximum => BinaryOp::Maximum,
        WarpReduceOp::And => BinaryOp::And,
        WarpReduceOp::Or => BinaryOp::Or,
        WarpReduceOp::Xor => BinaryOp::Xor,
    };
    binary(op, ty, a, b)
}
