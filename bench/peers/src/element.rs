//! What the arrays hold.

/// The values wrap, so that a sum of few of them would be seen.
const STEP: u32 = 2_654_435_761;

/// A type of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// 32-bit floats, integers from 0 to 255.
    F32,
    /// 32-bit integers that wrap.
    U32,
}

impl Element {
    /// The bits of number `index` of each array.
    pub fn bits(self, index: u32) -> u32 {
        let value = index.wrapping_mul(STEP);
        match self {
            Self::F32 => ((value >> 24) as f32).to_bits(),
            Self::U32 => value,
        }
    }

    /// Whether the number of these bits is the sum of the first `length` numbers: of integers to
    /// the bit, of floats to 1 / 256: who adds the sums of 65,535 workgroups to one number rounds
    /// 65,535 times, each time by up to 2^-24 of it.
    pub fn is_sum(self, bits: u32, length: u32) -> bool {
        match self {
            Self::F32 => {
                let wanted: f64 = (0..length)
                    .map(|index| f64::from(f32::from_bits(self.bits(index))))
                    .sum();
                (f64::from(f32::from_bits(bits)) - wanted).abs() <= wanted / 256.0
            }
            Self::U32 => {
                let add = |sum: u32, index| sum.wrapping_add(self.bits(index));
                bits == (0..length).fold(0, add)
            }
        }
    }

    /// How it is written in a line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::U32 => "u32",
        }
    }
}
