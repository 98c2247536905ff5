//! Slopes of quotients and residues: divisions, shifts to the right, fields of bits.

use lanescope_ir::{Operand, ScalarType, eval};

use super::follower::Follower;
use super::slope::{Growth, STEADY, canonical, plus, times, unsigned};
use crate::machine::arithmetic::{each, register};
use crate::proof::region::{AXES, FLAT, Slope};

impl<const L: usize> Follower<'_, L> {
    /// A quotient by a number that is the same in all lanes and blocks.
    pub(super) fn quotient(
        &mut self,
        a: Operand,
        ty: ScalarType,
        by: i128,
        floors: bool,
    ) -> Growth {
        let slope = self.number(a, ty)?;
        let ends = self.warp.extremes(a, ty, self.mask);
        if !floors {
            if ends.0 < 0 {
                return None;
            }
            self.proof.region.keep(0, ends, i128::MAX / 2, slope);
        }
        let lanes = self.warp.file.lanes(register(a));
        let value = |lane: usize| eval::integer_value(ty, lanes[lane]);
        self.divided(value, slope.map(i128::from), by)
    }

    /// The slope of floors of numbers that grow: what they grow by is a multiple of the divisor and a rest, and the rests
    /// must carry nothing over.
    fn divided(&mut self, value: impl Fn(usize) -> i128, slope: [i128; AXES], by: i128) -> Growth {
        let mut whole = FLAT;
        let mut rest = FLAT;
        for axis in 0..AXES {
            // The rest that is nearer to zero.
            let nearest = (slope[axis] + by / 2).div_euclid(by);
            whole[axis] = i64::try_from(nearest).ok()?;
            rest[axis] = i64::try_from(slope[axis] - nearest * by).ok()?;
        }
        if rest != FLAT {
            for lane in each(self.mask) {
                let left = value(lane).rem_euclid(by);
                self.proof.region.keep(0, (left, left), by - 1, rest);
            }
        }
        Some(whole)
    }

    /// The high half of a product of 32 bits by a factor that is the same in all lanes and blocks, as compilers divide by
    /// constants.
    pub(super) fn high_product(&mut self, ty: ScalarType, a: Operand, b: Operand) -> Growth {
        if ty.bits() > 32 {
            return None;
        }
        let (x, y) = (self.number(a, ty)?, self.number(b, ty)?);
        let (slope, grows, by) = match (x, y) {
            (slope, FLAT) => (slope, a, self.warp.common(b, ty, self.mask)?),
            (FLAT, slope) => (slope, b, self.warp.common(a, ty, self.mask)?),
            _ => return None,
        };
        let lanes = self.warp.file.lanes(register(grows));
        let value = |lane: usize| eval::integer_value(ty, lanes[lane]) * by;
        let slope = slope.map(|one| i128::from(one) * by);
        let high = self.divided(value, slope, 1 << ty.bits())?;
        Some(canonical(high, ty))
    }

    /// A word of a double word that is shifted by the same amount in all lanes and blocks: a quotient of the double word.
    /// `right` says by how much it is shifted to the right, so that the word is the low one.
    pub(super) fn funnel(
        &mut self,
        [low, high, by]: [Operand; 3],
        right: fn(u32) -> u32,
    ) -> Growth {
        let word = ScalarType::U32;
        self.of(by).filter(|slope| *slope == FLAT)?;
        let by = u32::try_from(self.warp.common(by, word, self.mask)?).ok()?;
        let (x, y) = (self.number(low, word)?, self.modular(high, word)?);
        let lanes = [low, high].map(|one| self.warp.file.lanes(register(one)));
        let value = |lane: usize| {
            let [low, high] = [0, 1].map(|at| i128::from(lanes[at][lane] & word.mask()));
            low + (high << 32)
        };
        let slope = std::array::from_fn(|axis| i128::from(x[axis]) + (i128::from(y[axis]) << 32));
        let part = self.divided(value, slope, 1 << right(by).min(32))?;
        Some(canonical(part, word))
    }

    /// The high word of a double word: modulo two to 32, a quotient of what grows modulo two to 64.
    pub(super) fn high_word(&mut self, a: Operand, slope: Slope) -> Growth {
        let word = ScalarType::U32;
        let lanes = self.warp.file.lanes(register(a));
        let low = |lane: usize| i128::from(lanes[lane] & word.mask());
        let high = self.divided(low, slope.map(i128::from), 1 << word.bits())?;
        Some(canonical(high, word))
    }

    /// A remainder by a number that is the same in all lanes and blocks.
    pub(super) fn remainder(&mut self, a: Operand, ty: ScalarType, by: i128) -> Growth {
        let slope = self.number(a, ty)?;
        let ends = self.warp.extremes(a, ty, self.mask);
        if ends.0 < 0 {
            return None;
        }
        self.proof.region.keep(0, ends, i128::MAX / 2, slope);
        let lanes = self.warp.file.lanes(register(a));
        self.reduced(|lane| eval::integer_value(ty, lanes[lane]), slope, by)
    }

    /// The slope of residues of numbers that grow: flat for the blocks by which they grow by multiples of the modulus, or
    /// what is left of theirs for the blocks in which no lane's residue wraps.
    fn reduced(&mut self, value: impl Fn(usize) -> i128, slope: Slope, by: i128) -> Growth {
        let modulus = u64::try_from(by).ok()?;
        if slope == FLAT {
            return STEADY;
        }
        if !self.proof.residues_grow(slope, modulus) {
            return self.proof.region.align(slope, modulus).then_some(FLAT);
        }
        let quotient = self.divided(value, slope.map(i128::from), by)?;
        let by = i64::try_from(by).ok()?;
        Some(plus(slope, times(quotient, by.wrapping_neg())))
    }

    /// Bits chosen by a steady mask. Those of one run are the residues of a quotient.
    pub(super) fn masked(&mut self, a: Operand, mask: Operand, ty: ScalarType) -> Growth {
        let slope = self.modular(a, ty)?;
        let (low, high) = self.warp.extremes(mask, unsigned(ty), self.mask);
        let kept = u64::try_from(high).ok()?;
        if kept == 0 {
            return STEADY;
        }
        let cleared = !kept & ty.mask();
        let free = slope
            .iter()
            .fold(63, |free, one| free.min(one.trailing_zeros()));
        if low == high && cleared & cleared.wrapping_add(1) == 0 && cleared < 1 << free {
            return Some(slope);
        }
        let bits = 64 - kept.leading_zeros();
        if bits >= 63 {
            return None;
        }
        let below = kept.trailing_zeros();
        let is_run = low == high && (kept >> below).wrapping_add(1).is_power_of_two();
        let is_residue = bits < ty.bits();
        if !is_run || (is_residue && !self.proof.residues_grow(slope, 1 << bits)) {
            return self.proof.region.align(slope, 1 << bits).then_some(FLAT);
        }
        let lanes = self.warp.file.lanes(register(a));
        let value = |lane: usize| i128::from(lanes[lane] & ty.mask());
        let mut field = self.divided(value, slope.map(i128::from), 1 << below)?;
        if is_residue {
            field = self.reduced(|lane| value(lane) >> below, field, 1 << (bits - below))?;
        }
        Some(times(field, 1 << below))
    }

    /// Bits set or changed below all that grow, or above them.
    pub(super) fn low_bits(&mut self, a: Operand, other: Operand, ty: ScalarType) -> Growth {
        let slope = self.modular(a, ty)?;
        let free = slope
            .iter()
            .fold(62, |free, one| free.min(one.trailing_zeros()));
        let (_, high) = self.warp.extremes(other, unsigned(ty), self.mask);
        if high < 1 << free {
            return Some(slope);
        }
        // Below the lowest bit of the other one in any lane, what grows stays as it is.
        let lanes = self.warp.file.lanes(register(other));
        let bits = each(self.mask).fold(0, |bits, lane| bits | lanes[lane]) & ty.mask();
        let above = 1_i128 << bits.trailing_zeros();
        let ends = self.warp.extremes(a, unsigned(ty), self.mask);
        if ends.1 >= above {
            return None;
        }
        self.proof.region.keep(0, ends, above - 1, slope);
        Some(slope)
    }
}
