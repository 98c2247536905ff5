//! Bits and bytes: counts, fields, permutations, dot products of bytes.

use super::Lowering;
use crate::Operand as Tree;
use crate::opcode::{Opcode, Type, signed, unsigned};
use lanescope_ir::{BinaryOp, Comparison, Op, Operand, ScalarType, TernaryOp, UnaryOp};

/// Byte selectors of `prmt`'s modes for each of the four positions that `c` names, 16 bits each, position 0 lowest.
const PERMUTATIONS: [(&str, u64); 6] = [
    ("f4e", 0x6543_5432_4321_3210),
    ("b4e", 0x0123_7012_6701_5670),
    ("rc8", 0x3333_2222_1111_0000),
    ("ecl", 0x3333_3222_3211_3210),
    ("ecr", 0x3210_2210_1110_0000),
    ("rc16", 0x3232_1010_3232_1010),
];

impl<'t> Lowering<'_, 't> {
    fn scalar_type(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) -> Option<ScalarType> {
        let ty = opcode.last_type().and_then(Type::storage);
        if ty.is_none() {
            self.unmodelled(opcode.text, operands, true);
        }
        ty
    }

    /// `popc`, `clz`: a count of 32 bits.
    pub(super) fn count(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>], op: UnaryOp) {
        let Some(ty) = self.scalar_type(opcode, operands) else {
            return;
        };
        let a = self.value_at(operands, 1, ty);
        let destination = self.destination(operands.first(), ScalarType::U32);
        self.emit(Op::Unary {
            op,
            ty,
            dst: destination.register,
            a,
        });
        self.finish_write(destination);
    }

    /// `bfind`: with `.shiftamt` the distance of the bit from the highest.
    pub(super) fn find_leading(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let Some(ty) = self.scalar_type(opcode, operands) else {
            return;
        };
        let a = self.value_at(operands, 1, ty);
        let dst = self.fresh(32);
        self.emit(Op::Unary {
            op: UnaryOp::FindLeading,
            ty,
            dst,
            a,
        });
        let mut result = Operand::from(dst);
        if opcode.has("shiftamt") {
            let none = self.compare(
                Comparison::Equal,
                ScalarType::U32,
                result,
                Operand::Constant(0xffff_ffff),
            );
            let top = Operand::Constant(u64::from(ty.bits() - 1));
            let distance = self.binary(BinaryOp::Subtract, ScalarType::U32, top, result);
            result = self.select(32, none, result, distance);
        }
        self.write(operands.first(), ScalarType::U32, result);
    }

    /// `cnot`: one where the operand is zero.
    pub(super) fn logical_not(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let Some(ty) = self.scalar_type(opcode, operands) else {
            return;
        };
        let a = self.value_at(operands, 1, ty);
        let is_zero = self.compare(Comparison::Equal, ty, a, Operand::Constant(0));
        let result = self.select(
            ty.bits(),
            is_zero,
            Operand::Constant(1),
            Operand::Constant(0),
        );
        self.write(operands.first(), ty, result);
    }

    /// `bfe`, and `szext`, which is a field from bit 0 on.
    pub(super) fn extract(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let Some(ty) = self.scalar_type(opcode, operands) else {
            return;
        };
        let a = self.value_at(operands, 1, ty);
        let (position, length) = if opcode.base == "szext" {
            (Operand::Constant(0), 2)
        } else {
            (self.value_at(operands, 2, ScalarType::U32), 3)
        };
        let mut length = self.value_at(operands, length, ScalarType::U32);
        if opcode.base == "szext" {
            let limit = if opcode.has("wrap") {
                (BinaryOp::And, 31)
            } else {
                (BinaryOp::Minimum, 32)
            };
            length = self.binary(limit.0, ScalarType::U32, length, Operand::Constant(limit.1));
        }
        // Position and length are 32 bits wide whatever the field is taken from.
        let destination = self.destination(operands.first(), ty);
        self.emit(Op::Ternary {
            op: TernaryOp::BitFieldExtract,
            ty,
            dst: destination.register,
            a,
            b: position,
            c: length,
        });
        self.finish_write(destination);
    }

    pub(super) fn insert(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let Some(ty) = self.scalar_type(opcode, operands) else {
            return;
        };
        let a = self.value_at(operands, 1, ty);
        let b = self.value_at(operands, 2, ty);
        let position = self.value_at(operands, 3, ScalarType::U32);
        let length = self.value_at(operands, 4, ScalarType::U32);
        let destination = self.destination(operands.first(), ty);
        self.emit(Op::BitFieldInsert {
            ty,
            dst: destination.register,
            a,
            b,
            position,
            length,
        });
        self.finish_write(destination);
    }

    /// `bmsk`: ones from bit `a` on, `b` of them.
    pub(super) fn bit_mask(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let (op, limit) = if opcode.has("wrap") {
            (BinaryOp::And, 31)
        } else {
            (BinaryOp::Minimum, 32)
        };
        let [position, length] = [1, 2].map(|at| {
            let value = self.value_at(operands, at, ScalarType::U32);
            self.binary(op, ScalarType::U32, value, Operand::Constant(limit))
        });
        let dst = self.fresh(32);
        self.emit(Op::BitFieldInsert {
            ty: ScalarType::U32,
            dst,
            a: Operand::Constant(0xffff_ffff),
            b: Operand::Constant(0),
            position,
            length,
        });
        self.write(operands.first(), ScalarType::U32, dst.into());
    }

    pub(super) fn lop3(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        if opcode.first_of(&["or", "and"]).is_some() {
            self.unmodelled(opcode.text, operands, true);
            return;
        }
        let [a, b, c] = [1, 2, 3].map(|at| self.value_at(operands, at, ScalarType::U32));
        let table = match operands.get(4) {
            Some(Tree::Integer(table)) => u8::try_from(*table & 0xff).unwrap_or(0),
            _ => {
                self.unmodelled(opcode.text, operands, true);
                return;
            }
        };
        let destination = self.destination(operands.first(), ScalarType::U32);
        self.emit(Op::Lop3 {
            table,
            wide: false,
            dst: destination.register,
            a,
            b,
            c,
        });
        self.finish_write(destination);
    }

    pub(super) fn funnel_shift(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let op = match (opcode.has("l"), opcode.has("clamp")) {
            (true, false) => TernaryOp::FunnelShiftLeft,
            (true, true) => TernaryOp::FunnelShiftLeftClamped,
            (false, false) => TernaryOp::FunnelShiftRight,
            (false, true) => TernaryOp::FunnelShiftRightClamped,
        };
        let inputs = [1, 2, 3].map(|at| self.value_at(operands, at, ScalarType::U32));
        let result = self.ternary(op, ScalarType::U32, inputs);
        self.write(operands.first(), ScalarType::U32, result);
    }

    /// `prmt`; a mode's selector is looked up by the two low bits of `c`.
    pub(super) fn permute(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let [a, b, c] = [1, 2, 3].map(|at| self.value_at(operands, at, ScalarType::U32));
        let mode = PERMUTATIONS.iter().find(|(mode, _)| opcode.has(mode));
        let selector = match mode {
            None => c,
            Some(&(_, table)) => {
                let position = self.binary(BinaryOp::And, ScalarType::U32, c, Operand::Constant(3));
                let shift = self.binary(
                    BinaryOp::ShiftLeft,
                    ScalarType::U32,
                    position,
                    Operand::Constant(4),
                );
                let table = Operand::Constant(table);
                let shifted = self.binary(BinaryOp::ShiftRight, ScalarType::U64, table, shift);
                let low = self.convert(ScalarType::U64, ScalarType::U32, shifted);
                self.binary(
                    BinaryOp::And,
                    ScalarType::U32,
                    low,
                    Operand::Constant(0xffff),
                )
            }
        };
        let result = self.ternary(TernaryOp::BytePermute, ScalarType::U32, [a, b, selector]);
        self.write(operands.first(), ScalarType::U32, result);
    }

    /// `dp4a`, `dp2a`: sums of products of bytes, or of halves and bytes.
    pub(super) fn dot_product(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let types: Vec<ScalarType> = opcode
            .types()
            .into_iter()
            .filter_map(Type::storage)
            .collect();
        let [a_type, b_type] = types.as_slice() else {
            self.unmodelled(opcode.text, operands, true);
            return;
        };
        let a = self.value_at(operands, 1, *a_type);
        let b = self.value_at(operands, 2, *b_type);
        let c = self.value_at(operands, 3, ScalarType::I32);
        if a_type == b_type && opcode.base == "dp4a" {
            let result = self.ternary(TernaryOp::DotProduct4, *a_type, [a, b, c]);
            self.write(operands.first(), *a_type, result);
            return;
        }
        let bytes = self.elements(*b_type, b, 8);
        let (left, right) = if opcode.base == "dp4a" {
            (self.elements(*a_type, a, 8), bytes)
        } else {
            let start = if opcode.has("hi") { 2 } else { 0 };
            let chosen = bytes.get(start..start + 2).unwrap_or(&[]).to_vec();
            (self.elements(*a_type, a, 16), chosen)
        };
        let mut sum = c;
        for (x, y) in left.into_iter().zip(right) {
            sum = self.ternary(TernaryOp::MultiplyAdd, ScalarType::I32, [x, y, sum]);
        }
        self.write(operands.first(), ScalarType::I32, sum);
    }

    /// Parts of 8 or 16 bits of a word, each extended to 32 as `ty` says.
    pub(super) fn elements(&mut self, ty: ScalarType, value: Operand, bits: u32) -> Vec<Operand> {
        let count = 32 / bits;
        let parts: Vec<_> = (0..count).map(|_| self.fresh(bits)).collect();
        self.emit(Op::Unpack {
            parts: parts.iter().copied().map(Some).collect(),
            part_bits: bits,
            a: value,
        });
        let from = if ty.is_signed() {
            signed(bits)
        } else {
            unsigned(bits)
        };
        parts
            .into_iter()
            .map(|part| self.convert(from, ScalarType::I32, part.into()))
            .collect()
    }
}
