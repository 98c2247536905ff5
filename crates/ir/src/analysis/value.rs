//! Known bits and symbolic values by randomized polynomial identity testing.
//!
//! A [`Value`] is what an expression comes to when every unknown (a thread's index, a parameter, what memory holds) is
//! a random 64-bit number (Schwartz and Zippel). Two addresses with one number are the same polynomial of the
//! unknowns; two whose numbers differ by a small number differ by just that.

use crate::{BinaryOp, Law, ScalarType};

/// What is known of a value before the launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Value {
    /// Names the value: equal numbers, equal values.
    pub number: u64,
    /// So many of the lowest bits of `number` are those of the value itself; 64: it is known.
    pub low: u8,
    /// The innermost loop in which it changes, as its index in [`super::Loops`] plus one; 0: in none.
    pub scope: u32,
}

/// Mixes numbers into one that looks random.
#[must_use]
pub const fn mix(a: u64, b: u64, c: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ b.rotate_left(23).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ c.rotate_left(41).wrapping_mul(0x1656_67b1_9e37_79f9)
        ^ 0x2545_f491_4f6c_dd1d;
    x ^= x >> 29;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 32;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 29)
}

const fn low_mask(low: u8) -> u64 {
    if low >= 64 { u64::MAX } else { (1 << low) - 1 }
}

impl Value {
    /// A known value.
    #[must_use]
    pub const fn known(number: u64) -> Self {
        Self {
            number,
            low: 64,
            scope: 0,
        }
    }

    /// A value of which nothing is known but its name.
    #[must_use]
    pub const fn unknown(number: u64, scope: u32) -> Self {
        Self {
            number,
            low: 0,
            scope,
        }
    }

    /// Whether the whole value is known.
    #[must_use]
    pub const fn is_known(self) -> bool {
        self.low >= 64
    }

    /// The same with so many of its lowest bits those of `lowest`, which are known.
    #[must_use]
    pub fn with_low(self, low: u8, lowest: u64) -> Self {
        let low = low.min(63);
        Self {
            number: (self.number & !low_mask(low)) | (lowest & low_mask(low)),
            low,
            ..self
        }
    }

    /// The largest power of two, at most 16, for which the value's remainder is known.
    #[must_use]
    pub fn alignment(self) -> u64 {
        1 << self.low.min(4)
    }

    /// How far it lies behind another, if that is known and less than 2^32.
    #[must_use]
    pub const fn distance(self, other: Self) -> Option<i64> {
        let difference = self.number.wrapping_sub(other.number).cast_signed();
        if difference.unsigned_abs() < 1 << 32 {
            Some(difference)
        } else {
            None
        }
    }

    fn inner(self, other: Self) -> u32 {
        self.scope.max(other.scope)
    }

