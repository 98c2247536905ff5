//! Arithmetic: operators with one and two operands, conversions, choices, sums of addresses.

use crate::control::Translator;
use crate::source::code::{Binary, Reg, Unary};
use crate::source::scalar::Scalar;
use crate::types::{Held, is_float, scalar_type, unary_result};
use lanescope_ir::{BinaryOp, Comparison, Op, Operand, ScalarType, TernaryOp, UnaryOp};

/// The operator, and whether only floats take it; `None`: the bits themselves.
const fn unary_op(op: Unary) -> Option<(UnaryOp, bool)> {
    Some(match op {
        Unary::Not | Unary::ToBits | Unary::FromBits | Unary::Opaque => return None,
        Unary::Negate => (UnaryOp::Negate, false),
        Unary::Complement => (UnaryOp::Not, false),
        Unary::Abs => (UnaryOp::Abs, false),
        Unary::PopCount => (UnaryOp::PopCount, false),
        Unary::LeadingZeros => (UnaryOp::LeadingZeros, false),
        Unary::FindFirst => (UnaryOp::FindFirst, false),
        Unary::ReverseBits => (UnaryOp::ReverseBits, false),
        Unary::Floor => (UnaryOp::Floor, true),
        Unary::Ceil => (UnaryOp::Ceil, true),
        Unary::Round => (UnaryOp::Round, true),
        Unary::Truncate => (UnaryOp::Truncate, true),
        Unary::Sqrt => (UnaryOp::Sqrt, true),
        Unary::Exp => (UnaryOp::Exp, true),
        Unary::Log => (UnaryOp::Log, true),
        Unary::Exp2 => (UnaryOp::Exp2, true),
        Unary::Log2 => (UnaryOp::Log2, true),
        Unary::Sin => (UnaryOp::Sin, true),
        Unary::Cos => (UnaryOp::Cos, true),
        Unary::Tan => (UnaryOp::Tan, true),
        Unary::SinApprox => (UnaryOp::SinApprox, true),
        Unary::CosApprox => (UnaryOp::CosApprox, true),
        Unary::TanApprox => (UnaryOp::TanApprox, true),
        Unary::LogApprox => (UnaryOp::LogApprox, true),
        Unary::Log2Approx => (UnaryOp::Log2Approx, true),
        Unary::Log10Approx => (UnaryOp::Log10Approx, true),
        Unary::Asin => (UnaryOp::Asin, true),
        Unary::Acos => (UnaryOp::Acos, true),
        Unary::Atan => (UnaryOp::Atan, true),
        Unary::Tanh => (UnaryOp::Tanh, true),
        Unary::Sinh => (UnaryOp::Sinh, true),
        Unary::Cosh => (UnaryOp::Cosh, true),
        Unary::Asinh => (UnaryOp::Asinh, true),
        Unary::Acosh => (UnaryOp::Acosh, true),
        Unary::Atanh => (UnaryOp::Atanh, true),
        Unary::Cbrt => (UnaryOp::Cbrt, true),
        Unary::Log10 => (UnaryOp::Log10, true),
        Unary::LogPlusOne => (UnaryOp::LogPlusOne, true),
        Unary::ExpMinusOne => (UnaryOp::ExpMinusOne, true),
        Unary::Erf => (UnaryOp::Erf, true),
        Unary::ErfComplement => (UnaryOp::ErfComplement, true),
        Unary::LogGamma => (UnaryOp::LogGamma, true),
        Unary::Gamma => (UnaryOp::Gamma, true),
        Unary::RoundEven => (UnaryOp::RoundEven, true),
    })
}

/// What an operator with two operands becomes.
enum Becomes {
    Compare(Comparison),
    /// Of integers and floats.
    Binary(BinaryOp),
    /// Of integers only.
    Integer(BinaryOp),
    /// Of floats only.
    Float(BinaryOp),
    Shift(BinaryOp),
}

