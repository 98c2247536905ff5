//! What an allocation holds before anything is stored there.

use lanescope_ir::{Rounding, ScalarType, eval};

use super::Allocation;
use super::bytes::Word;
use crate::Contents;
use crate::machine::address::Target;
use crate::machine::register::Lanes;
use crate::machine::vectorized::Loops;

impl Contents {
    /// The first `bytes` bytes of a buffer that holds this, of elements of type `ty`; `None` where nobody said what it
    /// holds.
    #[must_use]
    pub fn bytes(&self, ty: ScalarType, bytes: usize) -> Option<Vec<u8>> {
        let size = ty.bytes() as usize;
        let all: Vec<u8> = match self {
            Self::Unknown => return None,
            Self::Zero => vec![0; bytes],
            Self::Bytes(known) => known.iter().copied().take(bytes).collect(),
            Self::Iota | Self::Random(_) => {
                let rounding = Rounding::NearestEven;
                let drawing = match self {
                    Self::Random(seed) => Some(Drawing::of(*seed, ty)),
                    Self::Unknown | Self::Zero | Self::Iota | Self::Bytes(_) => None,
                };
                let element = |index: usize| match drawing {
                    Some(drawing) => drawing.at((index * size) as u64),
                    None => eval::convert(ScalarType::U64, ty, rounding, false, index as u64),
                };
                let elements = (0..bytes.div_ceil(size)).map(element);
                let each = elements.flat_map(|bits| bits.to_le_bytes().into_iter().take(size));
                // Room for all at once: a buffer may be a large part of the memory that there is.
                let mut all = Vec::with_capacity(bytes);
                all.extend(each.take(bytes));
                all
            }
        };
        Some(all)
    }
}

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
            Contents::Random(seed) => known(Drawing::of(*seed, ty).at(offset)),
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

/// Numbers of a type drawn by a seed: each a hash of seed and index. Links carry seeds, so that this must stay as it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drawing {
    /// What the hashes of all indices have in common.
    seeded: u64,
    ty: ScalarType,
    ones: u64,
}

/// What an index is multiplied by, turned by [`TURN`] bits.
const FACTOR: u64 = 0xc2b2_ae3d_27d4_eb4f;
const TURN: u32 = 23;

impl Drawing {
    pub(super) const fn of(seed: u64, ty: ScalarType) -> Self {
        let seeded = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ 7_u64.rotate_left(41).wrapping_mul(0x1656_67b1_9e37_79f9);
        Self {
            seeded,
            ty,
            ones: ty.mask(),
        }
    }

    /// The number `offset` bytes behind the first.
    #[inline(always)]
    pub(super) fn at(self, offset: u64) -> u64 {
        let index = offset >> self.ty.bytes().trailing_zeros();
        self.number(index.rotate_left(TURN).wrapping_mul(FACTOR))
    }

    /// The numbers at offsets that are affine in the lane: bytes of the first, and from lane to lane.
    #[inline(always)]
    pub(super) fn draw_affine<const L: usize>(
        self,
        (first, stride): (u64, u64),
        out: &mut Lanes<L>,
    ) {
        let shift = self.ty.bytes().trailing_zeros();
        let (index, step) = (first >> shift, stride >> shift);
        let is_short = (index | step.saturating_mul(L as u64)) >> (63 - TURN) == 0;
        if !is_short || step << shift != stride {
            let mut at = first;
            for lane in out {
                *lane = self.at(at);
                at = at.wrapping_add(stride);
            }
            return;
        }
        // No bit of an index is turned round, so that products grow by one step as indices do.
        let mut product = (index << TURN).wrapping_mul(FACTOR);
        let grows = (step << TURN).wrapping_mul(FACTOR);
        for lane in out {
            *lane = self.number(product);
            product = product.wrapping_add(grows);
        }
    }

    #[inline(always)]
    fn number(self, product: u64) -> u64 {
        let mut bits = self.seeded ^ product;
        bits ^= bits >> 29;
        bits = bits.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits ^= bits >> 32;
        bits = bits.wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 29;
        if self.ty.is_float() {
            let fraction =
                eval::to_f64(ScalarType::U64, bits >> 40) / eval::to_f64(ScalarType::U64, 1 << 24);
            eval::from_f64(self.ty, fraction)
        } else {
            bits & self.ones
        }
    }
}

/// The numbers at the addresses of all lanes, `before` bytes behind them.
pub(super) struct Draw<'a, const L: usize> {
    pub(super) drawing: Drawing,
    pub(super) target: &'a Target<L>,
    pub(super) before: u64,
    pub(super) out: &'a mut Lanes<L>,
}

impl<const L: usize> Loops for Draw<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (drawing, before) = (self.drawing, self.before);
        match self.target.affine() {
            Some((first, stride)) => {
                drawing.draw_affine((first.wrapping_add(before), stride), self.out);
            }
            None => {
                let at = |address: u64| drawing.at(address.wrapping_add(before));
                self.target.map_to(self.out, at);
            }
        }
    }
}

/// The places of elements in their buffer, from 0: of the addresses of all lanes, `before` bytes behind them.
pub(super) struct Places<'a, const L: usize> {
    pub(super) ty: ScalarType,
    pub(super) target: &'a Target<L>,
    pub(super) before: u64,
    pub(super) out: &'a mut Lanes<L>,
}

impl<const L: usize> Loops for Places<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let (shift, ones) = (self.ty.bytes().trailing_zeros(), self.ty.mask());
        let place = |address: u64| address.wrapping_add(self.before) >> shift & ones;
        self.target.map_to(self.out, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of a buffer are what loads of it read.
    #[test]
    fn bytes_are_what_is_read() {
        for ty in [ScalarType::U8, ScalarType::I32, ScalarType::F32] {
            for contents in [Contents::Zero, Contents::Iota, Contents::Random(3)] {
                let allocation = Allocation {
                    array: None,
                    start: 0,
                    bytes: None,
                    contents: contents.clone(),
                    source: 0,
                    stored: false,
                };
                let size = ty.bytes() as usize;
                let bytes = contents.bytes(ty, 10 * size).unwrap();
                for (at, element) in bytes.chunks(size).enumerate() {
                    let bits = allocation.initial((at * size) as u64, ty).bits;
                    assert_eq!(element, &bits.to_le_bytes()[..size], "{ty:?} {contents:?}");
                }
            }
        }
        assert_eq!(Contents::Unknown.bytes(ScalarType::U8, 4), None);
    }

    /// Lines are drawn as each of their places is: short ones, those with gaps, backwards, from lane to lane within an
    /// element, and where indices have as many bits as there are.
    #[test]
    fn lines_are_drawn_as_their_places_are() {
        let firsts = [0, 4, 1 << 20, (1 << 42) - 64, 1 << 43, u64::MAX - 512];
        let strides = [0, 1, 4, 8, 12, 1 << 38, 4_u64.wrapping_neg()];
        for ty in [
            ScalarType::U8,
            ScalarType::I32,
            ScalarType::F32,
            ScalarType::U64,
        ] {
            let drawing = Drawing::of(7, ty);
            for first in firsts {
                for stride in strides {
                    let mut drawn: Lanes<32> = [0; 32];
                    drawing.draw_affine((first, stride), &mut drawn);
                    let place = |lane: u64| first.wrapping_add(stride.wrapping_mul(lane));
                    let each = (0..32).map(|lane| drawing.at(place(lane)));
                    assert!(each.eq(drawn), "{ty:?} at {first} by {stride}");
                }
            }
        }
    }
}
