//! Slopes: by how much a value grows with each axis of the block's index, or with the iteration.

use lanescope_ir::{ScalarType, eval};

use crate::proof::region::{FLAT, Slope};

/// How a register grows with the block's index; none: in some way that is not followed.
pub(crate) type Growth = Option<Slope>;

/// What a register holds before anything is written there: the same in all lanes of every block.
pub(crate) const UNTOUCHED: (Slope, u64) = (FLAT, u64::MAX);

/// The same in every block.
pub(crate) const STEADY: Growth = Some(FLAT);

/// A slope modulo two to a type's bits, near zero.
#[inline]
pub(super) fn canonical(slope: Slope, ty: ScalarType) -> Slope {
    slope.map(|one| eval::sign_extend(one.cast_unsigned(), ty.bits()))
}

pub(super) fn plus(a: Slope, b: Slope) -> Slope {
    std::array::from_fn(|axis| a[axis].wrapping_add(b[axis]))
}

pub(super) fn times(a: Slope, by: i64) -> Slope {
    a.map(|one| one.wrapping_mul(by))
}

/// The least and the most that a type's integers are.
pub(super) const fn range(ty: ScalarType) -> (i128, i128) {
    let values = 1_i128 << ty.bits();
    if ty.is_signed() {
        (-values / 2, values / 2 - 1)
    } else {
        (0, values - 1)
    }
}

pub(super) const fn unsigned(ty: ScalarType) -> ScalarType {
    match ty.bits() {
        64 => ScalarType::U64,
        32 => ScalarType::U32,
        16 => ScalarType::U16,
        8 => ScalarType::U8,
        _ => ScalarType::Bool,
    }
}
