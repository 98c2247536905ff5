//! The slopes that one instruction of one warp reads.

use lanescope_ir::{Operand, Register, ScalarType, eval};

use super::Proof;
use super::slope::{Growth, STEADY, canonical, range, times};
use crate::machine::arithmetic::{each, register};
use crate::machine::warp::Warp;
use crate::prepare::program::Pure;
use crate::proof::region::{FLAT, Slope};

impl<const L: usize> Warp<L> {
    /// How a register grows in the lanes of a mask.
    pub(super) fn growth(&self, operand: Operand, mask: u64) -> Growth {
        let (slope, lanes) = self.growths.get(register(operand).index())?;
        (mask & !lanes == 0).then_some(*slope)
    }

    /// What is computed from values that do not grow does not grow either. Returns whether it is so.
    pub(super) fn stay(&mut self, pure: &Pure, mask: u64, whole: bool) -> bool {
        let is_steady = |register: &Register| {
            let growth = self.growths.get(register.index());
            growth.is_some_and(|(slope, lanes)| *slope == FLAT && mask & !lanes == 0)
        };
        if !pure.reads.iter().all(is_steady) {
            return false;
        }
        if let Some((slope, lanes)) = self.growths.get_mut(pure.dst.index()) {
            let kept = if *slope == FLAT { *lanes } else { 0 };
            *lanes = if whole { u64::MAX } else { kept | mask };
            *slope = FLAT;
        }
        true
    }

    /// Least and greatest number that the lanes of a mask hold.
    pub(super) fn extremes(&self, operand: Operand, ty: ScalarType, mask: u64) -> (i128, i128) {
        let register = register(operand);
        if let Some(value) = self.file.uniform(register) {
            let value = eval::integer_value(ty, value);
            return (value, value);
        }
        let lanes = self.file.lanes(register);
        let mut ends = (i128::MAX, i128::MIN);
        for lane in each(mask) {
            let value = eval::integer_value(ty, lanes[lane]);
            ends = (ends.0.min(value), ends.1.max(value));
        }
        ends
    }

    /// The number that all lanes of a mask hold.
    pub(super) fn common(&self, operand: Operand, ty: ScalarType, mask: u64) -> Option<i128> {
        let (low, high) = self.extremes(operand, ty, mask);
        (low == high).then_some(low)
    }
}

/// The block that is proved, as one instruction of one warp sees it.
pub(super) struct Follower<'a, const L: usize> {
    pub(super) proof: &'a mut Proof,
    pub(super) warp: &'a Warp<L>,
    pub(super) mask: u64,
    /// Whether it loads or stores and does no more.
    pub(super) is_plain: bool,
}

impl<const L: usize> Follower<'_, L> {
    pub(super) fn of(&self, operand: Operand) -> Growth {
        self.warp.growth(operand, self.mask)
    }

    pub(super) fn all_steady(&self, operands: &[Operand]) -> bool {
        operands.iter().all(|operand| self.of(*operand) == STEADY)
    }

    pub(super) fn steady_if(&self, operands: &[Operand]) -> Growth {
        if self.all_steady(operands) {
            STEADY
        } else {
            None
        }
    }

    /// Keeps a value in its type's range, so that it grows as a number does.
    pub(super) fn number(&mut self, operand: Operand, ty: ScalarType) -> Growth {
        let slope = self.modular(operand, ty)?;
        if slope != FLAT {
            let (low, high) = range(ty);
            let ends = self.warp.extremes(operand, ty, self.mask);
            self.proof.region.keep(low, ends, high, slope);
        }
        Some(slope)
    }

    /// The slope of a value modulo two to the type's bits. A narrower register wraps earlier, and has none.
    pub(super) fn modular(&self, operand: Operand, ty: ScalarType) -> Growth {
        let slope = self.of(operand)?;
        let bits = u32::from(self.warp.file.bits(register(operand)));
        (slope == FLAT || bits >= ty.bits()).then(|| canonical(slope, ty))
    }

    /// The slope of a result of so many bits in its register: a wider one would not wrap with it.
    pub(super) fn fit(&self, dst: Register, bits: u32, growth: Growth) -> (Register, Growth) {
        let fits = u32::from(self.warp.file.bits(dst)) <= bits;
        (dst, growth.filter(|slope| fits || *slope == FLAT))
    }

    pub(super) fn product(
        &self,
        a: Operand,
        b: Operand,
        ty: ScalarType,
        slopes: (Slope, Slope),
    ) -> Growth {
        let common = |operand| {
            let value = self.warp.common(operand, ty, self.mask)?;
            i64::try_from(value)
                .ok()
                .or_else(|| u64::try_from(value).ok().map(u64::cast_signed))
        };
        match slopes {
            (FLAT, FLAT) => STEADY,
            (slope, FLAT) => Some(times(slope, common(b)?)),
            (FLAT, slope) => Some(times(slope, common(a)?)),
            _ => None,
        }
    }
}
