//! `Swizzle<B,M,S>`: an exclusive or between two groups of an index's bits.

use std::fmt;

use super::LayoutError;

/// The highest bit a swizzle may look at.
const MAX_BIT: u32 = 40;

/// CuTe's `Swizzle<B,M,S>`: `B` bits, from bit `M + max(S,0)` on, are XORed onto the `B` bits
/// `S` lower (higher where `S` is negative).
///
/// # Source
/// CUTLASS include/cute/swizzle.hpp (documented).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Swizzle {
    bits: u32,
    base: u32,
    shift: i32,
}

impl Swizzle {
    /// `Swizzle<bits, base, shift>`; `bits` = 0 changes nothing.
    ///
    /// # Errors
    /// When |S| < B, or a bit past 40 would be read or written.
    pub fn new(bits: u32, base: u32, shift: i32) -> Result<Self, LayoutError> {
        let top = u64::from(bits) + u64::from(base) + u64::from(shift.unsigned_abs());
        if shift.unsigned_abs() < bits || top > u64::from(MAX_BIT) {
            return Err(LayoutError::BadSwizzle);
        }
        Ok(Self { bits, base, shift })
    }

    /// B: how many bits are XORed.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.bits
    }

    /// M: how many low bits stay as they are.
    #[must_use]
    pub const fn base(self) -> u32 {
        self.base
    }

    /// S: the distance from the bits that are read to the bits that change.
    #[must_use]
    pub const fn shift(self) -> i32 {
        self.shift
    }

    /// Where `index` goes. Applied twice it gives `index` back.
    #[must_use]
    pub const fn apply(self, index: u64) -> u64 {
        let mask = (1_u64 << self.bits) - 1;
        let distance = self.shift.unsigned_abs();
        if self.shift >= 0 {
            index ^ ((index & (mask << (self.base + distance))) >> distance)
        } else {
            index ^ ((index & (mask << self.base)) << distance)
        }
    }

    /// The bits that are read, and the bits that change, as masks.
    #[must_use]
    pub const fn masks(self) -> (u64, u64) {
        let mask = (1_u64 << self.bits) - 1;
        let (low, high) = (
            mask << self.base,
            mask << (self.base + self.shift.unsigned_abs()),
        );
        if self.shift >= 0 {
            (high, low)
        } else {
            (low, high)
        }
    }

    /// This swizzle of byte offsets as one of element numbers.
    ///
    /// # Errors
    /// When it would tear an element of `element_bytes` (a power of two) apart.
    pub fn in_elements(self, element_bytes: u64) -> Result<Self, LayoutError> {
        let low = element_bytes.max(1).trailing_zeros();
        if self.bits > 0 && low > self.base {
            return Err(LayoutError::SwizzleTearsElement);
        }
        Self::new(self.bits, self.base.saturating_sub(low), self.shift)
    }

    /// This swizzle of element numbers as one of byte offsets.
    ///
    /// # Errors
    /// When it would pass bit 40.
    pub fn in_bytes(self, element_bytes: u64) -> Result<Self, LayoutError> {
        Self::new(
            self.bits,
            self.base + element_bytes.max(1).trailing_zeros(),
            self.shift,
        )
    }
}

impl fmt::Display for Swizzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Swizzle<{},{},{}>", self.bits, self.base, self.shift)
    }
}
