//! Operators and conversions of scalars: what is known is folded, what is not is an operation of the kernel.

use super::Lower;
use super::registers::{Reg, scalar_type};
use crate::source::fold::{binary_one, compare_one, convert_one, from_bits, to_bits, unary_one};
use lanescope_ir::{BinaryOp, Comparison, Law, Op, ScalarType, UnaryOp};
use lanescope_syntax::scalar::Scalar;

impl Lower<'_> {
    /// Converts a scalar's register.
    pub(super) fn convert_reg(&mut self, reg: Reg, from: Scalar, to: Scalar) -> Reg {
        if from == to {
            return reg;
        }
        if let Some(value) = self.known(reg) {
            return self.constant(convert_one(from, to, value));
        }
        let widens = !from.is_float()
            && !to.is_float()
            && (to.bytes() > from.bytes() && (to.is_signed() || !from.is_signed())
                || to.bytes() == 8)
            && to != Scalar::Bool;
        if widens {
            return reg;
        }
        self.converted_value(reg, scalar_type(from), scalar_type(to))
    }

    pub(super) fn unary_reg(&mut self, op: UnaryOp, scalar: Scalar, a: Reg) -> Reg {
        if let Some(value) = self.known(a) {
            return self.constant(unary_one(op, scalar, value));
        }
        let ty = scalar_type(scalar);
        if op.takes(ty) {
            let a = self.operand_of(a, ty);
            let result = match op.result_bits(ty) {
                bits if bits == ty.bits() => ty,
                1 => ScalarType::Bool,
                _ => ScalarType::U32,
            };
            return self.define(result, |dst| Op::Unary { op, ty, dst, a });
        }
        let wide = widened(ty);
        if wide != ty && op.takes(wide) {
            // Arithmetic of truth values is that of `int`.
            let a = self.operand_of(a, wide);
            let result = self.builder.unary(op, wide, a);
            let result = self.builder.convert(wide, ty, result);
            return self.operand_value(ty, result);
        }
        // What rounds a real number leaves an integer as it is.
        let a = self.operand_of(a, ty);
        let op = UnaryOp::Move;
        self.define(ty, |dst| Op::Unary { op, ty, dst, a })
    }

    /// The bits of a float, as a number; of a half, those of the float that it is computed as.
    pub(super) fn bits_reg(&mut self, scalar: Scalar, a: Reg) -> Reg {
        if let Some(value) = self.known(a) {
            return self.constant(to_bits(scalar, value));
        }
        let (real, raw) = real_and_raw(scalar);
        let a = self.operand_of(a, real);
        let op = UnaryOp::Move;
        self.define(raw, |dst| Op::Unary {
            op,
            ty: raw,
            dst,
            a,
        })
    }

    /// The float of these bits.
    pub(super) fn float_reg(&mut self, scalar: Scalar, a: Reg) -> Reg {
        if let Some(value) = self.known(a) {
            return self.constant(from_bits(scalar, value));
        }
        let (real, raw) = real_and_raw(scalar);
        let a = self.operand_of(a, raw);
        let op = UnaryOp::Move;
        self.define(real, |dst| Op::Unary {
            op,
            ty: real,
            dst,
            a,
        })
    }

    pub(super) fn compare_reg(&mut self, op: Comparison, scalar: Scalar, a: Reg, b: Reg) -> Reg {
        if let (Some(x), Some(y)) = (self.known(a), self.known(b)) {
            return self.constant(compare_one(op, scalar, x, y));
        }
        let ty = scalar_type(scalar);
        let (a, b) = (self.operand_of(a, ty), self.operand_of(b, ty));
        self.define(ScalarType::Bool, |dst| Op::Compare {
            op,
            ty,
            unordered: op == Comparison::NotEqual && ty.is_float(),
            dst,
            a,
            b,
        })
    }

    pub(super) fn binary_reg(&mut self, op: BinaryOp, scalar: Scalar, a: Reg, b: Reg) -> Reg {
        if let (Some(x), Some(y)) = (self.known(a), self.known(b))
            && !shifts_too_far(op, scalar, y)
        {
            return self.constant(binary_one(op, scalar, x, y));
        }
        if !scalar.is_float() {
            match (op, self.known(a), self.known(b)) {
                (BinaryOp::Add, Some(0), _) | (BinaryOp::Multiply, Some(1), _) => return b,
                (
                    BinaryOp::Add | BinaryOp::Subtract | BinaryOp::ShiftLeft | BinaryOp::ShiftRight,
                    _,
                    Some(0),
                )
                | (BinaryOp::Multiply | BinaryOp::Divide, _, Some(1)) => return a,
                _ => {}
            }
        }
        let ty = scalar_type(scalar);
        if ty == ScalarType::Bool && matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) {
            let (a, b) = (self.operand_of(a, ty), self.operand_of(b, ty));
            return self.define(ty, |dst| Op::Binary { op, ty, dst, a, b });
        }
        let wide = widened(ty);
        if !op.takes(wide) {
            return self.constant(0);
        }
        let b = if op.has(Law::Shifts) {
            self.operand_of(b, ScalarType::U32)
        } else {
            self.operand_of(b, wide)
        };
        let a = self.operand_of(a, wide);
        if wide == ty {
            return self.define(ty, |dst| Op::Binary { op, ty, dst, a, b });
        }
        // Narrow integers are computed as `int` and wrap.
        let result = self.builder.binary(op, wide, a, b);
        let result = self.builder.convert(wide, ty, result);
        self.operand_value(ty, result)
    }

    /// One of two values, lane by lane.
    pub(super) fn select_reg(
        &mut self,
        scalar: Scalar,
        condition: Reg,
        (yes, no): (Reg, Reg),
    ) -> Reg {
        let ty = scalar_type(scalar);
        let predicate = self.operand_of(condition, ScalarType::Bool);
        let (yes, no) = (self.operand_of(yes, ty), self.operand_of(no, ty));
        self.define(ty, |dst| Op::Select {
            dst,
            predicate,
            yes,
            no,
        })
    }
}

/// The type that operands of this type have in arithmetic.
const fn widened(ty: ScalarType) -> ScalarType {
    match ty {
        ScalarType::Bool | ScalarType::I8 | ScalarType::U8 | ScalarType::I16 | ScalarType::U16 => {
            ScalarType::I32
        }
        ScalarType::I32
        | ScalarType::U32
        | ScalarType::I64
        | ScalarType::U64
        | ScalarType::F16
        | ScalarType::BF16
        | ScalarType::F32
        | ScalarType::F64 => ty,
    }
}

/// The type that a real number's bits are those of, and that of the bits.
const fn real_and_raw(scalar: Scalar) -> (ScalarType, ScalarType) {
    match scalar {
        Scalar::F64 => (ScalarType::F64, ScalarType::U64),
        _ => (ScalarType::F32, ScalarType::U32),
    }
}

/// Whether languages differ in what a shift by this amount gives.
fn shifts_too_far(op: BinaryOp, scalar: Scalar, amount: i64) -> bool {
    let width = if scalar.bytes() == 8 { 64 } else { 32 };
    matches!(op, BinaryOp::ShiftLeft | BinaryOp::ShiftRight) && !(0..width).contains(&amount)
}
