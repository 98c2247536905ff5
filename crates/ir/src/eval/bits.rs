//! Fields, permutations, truth tables and carries.

use super::{sign_extend, wrap};
use crate::ScalarType;

/// The value of [`crate::Op::Lop3`].
#[must_use]
pub fn lop3(table: u8, wide: bool, a: u64, b: u64, c: u64) -> u64 {
    let mut result = 0;
    for row in 0..8_u8 {
        if table >> row & 1 == 1 {
            let side = |bit: u8, value: u64| if row & bit == 0 { !value } else { value };
            result |= side(4, a) & side(2, b) & side(1, c);
        }
    }
    if wide {
        result
    } else {
        result & ScalarType::U32.mask()
    }
}

/// The value of [`crate::Op::BitFieldInsert`].
#[must_use]
pub fn bit_field_insert(ty: ScalarType, a: u64, b: u64, position: u64, length: u64) -> u64 {
    let (position, length) = (position & 0xff, length & 0xff);
    if position >= u64::from(ty.bits()) || length == 0 {
        return b & ty.mask();
    }
    let field = low_bits(length) << position & ty.mask();
    (b & ty.mask() & !field) | (a << position & field)
}

/// The value of [`crate::Op::AddCarry`], and its carries out.
#[must_use]
pub fn add_carry(a: u64, b: u64, c: u64, carry_in: [bool; 2]) -> (u64, [bool; 2]) {
    let low = |value: u64| value & 0xffff_ffff;
    let carries = u64::from(carry_in[0]) + u64::from(carry_in[1]);
    let sum = low(a) + low(b) + low(c) + carries;
    (low(sum), [sum >> 32 != 0, sum >> 33 != 0])
}

/// The value of [`crate::Op::Pack`]: `parts` of `part_bits` bits, the lowest first.
#[must_use]
pub fn pack(parts: &[u64], part_bits: u32) -> u64 {
    let mut whole = 0;
    for (at, part) in (0_u32..).zip(parts) {
        let bits = part & low_bits(u64::from(part_bits));
        whole |= bits.checked_shl(at.saturating_mul(part_bits)).unwrap_or(0);
    }
    whole
}

/// Part `index` of [`crate::Op::Unpack`].
#[must_use]
pub fn unpack(whole: u64, part_bits: u32, index: u32) -> u64 {
    let shifted = whole.checked_shr(index.saturating_mul(part_bits));
    shifted.unwrap_or(0) & low_bits(u64::from(part_bits))
}

/// So many ones; all 64 at most.
pub(crate) const fn low_bits(count: u64) -> u64 {
    if count >= 64 {
        u64::MAX
    } else {
        (1 << count) - 1
    }
}

/// `bits << by`, nothing left of them from 64 on.
pub(crate) const fn shifted_left(bits: u64, by: u64) -> u64 {
    if by >= 64 { 0 } else { bits << by }
}

/// `bits >> by`, nothing left of them from 64 on.
pub(crate) const fn shifted_right(bits: u64, by: u64) -> u64 {
    if by >= 64 { 0 } else { bits >> by }
}

fn pair(a: u64, b: u64) -> u64 {
    (b << 32) | (a & 0xffff_ffff)
}

pub(super) fn funnel_left(a: u64, b: u64, amount: u64) -> u64 {
    (pair(a, b) << amount) >> 32
}

pub(super) fn funnel_right(a: u64, b: u64, amount: u64) -> u64 {
    (pair(a, b) >> amount) & 0xffff_ffff
}

pub(super) fn bit_field_extract(ty: ScalarType, a: u64, position: u64, length: u64) -> u64 {
    let (position, length) = (position & 0xff, length & 0xff);
    if length == 0 {
        return 0;
    }
    let value = if ty.is_signed() {
        sign_extend(a, ty.bits()) >> position.min(63)
    } else {
        a.checked_shr(u32::try_from(position).unwrap_or(64))
            .unwrap_or(0)
            .cast_signed()
    };
    if !ty.is_signed() {
        return value.cast_unsigned() & low_bits(length) & ty.mask();
    }
    let bits = u32::try_from(length.min(64)).unwrap_or(64);
    sign_extend(value.cast_unsigned(), bits).cast_unsigned() & ty.mask()
}

pub(super) fn byte_permute(a: u64, b: u64, selector: u64) -> u64 {
    let bytes = pair(a, b);
    (0..4).fold(0, |result, at| {
        let nibble = selector >> (4 * at) & 0xf;
        let byte = bytes >> (8 * (nibble & 7)) & 0xff;
        let byte = match (nibble & 8 != 0, byte & 0x80 != 0) {
            (false, _) => byte,
            (true, true) => 0xff,
            (true, false) => 0,
        };
        result | byte << (8 * at)
    })
}

pub(super) fn dot_product(ty: ScalarType, a: u64, b: u64, c: u64) -> u64 {
    let byte = |value: u64, at: u32| {
        let bits = value >> (8 * at) & 0xff;
        if ty.is_signed() {
            i128::from(sign_extend(bits, 8))
        } else {
            i128::from(bits)
        }
    };
    let sum: i128 = (0..4).map(|at| byte(a, at) * byte(b, at)).sum();
    wrap(ty, sum).wrapping_add(c) & ty.mask()
}
