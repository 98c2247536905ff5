/// What a buffer is filled with before a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fill {
    /// Random floats, multiples of 2^-24 in [0, 1).
    Floats,
    /// Random 32-bit integers.
    Integers,
    /// One bit pattern everywhere, to be overwritten: a NaN that no input holds.
    Poison,
    /// Zeros.
    Zeros,
}

impl Fill {
    /// The bit pattern of the element at `index`. The GPU computes the same.
    #[must_use]
    pub fn bits(self, index: u32) -> u32 {
        match self {
            Self::Floats => float_bits(noise(index)),
            Self::Integers => noise(index),
            Self::Poison => 0xffc0_dead,
            Self::Zeros => 0,
        }
    }

    /// The number the fill kernel knows this by.
    #[must_use]
    pub const fn code(self) -> u32 {
        match self {
            Self::Floats => 0,
            Self::Integers => 1,
            Self::Poison => 2,
            Self::Zeros => 3,
        }
    }
}

/// A hash of the index in which every output bit depends on every input bit: two
/// rounds of multiply and shift.
#[must_use]
pub const fn noise(index: u32) -> u32 {
    let mut x = index ^ 0x5bd1_e995;
    x = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
    x = (x ^ (x >> 15)).wrapping_mul(0x846c_a68b);
    x ^ (x >> 16)
}

/// The float that the upper 24 bits stand for, in units of 2^-24; exact.
fn float_bits(noise: u32) -> u32 {
    #[expect(clippy::cast_precision_loss, reason = "24 bits fit a float exactly")]
    let units = (noise >> 8) as f32;
    (units / 16_777_216.0).to_bits()
}
