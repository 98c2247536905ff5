//! Slopes of results of arithmetic.

use lanescope_ir::{BinaryOp, Comparison, Operand, ScalarType, TernaryOp, UnaryOp};

use super::follower::Follower;
use super::slope::{Growth, STEADY, canonical, plus, times};
use crate::machine::arithmetic::{each, register};
use crate::proof::region::FLAT;

impl<const L: usize> Follower<'_, L> {
    pub(super) fn unary(&self, op: UnaryOp, ty: ScalarType, a: Operand) -> Growth {
        let negates = matches!(op, UnaryOp::Negate | UnaryOp::Not);
        if op == UnaryOp::Move {
            self.modular(a, ty)
        } else if negates && !ty.is_float() && ty != ScalarType::Bool {
            Some(times(self.modular(a, ty)?, -1))
        } else {
            self.steady_if(&[a])
        }
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Growth {
        if self.all_steady(&[a, b]) {
            return STEADY;
        }
        if ty.is_float() || ty == ScalarType::Bool {
            return None;
        }
        match op {
            BinaryOp::Add => Some(canonical(
                plus(self.modular(a, ty)?, self.modular(b, ty)?),
                ty,
            )),
            BinaryOp::Subtract => {
                let (x, y) = (self.modular(a, ty)?, self.modular(b, ty)?);
                Some(canonical(plus(x, times(y, -1)), ty))
            }
            BinaryOp::Multiply => {
                let slopes = (self.modular(a, ty)?, self.modular(b, ty)?);
                Some(canonical(self.product(a, b, ty, slopes)?, ty))
            }
            BinaryOp::MultiplyWide => {
                let slopes = (self.number(a, ty)?, self.number(b, ty)?);
                self.product(a, b, ty, slopes)
            }
            BinaryOp::ShiftLeft => {
                let by = self.shift(b, ty)?;
                Some(canonical(
                    times(self.modular(a, ty)?, 1_i64.wrapping_shl(by)),
                    ty,
                ))
            }
            BinaryOp::ShiftRight => {
                let by = self.shift(b, ty)?;
                self.quotient(a, ty, 1 << by, true)
            }
            BinaryOp::Divide | BinaryOp::Remainder => {
                self.of(b).filter(|slope| *slope == FLAT)?;
                let by = self.warp.common(b, ty, self.mask).filter(|by| *by > 0)?;
                if op == BinaryOp::Divide {
                    self.quotient(a, ty, by, false)
                } else {
                    self.remainder(a, ty, by)
                }
            }
            BinaryOp::And if self.of(b) == STEADY => self.masked(a, b, ty),
            BinaryOp::And if self.of(a) == STEADY => self.masked(b, a, ty),
            BinaryOp::Or | BinaryOp::Xor if self.of(b) == STEADY => self.low_bits(a, b, ty),
            BinaryOp::Or | BinaryOp::Xor if self.of(a) == STEADY => self.low_bits(b, a, ty),
            BinaryOp::Minimum | BinaryOp::Maximum => {
                self.compare(Comparison::LessEqual, ty, a, b)?;
                self.chosen(op, ty, a, b)
            }
            BinaryOp::MultiplyHigh => self.high_product(ty, a, b),
            BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Power
            | BinaryOp::PowerApprox
            | BinaryOp::ArcTangent
            | BinaryOp::CopySign => None,
        }
    }

    /// A shift's amount, if it is the same in all lanes and blocks.
    fn shift(&self, by: Operand, ty: ScalarType) -> Option<u32> {
        self.of(by).filter(|slope| *slope == FLAT)?;
        let by = self.warp.common(by, ScalarType::U32, self.mask)?;
        u32::try_from(by).ok().filter(|by| *by < ty.bits())
    }

    pub(super) fn ternary(
        &mut self,
        op: TernaryOp,
        ty: ScalarType,
        [a, b, c]: [Operand; 3],
    ) -> Growth {
        if self.all_steady(&[a, b, c]) {
            return STEADY;
        }
        if ty.is_float() {
            return None;
        }
        match op {
            TernaryOp::MultiplyAdd => {
                let slopes = (self.modular(a, ty)?, self.modular(b, ty)?);
                let product = self.product(a, b, ty, slopes)?;
                Some(canonical(plus(product, self.modular(c, ty)?), ty))
            }
            TernaryOp::MultiplyAddWide => {
                let slopes = (self.number(a, ty)?, self.number(b, ty)?);
                let product = self.product(a, b, ty, slopes)?;
                let wide = if ty.bits() >= 32 {
                    ScalarType::U64
                } else {
                    ScalarType::U32
                };
                Some(plus(product, self.modular(c, wide)?))
            }
            TernaryOp::Add3 => {
                let (x, y) = (self.modular(a, ty)?, self.modular(b, ty)?);
                Some(canonical(plus(plus(x, y), self.modular(c, ty)?), ty))
            }
            TernaryOp::MultiplyAddHigh => {
                let high = self.high_product(ty, a, b)?;
                Some(canonical(plus(high, self.modular(c, ty)?), ty))
            }
            TernaryOp::FunnelShiftLeft => self.funnel([a, b, c], |by| 32 - (by & 31)),
            TernaryOp::FunnelShiftRight => self.funnel([a, b, c], |by| by & 31),
            TernaryOp::FunnelShiftLeftClamped => self.funnel([a, b, c], |by| 32 - by.min(32)),
            TernaryOp::FunnelShiftRightClamped => self.funnel([a, b, c], |by| by.min(32)),
            TernaryOp::BitFieldExtract
            | TernaryOp::BytePermute
            | TernaryOp::SumAbsoluteDifference
            | TernaryOp::DotProduct4 => None,
        }
    }

    pub(super) fn select(&self, predicate: Operand, yes: Operand, no: Operand) -> Growth {
        self.of(predicate).filter(|slope| *slope == FLAT)?;
        let (x, y) = (self.of(yes), self.of(no));
        let holds = self.warp.file.mask(register(predicate)) & self.mask;
        if x == y || holds == self.mask {
            x
        } else if holds == 0 {
            y
        } else {
            None
        }
    }

    pub(super) fn convert(
        &mut self,
        from: ScalarType,
        to: ScalarType,
        saturate: bool,
        a: Operand,
    ) -> Growth {
        if self.of(a) == STEADY {
            return STEADY;
        }
        if from.is_float() || to.is_float() || saturate {
            return None;
        }
        if from.bits() >= to.bits() {
            return self.modular(a, to);
        }
        self.number(a, from)
    }

    /// The slope of a 32-bit sum; its carries are steady where each lane's sum stays between multiples of two to 32.
    pub(super) fn add_carry(
        &mut self,
        operands: [Operand; 3],
        carry_in: [Option<Operand>; 2],
    ) -> [Growth; 2] {
        let ty = ScalarType::U32;
        let carries: Vec<Operand> = carry_in.into_iter().flatten().collect();
        if !self.all_steady(&carries) {
            return [None; 2];
        }
        let mut sum = FLAT;
        for operand in operands {
            let Some(slope) = self.number(operand, ty) else {
                return [None; 2];
            };
            sum = plus(sum, slope);
        }
        if sum != FLAT {
            let values = operands.map(|operand| self.warp.file.lanes(register(operand)));
            let masks = carry_in.map(|one| one.map_or(0, |one| self.warp.file.mask(register(one))));
            for lane in each(self.mask) {
                let more: u64 = masks.iter().map(|mask| mask >> lane & 1).sum();
                let total: u64 = values.iter().map(|value| value[lane] & ty.mask()).sum();
                let value = i128::from(total + more);
                let low = value >> 32 << 32;
                self.proof
                    .region
                    .keep(low, (value, value), low + (1 << 32) - 1, sum);
            }
        }
        [Some(canonical(sum, ty)), STEADY]
    }

    pub(super) fn pack(&mut self, dst_bits: u8, parts: &[Operand]) -> Growth {
        if self.all_steady(parts) {
            return STEADY;
        }
        if dst_bits != 64 || parts.len() != 2 {
            return None;
        }
        let low = self.number(parts[0], ScalarType::U32)?;
        let high = self.modular(parts[1], ScalarType::U32)?;
        Some(plus(low, times(high, 1 << 32)))
    }

    /// A word of a double word. The high one is a quotient.
    pub(super) fn unpack(&mut self, a: Operand, part_bits: u32, index: usize) -> Growth {
        let slope = self.of(a)?;
        if slope == FLAT || (index == 0 && part_bits == 32) {
            let narrow = if index == 0 {
                ScalarType::U32
            } else {
                ScalarType::U64
            };
            return Some(canonical(slope, narrow));
        }
        if part_bits != 32 {
            return None;
        }
        self.high_word(a, slope)
    }
}
