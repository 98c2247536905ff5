//! Arithmetic of floats, narrow ones in 32 bits and rounded once.

use lanescope_ir::{BinaryOp, Operand, ScalarType, TernaryOp, UnaryOp};

use crate::RefusalKind;
use crate::arithmetic::unnamed;
use crate::expression::Expr;
use crate::kinds::Scalar;
use crate::value::low;
use crate::writer::Writer;

impl Writer<'_, '_> {
    pub(crate) fn float_unary(
        &mut self,
        op: UnaryOp,
        ty: ScalarType,
        a: Operand,
    ) -> Result<Expr, RefusalKind> {
        if ty == ScalarType::F64 {
            return Err(RefusalKind::Double);
        }
        // Signs are bits, so that no rule about numbers changes what is no number.
        if ty.bits() == 16 && matches!(op, UnaryOp::Negate | UnaryOp::Abs) {
            let word = self.word(a, Scalar::U32)?;
            return Ok(Expr::u32(if op == UnaryOp::Negate {
                format!("{} ^ 32768u", word.inner())
            } else {
                format!("{} & 32767u", word.inner())
            }));
        }
        let value = self.typed(a, ty)?;
        let x = value.text.clone();
        let call = |name: &str| format!("{name}({x})");
        let text = match op {
            UnaryOp::Negate => format!("-{}", value.inner()),
            UnaryOp::Abs => call("abs"),
            UnaryOp::IsNan => {
                let name = self.helper("is_nan");
                return Ok(Expr::flag(call(name)));
            }
            UnaryOp::IsFinite => {
                let name = self.helper("is_finite");
                return Ok(Expr::flag(call(name)));
            }
            UnaryOp::Floor => call("floor"),
            UnaryOp::Ceil => call("ceil"),
            UnaryOp::RoundEven => call("round"),
            UnaryOp::Truncate => call("trunc"),
            UnaryOp::Round => call(self.helper("round_away")),
            UnaryOp::Sqrt => call("sqrt"),
            UnaryOp::ReciprocalSqrt => call("inverseSqrt"),
            UnaryOp::Reciprocal => format!("1.0f / {}", value.inner()),
            UnaryOp::Exp => call("exp"),
            UnaryOp::Exp2 => call("exp2"),
            UnaryOp::Log | UnaryOp::LogApprox => call("log"),
            UnaryOp::Log2 | UnaryOp::Log2Approx => call("log2"),
            UnaryOp::Log10 | UnaryOp::Log10Approx => format!("log2({x}) * 0.30102999566f"),
            UnaryOp::Sin | UnaryOp::SinApprox => call("sin"),
            UnaryOp::Cos | UnaryOp::CosApprox => call("cos"),
            UnaryOp::Tan | UnaryOp::TanApprox => call("tan"),
            UnaryOp::Asin => call("asin"),
            UnaryOp::Acos => call("acos"),
            UnaryOp::Atan => call("atan"),
            UnaryOp::Sinh => call("sinh"),
            UnaryOp::Cosh => call("cosh"),
            UnaryOp::Tanh => call("tanh"),
            UnaryOp::Asinh => call("asinh"),
            UnaryOp::Acosh => call("acosh"),
            UnaryOp::Atanh => call("atanh"),
            UnaryOp::Cbrt => format!("sign({x}) * pow(abs({x}), 0.33333334f)"),
            UnaryOp::Move
            | UnaryOp::Not
            | UnaryOp::PopCount
            | UnaryOp::LeadingZeros
            | UnaryOp::FindLeading
            | UnaryOp::FindFirst
            | UnaryOp::ReverseBits
            | UnaryOp::ExpMinusOne
            | UnaryOp::LogPlusOne
            | UnaryOp::Erf
            | UnaryOp::ErfComplement
            | UnaryOp::LogGamma
            | UnaryOp::Gamma => return Err(unnamed(op.name())),
        };
        Ok(self.narrowed(ty, Expr::word(Scalar::F32, text)))
    }

    pub(crate) fn float_binary(
        &mut self,
        op: BinaryOp,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Result<Expr, RefusalKind> {
        if ty == ScalarType::F64 {
            return Err(RefusalKind::Double);
        }
        let (x, y) = (self.typed(a, ty)?, self.typed(b, ty)?);
        let (p, q) = (x.inner(), y.inner());
        let text = match op {
            BinaryOp::Add => format!("{p} + {q}"),
            BinaryOp::Subtract => format!("{p} - {q}"),
            BinaryOp::Multiply => format!("{p} * {q}"),
            // A constant divisor of zero is refused by compilers.
            BinaryOp::Divide if matches!(b, Operand::Constant(bits) if low(bits) << 1 == 0) => {
                self.bits.insert(match b {
                    Operand::Constant(bits) => low(bits),
                    Operand::Register(_) => 0,
                });
                format!("{p} / {}", self.unfolded(b))
            }
            BinaryOp::Divide => format!("{p} / {q}"),
            BinaryOp::Remainder => {
                let name = self.helper("remainder_f32");
                format!("{name}({}, {})", x.text, y.text)
            }
            BinaryOp::Minimum => format!("min({}, {})", x.text, y.text),
            BinaryOp::Maximum => format!("max({}, {})", x.text, y.text),
            BinaryOp::Power | BinaryOp::PowerApprox => format!("pow({}, {})", x.text, y.text),
            BinaryOp::ArcTangent => format!("atan2({}, {})", x.text, y.text),
            BinaryOp::CopySign => {
                let name = self.helper("copy_sign");
                format!("{name}({}, {})", x.text, y.text)
            }
            BinaryOp::MultiplyHigh
            | BinaryOp::MultiplyWide
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor => return Err(unnamed(op.name())),
        };
        Ok(self.narrowed(ty, Expr::word(Scalar::F32, text)))
    }

    /// A constant float that no compiler folds.
    fn unfolded(&self, operand: Operand) -> String {
        let bits = match operand {
            Operand::Constant(bits) => low(bits),
            Operand::Register(_) => 0,
        };
        format!("bitcast<f32>(bits_{bits:08x})")
    }

    pub(crate) fn float_ternary(
        &mut self,
        op: TernaryOp,
        ty: ScalarType,
        [a, b, c]: [Operand; 3],
    ) -> Result<Expr, RefusalKind> {
        if ty == ScalarType::F64 {
            return Err(RefusalKind::Double);
        }
        let (x, y, z) = (self.typed(a, ty)?, self.typed(b, ty)?, self.typed(c, ty)?);
        let text = match op {
            TernaryOp::MultiplyAdd => {
                self.notes.insert(crate::Note::Fused);
                format!("fma({}, {}, {})", x.text, y.text, z.text)
            }
            TernaryOp::Add3 => format!("{} + {} + {}", x.inner(), y.inner(), z.inner()),
            TernaryOp::MultiplyAddHigh
            | TernaryOp::MultiplyAddWide
            | TernaryOp::FunnelShiftLeft
            | TernaryOp::FunnelShiftRight
            | TernaryOp::FunnelShiftLeftClamped
            | TernaryOp::FunnelShiftRightClamped
            | TernaryOp::BitFieldExtract
            | TernaryOp::BytePermute
            | TernaryOp::SumAbsoluteDifference
            | TernaryOp::DotProduct4 => return Err(unnamed(op.name())),
        };
        Ok(self.narrowed(ty, Expr::word(Scalar::F32, text)))
    }
}