const fn binary_op(op: Binary) -> Becomes {
    match op {
        Binary::Add => Becomes::Binary(BinaryOp::Add),
        Binary::Subtract => Becomes::Binary(BinaryOp::Subtract),
        Binary::Multiply => Becomes::Binary(BinaryOp::Multiply),
        Binary::Divide => Becomes::Binary(BinaryOp::Divide),
        Binary::Remainder => Becomes::Binary(BinaryOp::Remainder),
        Binary::ShiftLeft => Becomes::Shift(BinaryOp::ShiftLeft),
        Binary::ShiftRight => Becomes::Shift(BinaryOp::ShiftRight),
        Binary::And => Becomes::Integer(BinaryOp::And),
        Binary::Or => Becomes::Integer(BinaryOp::Or),
        Binary::Xor => Becomes::Integer(BinaryOp::Xor),
        Binary::Less => Becomes::Compare(Comparison::Less),
        Binary::LessEqual => Becomes::Compare(Comparison::LessEqual),
        Binary::Equal => Becomes::Compare(Comparison::Equal),
        Binary::NotEqual => Becomes::Compare(Comparison::NotEqual),
        Binary::Minimum => Becomes::Binary(BinaryOp::Minimum),
        Binary::Maximum => Becomes::Binary(BinaryOp::Maximum),
        Binary::MultiplyHigh => Becomes::Integer(BinaryOp::MultiplyHigh),
        Binary::Power => Becomes::Float(BinaryOp::Power),
        Binary::PowerApprox => Becomes::Float(BinaryOp::PowerApprox),
        Binary::ArcTangent => Becomes::Float(BinaryOp::ArcTangent),
        Binary::CopySign => Becomes::Float(BinaryOp::CopySign),
    }
}

