//! What a compiler knows of a value, as a number.
//!
//! A ghost is the value that an expression has when every unknown (a thread's index, a parameter,
//! what memory holds) is a random 64-bit number. Two addresses with one ghost are the same
//! polynomial of the unknowns: the compiler knows them to be equal. Two whose ghosts differ by a
//! small number differ by just that.

use crate::code::{Binary, Unary};

/// What is known of one value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ghost {
    pub(super) number: u64,
    /// So many of the lowest bits of `number` are those of the value itself; 64: it is known.
    pub(super) low: u8,
}

/// Mixes numbers into one that looks random.
pub(super) fn mix(a: u64, b: u64, c: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ b.rotate_left(23).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ c.rotate_left(41).wrapping_mul(0x1656_67b1_9e37_79f9);
    x ^= x >> 29;
    x = x.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^= x >> 32;
    x = x.wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 29)
}

impl Ghost {
    pub(super) const fn known(value: i64) -> Self {
        Self {
            number: value.cast_unsigned(),
            low: 64,
        }
    }

    pub(super) fn unknown(a: u64, b: u64, c: u64) -> Self {
        Self {
            number: mix(a, b, c),
            low: 0,
        }
    }

    /// A random number whose lowest bits are those of `self`.
    fn hashed(number: u64, low: u8, lowest: u64) -> Self {
        let mask = low_mask(low);
        Self {
            number: (number & !mask) | (lowest & mask),
            low: low.min(63),
        }
    }

    /// The same, with so many of its lowest bits those of `lowest`, which are known.
    pub(super) fn with_lowest(self, low: u8, lowest: u64) -> Self {
        Self::hashed(self.number, low, lowest)
    }

    /// Of a number of 32 bits: one that is known and large is one below zero, as sums wrap.
    pub(super) fn around_zero(self) -> Self {
        if self.is_known() && self.number >> 31 == 1 {
            self.offset(-(1 << 32))
        } else {
            self
        }
    }

    /// Whether the whole value is known.
    pub(super) const fn is_known(self) -> bool {
        self.low == 64
    }

    /// How an address is known to be placed within an aligned piece: so many bytes has that, at most 16.
    pub(super) fn alignment(self) -> u8 {
        1 << self.low.min(4)
    }

    pub(super) fn add(self, other: Self) -> Self {
        Self {
            number: self.number.wrapping_add(other.number),
            low: self.low.min(other.low),
        }
    }

    pub(super) fn times(self, factor: i64) -> Self {
        let low = u32::from(self.low) + factor.trailing_zeros();
        Self {
            number: self.number.wrapping_mul(factor.cast_unsigned()),
            low: if factor == 0 {
                64
            } else {
                u8::try_from(low.min(64)).unwrap_or(64)
            },
        }
    }

    pub(super) fn offset(self, by: i64) -> Self {
        Self {
            number: self.number.wrapping_add(by.cast_unsigned()),
            low: self.low,
        }
    }

    /// So many of the lowest bits are known to be zero.
    fn zeros(self) -> u8 {
        let zeros = u8::try_from(self.number.trailing_zeros()).unwrap_or(64);
        zeros.min(self.low)
    }

    /// The same, but for lowest bits that a mask sets, clears or turns; `None` where some of these are not known.
    fn masked(self, op: Binary, mask: u64) -> Option<Self> {
        let (number, changed) = match op {
            Binary::And => (self.number & mask, !mask),
            Binary::Or => (self.number | mask, mask),
            _ => (self.number ^ mask, mask),
        };
        (changed < 1 << self.low.min(63)).then_some(Self { number, ..self })
    }

    /// Of an operator on single bits.
    fn bits(op: Binary, a: Self, b: Self, lowest: u64) -> Self {
        let by_mask = match (a.low, b.low) {
            (_, 64) => a.masked(op, b.number),
            (64, _) => b.masked(op, a.number),
            _ => None,
        };
        let low = match op {
            Binary::And => a.low.min(b.low).max(a.zeros()).max(b.zeros()),
            _ => a.low.min(b.low),
        };
        by_mask.unwrap_or_else(|| Self::hashed(commuted(op, a, b), low, lowest))
    }

    /// Of an operator with one operand; `result` is the value when the operand is known.
    pub(super) fn unary(op: Unary, a: Self, result: i64) -> Self {
        if a.low == 64 {
            return Self::known(result);
        }
        match op {
            Unary::Negate => a.times(-1),
            _ => Self::unknown(op as u64 + 100, a.number, 0),
        }
    }

    /// Of an operator with two operands; `result` is the value when both are known.
    pub(super) fn binary(op: Binary, a: Self, b: Self, result: i64) -> Self {
        if a.low == 64 && b.low == 64 {
            return Self::known(result);
        }
        let low = a.low.min(b.low);
        match op {
            Binary::Add => a.add(b),
            Binary::Subtract => a.add(b.times(-1)),
            Binary::Multiply if b.low == 64 => a.times(b.number.cast_signed()),
            Binary::Multiply if a.low == 64 => b.times(a.number.cast_signed()),
            Binary::Multiply => Self {
                number: a.number.wrapping_mul(b.number),
                low: low.max((a.zeros() + b.zeros()).min(63)),
            },
            Binary::Divide if b.low == 64 && b.number == 1 => a,
            Binary::ShiftLeft if b.low == 64 && b.number < 63 => a.times(1 << b.number),
            Binary::ShiftRight if b.low == 64 && b.number < 63 => Self::hashed(
                mix(op as u64, a.number, b.number),
                a.low.saturating_sub(u8::try_from(b.number).unwrap_or(64)),
                a.number >> b.number,
            ),
            // A remainder leaves the lowest bits that its divisor does not have.
            Binary::Remainder if b.low == 64 && b.number == 1 => Self::known(0),
            Binary::Remainder if b.low == 64 && b.number != 0 => Self::hashed(
                mix(op as u64, a.number, b.number),
                a.low
                    .min(u8::try_from(b.number.trailing_zeros()).unwrap_or(0)),
                a.number,
            ),
            Binary::And => Self::bits(op, a, b, a.number & b.number),
            Binary::Or => Self::bits(op, a, b, a.number | b.number),
            Binary::Xor => Self::bits(op, a, b, a.number ^ b.number),
            _ if op.commutes() => Self {
                number: commuted(op, a, b),
                low: 0,
            },
            _ => Self::unknown(op as u64, a.number, b.number),
        }
    }

    /// Whether places of `bytes` and `other_bytes` bytes at the two addresses never overlap in one
    /// thread.
    pub(super) fn apart(self, bytes: u64, other: Self, other_bytes: u64) -> bool {
        let difference = self.number.wrapping_sub(other.number).cast_signed();
        if difference.unsigned_abs() < 1 << 32 {
            return difference >= other_bytes.cast_signed() || -difference >= bytes.cast_signed();
        }
        let low = self.low.min(other.low).min(16);
        let size = 1_u64 << low;
        let behind = difference.cast_unsigned() & (size - 1);
        low > 0 && behind >= other_bytes && size - behind >= bytes
    }
}

fn commuted(op: Binary, a: Ghost, b: Ghost) -> u64 {
    mix(op as u64, a.number.min(b.number), a.number.max(b.number))
}

fn low_mask(low: u8) -> u64 {
    if low >= 64 { u64::MAX } else { (1 << low) - 1 }
}