    /// The sum.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            number: self.number.wrapping_add(other.number),
            low: self.low.min(other.low),
            scope: self.inner(other),
        }
    }

    /// The sum with a constant.
    #[must_use]
    pub const fn offset(self, by: i64) -> Self {
        Self {
            number: self.number.wrapping_add(by.cast_unsigned()),
            ..self
        }
    }

    /// The product with a constant.
    #[must_use]
    pub fn times(self, factor: i64) -> Self {
        if factor == 0 {
            return Self::known(0);
        }
        let low = u32::from(self.low) + factor.trailing_zeros();
        Self {
            number: self.number.wrapping_mul(factor.cast_unsigned()),
            low: u8::try_from(low.min(64))
                .unwrap_or(64)
                .min(if self.is_known() { 64 } else { 63 }),
            scope: self.scope,
        }
    }

    fn zeros(self) -> u8 {
        let zeros = u8::try_from(self.number.trailing_zeros()).unwrap_or(64);
        zeros.min(self.low)
    }

    fn masked(self, op: BinaryOp, mask: u64) -> Option<Self> {
        let (number, changed) = if op == BinaryOp::And {
            (self.number & mask, !mask)
        } else if op == BinaryOp::Or {
            (self.number | mask, mask)
        } else {
            (self.number ^ mask, mask)
        };
        (changed < 1 << self.low.min(63)).then_some(Self { number, ..self })
    }

    fn bitwise(op: BinaryOp, a: Self, b: Self, lowest: u64) -> Self {
        let by_mask = match (a.is_known(), b.is_known()) {
            (_, true) => a.masked(op, b.number),
            (true, _) => b.masked(op, a.number),
            _ => None,
        };
        let low = if op == BinaryOp::And {
            a.low.min(b.low).max(a.zeros()).max(b.zeros())
        } else {
            a.low.min(b.low)
        };
        by_mask.unwrap_or_else(|| Self::commuted(op, a, b).with_low(low, lowest))
    }

    fn commuted(op: BinaryOp, a: Self, b: Self) -> Self {
        Self::unknown(
            mix(op as u64, a.number.min(b.number), a.number.max(b.number)),
            a.inner(b),
        )
    }

    /// The value of an integer operator of which not both operands are known.
    #[must_use]
    pub fn binary(op: BinaryOp, ty: ScalarType, a: Self, b: Self) -> Self {
        let hashed = Self::unknown(
            mix(op as u64 + 64 * ty as u64, a.number, b.number),
            a.inner(b),
        );
        if ty.is_float() {
            return hashed;
        }
        let known_b = b.is_known();
        match op {
            BinaryOp::Add => a.plus(b),
            BinaryOp::Subtract => a.plus(b.times(-1)),
            BinaryOp::Multiply | BinaryOp::MultiplyWide => {
                if known_b {
                    a.times(b.number.cast_signed())
                } else if a.is_known() {
                    b.times(a.number.cast_signed())
                } else {
                    let low = a.low.min(b.low).max((a.zeros() + b.zeros()).min(63));
                    Self {
                        number: a.number.wrapping_mul(b.number),
                        low,
                        scope: a.inner(b),
                    }
                }
            }
            BinaryOp::Divide if known_b && b.number == 1 => a,
            BinaryOp::ShiftLeft if known_b && b.number < 63 => a.times(1 << b.number),
            BinaryOp::ShiftRight if known_b && b.number < 63 => {
                let by = u8::try_from(b.number).unwrap_or(63);
                hashed.with_low(a.low.saturating_sub(by), a.number >> b.number)
            }
            BinaryOp::Remainder if known_b && b.number == 1 => Self::known(0),
            BinaryOp::Remainder if known_b && b.number != 0 => {
                let zeros = u8::try_from(b.number.trailing_zeros()).unwrap_or(0);
                hashed.with_low(a.low.min(zeros), a.number)
            }
            BinaryOp::And => Self::bitwise(op, a, b, a.number & b.number),
            BinaryOp::Or => Self::bitwise(op, a, b, a.number | b.number),
            BinaryOp::Xor => Self::bitwise(op, a, b, a.number ^ b.number),
            // Of any other operator, each pair of operands has a value of its own.
            other if other.has(Law::Commutes) => Self::commuted(op, a, b),
            BinaryOp::MultiplyHigh
            | BinaryOp::Divide
            | BinaryOp::Remainder
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight
            | BinaryOp::Minimum
            | BinaryOp::Maximum
            | BinaryOp::Power
            | BinaryOp::PowerApprox
            | BinaryOp::ArcTangent
            | BinaryOp::CopySign => hashed,
        }
    }

    /// Whether places of `bytes` and `other_bytes` bytes at two addresses of one thread never overlap.
    #[must_use]
    pub fn is_apart(self, bytes: u64, other: Self, other_bytes: u64) -> bool {
        if let Some(distance) = self.distance(other) {
            return distance >= other_bytes.cast_signed() || -distance >= bytes.cast_signed();
        }
        let low = self.low.min(other.low).min(16);
        let size = 1_u64 << low;
        let behind = self.number.wrapping_sub(other.number) & (size - 1);
        low > 0 && behind >= other_bytes && size - behind >= bytes
    }
}
