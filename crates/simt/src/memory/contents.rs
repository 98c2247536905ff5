//! What an allocation holds before anything is stored there.

use lanescope_ir::{Rounding, ScalarType, eval};

use super::Allocation;
use super::bytes::Word;
use crate::Contents;

impl Allocation {
    /// What it holds before the launch.
    pub(super) fn initial(&self, address: u64, ty: ScalarType) -> Word {
        let offset = address.wrapping_sub(self.start);
        let known = |bits: u64| Word { bits, source: 0 };
        let index = offset / u64::from(ty.bytes());
        match &self.contents {
            Contents::Unknown => Word {
                bits: 0,
                source: self.source,
            },
            Contents::Zero => known(0),
            Contents::Iota => {
                let rounding = Rounding::NearestEven;
                known(eval::convert(ScalarType::U64, ty, rounding, false, index))
            }
            Contents::Random(seed) => known(drawn(*seed, index, ty)),
            Contents::Bytes(bytes) => {
                let end = offset.saturating_add(u64::from(ty.bytes()));
                let range = usize::try_from(offset).ok().zip(usize::try_from(end).ok());
                let stretch = range.and_then(|(start, end)| bytes.get(start..end));
                stretch.map_or(
                    Word {
                        bits: 0,
                        source: self.source,
                    },
                    |stretch| {
                        let bits = stretch
                            .iter()
                            .rev()
                            .fold(0, |bits, byte| bits << 8 | u64::from(*byte));
                        known(bits)
                    },
                )
            }
        }
    }
}

/// A number drawn by a seed: a hash of seed and index. Links carry seeds, so that this must stay as it is.
fn drawn(seed: u64, index: u64, ty: ScalarType) -> u64 {
    drawn_of(mixed(seed, index), ty)
}

pub(super) const fn mixed(seed: u64, index: u64) -> u64 {
    let mut bits = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ index.rotate_left(23).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ 7_u64.rotate_left(41).wrapping_mul(0x1656_67b1_9e37_79f9);
    bits ^= bits >> 29;
    bits = bits.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits ^= bits >> 32;
    bits = bits.wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 29
}

/// A hash as a number of a type.
pub(super) fn drawn_of(bits: u64, ty: ScalarType) -> u64 {
    if ty.is_float() {
        let fraction =
            eval::to_f64(ScalarType::U64, bits >> 40) / eval::to_f64(ScalarType::U64, 1 << 24);
        eval::from_f64(ty, fraction)
    } else {
        bits & ty.mask()
    }
}