impl Translator<'_> {
    pub(crate) fn unary(&mut self, op: Unary, scalar: Scalar, dst: Reg, a: Reg) {
        let ty = scalar_type(scalar);
        match unary_op(op) {
            Some((_, only_floats)) if only_floats && !is_float(scalar) => {
                let a = self.read(a, ty);
                self.give(dst, ty, a);
            }
            Some((op_of, _)) if ty == ScalarType::Bool => {
                // Arithmetic of truth values is that of `int`.
                let a = self.read(a, ScalarType::I32);
                let result = self.fresh(ScalarType::I32);
                self.emit(Op::Unary {
                    op: op_of,
                    ty: ScalarType::I32,
                    dst: result,
                    a,
                });
                self.give(dst, ScalarType::I32, result.into());
            }
            Some((op_of, _)) => {
                let a = self.read(a, ty);
                let result = unary_result(op, scalar);
                self.define(dst, result, |dst| Op::Unary {
                    op: op_of,
                    ty,
                    dst,
                    a,
                });
            }
            None => self.bits(op, scalar, dst, a),
        }
    }

    /// `!`, and a value's bits as another type's.
    fn bits(&mut self, op: Unary, scalar: Scalar, dst: Reg, a: Reg) {
        let ty = scalar_type(scalar);
        let raw = if scalar == Scalar::F64 {
            ScalarType::U64
        } else {
            ScalarType::U32
        };
        // A half's bits are those of the float that it is computed as.
        let real = match ty {
            ScalarType::F64 => ScalarType::F64,
            _ => ScalarType::F32,
        };
        match op {
            Unary::ToBits => {
                let a = self.read(a, real);
                self.give(dst, raw, a);
            }
            Unary::FromBits => {
                let a = self.read(a, raw);
                self.give(dst, real, a);
            }
            Unary::Opaque => self.define(dst, ty, |dst| Op::Unmodelled {
                name: "asm".to_owned(),
                dst: vec![dst],
                src: Vec::new(),
                is_pure: true,
            }),
            _ => {
                let a = self.read(a, ScalarType::Bool);
                self.define(dst, ScalarType::Bool, |dst| Op::Unary {
                    op: UnaryOp::Not,
                    ty: ScalarType::Bool,
                    dst,
                    a,
                });
            }
        }
    }

    pub(crate) fn binary_inst(&mut self, op: Binary, scalar: Scalar, dst: Reg, a: Reg, b: Reg) {
        let ty = scalar_type(scalar);
        match binary_op(op) {
            Becomes::Compare(op) => {
                let (a, b) = (self.read(a, ty), self.read(b, ty));
                self.define(dst, ScalarType::Bool, |dst| Op::Compare {
                    op,
                    ty,
                    unordered: op == Comparison::NotEqual && ty.is_float(),
                    dst,
                    a,
                    b,
                });
            }
            Becomes::Shift(op) if !ty.is_float() => {
                let b = self.shift_amount(b, ty);
                self.arithmetic(op, ty, dst, a, b);
            }
            Becomes::Integer(op) if !ty.is_float() => {
                let is_bitwise = matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor);
                if is_bitwise && ty == ScalarType::Bool {
                    let (a, b) = (self.read(a, ty), self.read(b, ty));
                    self.define(dst, ty, |dst| Op::Binary { op, ty, dst, a, b });
                } else {
                    let b = self.read(b, widened(ty));
                    self.arithmetic(op, ty, dst, a, b);
                }
            }
            Becomes::Float(op) if ty.is_float() => {
                let b = self.read(b, ty);
                self.arithmetic(op, ty, dst, a, b);
            }
            Becomes::Binary(op) => {
                let b = self.read(b, widened(ty));
                self.arithmetic(op, ty, dst, a, b);
            }
            Becomes::Shift(_) | Becomes::Integer(_) | Becomes::Float(_) => {
                self.give(dst, ty, Operand::Constant(0));
            }
        }
    }

    /// An operator on `int` or wider; narrow integers are computed as such and wrap.
    fn arithmetic(&mut self, op: BinaryOp, ty: ScalarType, dst: Reg, a: Reg, b: Operand) {
        let wide = widened(ty);
        let a = self.read(a, wide);
        if wide == ty {
            self.define(dst, ty, |dst| Op::Binary { op, ty, dst, a, b });
            return;
        }
        let result = self.binary(op, wide, a, b);
        let result = self.converted_to(wide, ty, result);
        self.give(dst, ty, result);
    }

    /// A shift's amount. Where the language says so, it counts modulo the width.
    fn shift_amount(&mut self, b: Reg, ty: ScalarType) -> Operand {
        let amount = self.read(b, ScalarType::U32);
        if !self.wraps_shifts {
            return amount;
        }
        let mask = u64::from(widened(ty).bits()) - 1;
        match amount {
            Operand::Constant(bits) => Operand::Constant(bits & mask),
            Operand::Register(_) => self.binary(
                BinaryOp::And,
                ScalarType::U32,
                amount,
                Operand::Constant(mask),
            ),
        }
    }

    pub(crate) fn convert_inst(&mut self, from: Scalar, to: Scalar, dst: Reg, a: Reg) {
        let (from, to) = (scalar_type(from), scalar_type(to));
        let a = self.read(a, from);
        if self.held(dst) == Held::Typed(to) {
            self.give(dst, from, a);
        } else {
            let value = self.converted_to(from, to, a);
            self.give(dst, to, value);
        }
    }

    pub(crate) fn select(&mut self, dst: Reg, condition: Reg, yes: Reg, no: Reg) {
        let ty = self.own_type(dst);
        let predicate = self.read(condition, ScalarType::Bool);
        let (yes, no) = (self.read(yes, ty), self.read(no, ty));
        self.define(dst, ty, |dst| Op::Select {
            dst,
            predicate,
            yes,
            no,
        });
    }

    /// `dst = base + index * scale + offset`.
    pub(crate) fn address_sum(&mut self, dst: Reg, base: Reg, index: Reg, scale: i32, offset: i32) {
        let ty = ScalarType::U64;
        let base = self.read(base, ty);
        let index = self.read_wide(index);
        let product = |dst| match scale {
            1 => Op::Binary {
                op: BinaryOp::Add,
                ty,
                dst,
                a: index,
                b: base,
            },
            _ => Op::Ternary {
                op: TernaryOp::MultiplyAdd,
                ty,
                dst,
                a: index,
                b: Operand::Constant(i64::from(scale).cast_unsigned()),
                c: base,
            },
        };
        if offset == 0 {
            self.define(dst, ty, product);
            return;
        }
        let sum = self.fresh(ty);
        self.emit(product(sum));
        self.define(dst, ty, |dst| Op::Binary {
            op: BinaryOp::Add,
            ty,
            dst,
            a: sum.into(),
            b: Operand::Constant(i64::from(offset).cast_unsigned()),
        });
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
