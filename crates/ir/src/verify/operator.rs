//! Rules of operators and special registers: the types they take, and the widths of what they give.

use super::Checker;
use super::error::Table;
use super::instruction::{ADDRESS, ANY, VALUE, WORD, exactly};
use crate::{BinaryOp, Operand, Register, ScalarType, SpecialRegister, TernaryOp, UnaryOp};

impl Checker<'_> {
    /// The width of a register as a list of allowed ones.
    pub(super) fn width_of(&self, register: Register) -> &'static [u32] {
        let bits = self.kernel.registers.get(register.index());
        bits.map_or(ANY, |bits| exactly(u32::from(*bits)))
    }

    pub(super) fn unary(&mut self, op: UnaryOp, ty: ScalarType, dst: Register, a: Operand) {
        self.ty(op.name(), ty, op.takes(ty));
        self.operand(a, exactly(ty.bits()));
        self.register(dst, exactly(op.result_bits(ty)));
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        dst: Register,
        [a, b]: [Operand; 2],
    ) {
        self.ty(op.name(), ty, op.takes(ty));
        self.operand(a, exactly(ty.bits()));
        let is_shift = matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight);
        self.operand(b, if is_shift { WORD } else { exactly(ty.bits()) });
        self.register(dst, exactly(op.result_bits(ty)));
    }

    pub(super) fn ternary(
        &mut self,
        op: TernaryOp,
        ty: ScalarType,
        dst: Register,
        [a, b, c]: [Operand; 3],
    ) {
        self.ty(op.name(), ty, op.takes(ty));
        let whole = exactly(op.result_bits(ty));
        let part = exactly(ty.bits());
        match op {
            TernaryOp::MultiplyAdd
            | TernaryOp::MultiplyAddHigh
            | TernaryOp::MultiplyAddWide
            | TernaryOp::Add3
            | TernaryOp::BytePermute
            | TernaryOp::SumAbsoluteDifference
            | TernaryOp::DotProduct4 => {
                self.operands(&[a, b], part);
                self.operand(c, whole);
            }
            TernaryOp::FunnelShiftLeft
            | TernaryOp::FunnelShiftRight
            | TernaryOp::FunnelShiftLeftClamped
            | TernaryOp::FunnelShiftRightClamped => self.operands(&[a, b, c], WORD),
            TernaryOp::BitFieldExtract => {
                self.operand(a, part);
                self.operands(&[b, c], WORD);
            }
        }
        self.register(dst, whole);
    }

    pub(super) fn special(&mut self, dst: Register, register: SpecialRegister) {
        use SpecialRegister as S;
        match register {
            S::ThreadIndex(axis)
            | S::BlockIndex(axis)
            | S::BlockSize(axis)
            | S::GridSize(axis)
            | S::ClusterSize(axis)
            | S::ClusterIndex(axis) => {
                self.index(Table::Axes, u32::from(axis), 3);
                self.register(dst, WORD);
            }
            S::LinearThreadIndex
            | S::Lane
            | S::Warp
            | S::WarpCount
            | S::WarpSize
            | S::DynamicSharedBytes
            | S::TotalSharedBytes
            | S::ClusterRank => self.register(dst, WORD),
            S::LaneMaskEqual
            | S::LaneMaskLess
            | S::LaneMaskLessEqual
            | S::LaneMaskGreater
            | S::LaneMaskGreaterEqual => self.register(dst, ADDRESS),
            S::SharedWindow | S::LocalWindow | S::Unpredictable => self.register(dst, VALUE),
            S::Elements(array) | S::ArrayAddress(array) => {
                self.array(array);
                self.register(dst, ADDRESS);
            }
            S::Variable(variable) => {
                self.index(
                    Table::Variables,
                    u32::from(variable),
                    self.kernel.variables.len(),
                );
                self.register(dst, VALUE);
            }
        }
    }
}
