//! Functions of numbers: of one, of two, conversions between types.

use super::{CLOCKS, IGNORED};
use crate::source::ctype::Type;
use crate::source::lower::{Lower, Value};
use lanescope_frontend::Span;
use lanescope_ir::{BinaryOp, ScalarType, UnaryOp};
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Expr, ExprKind},
};

impl Lower<'_> {
    /// `sincos(x, &sine, &cosine)`; with `half_turns` of `x` times pi.
    pub(super) fn sine_and_cosine(&mut self, name: &str, arguments: &[Expr], span: Span) -> Value {
        let angle = self.value(&arguments[0]);
        let ty = match angle.ty.scalar() {
            Some(Scalar::F64) => Scalar::F64,
            _ => Scalar::F32,
        };
        let mut angle = self.convert(angle, &Type::Scalar(ty), span);
        if name.contains("pi") {
            let reg = self.constant(std::f64::consts::PI.to_bits().cast_signed());
            let pi = self.convert(Value::scalar(Scalar::F64, reg), &Type::Scalar(ty), span);
            angle = self.binary("*", &angle, &pi, span);
        }
        let [sine, cosine] = if name.starts_with("__") {
            [UnaryOp::SinApprox, UnaryOp::CosApprox]
        } else {
            [UnaryOp::Sin, UnaryOp::Cos]
        };
        for (op, target) in [(sine, &arguments[1]), (cosine, &arguments[2])] {
            let reg = self.unary_reg(op, ty, angle.regs[0]);
            let place = match &target.kind {
                ExprKind::Prefix("&", inner) => self.place(inner),
                _ => self.pointed(target),
            };
            let Some(place) = place else {
                self.say(target.span, DiagnosticKind::NotAssignable);
                continue;
            };
            let value = self.convert(Value::scalar(ty, reg), place.of(), span);
            self.assign(&place, &value, target.span);
        }
        Value::void()
    }

    /// Conversions between scalars by name, what is ignored, and what is unknown.
    pub(crate) fn conversion(&mut self, name: &str, arguments: &[Expr], span: Span) -> Value {
        let values = self.values_of(arguments);
        if let Some(value) = self.rounded(name, &values, span) {
            return value;
        }
        let to = match name {
            "__int2float_rn" | "__uint2float_rn" | "__half2float" | "__bfloat162float" => {
                Some(Scalar::F32)
            }
            "__float2half" | "__float2half_rn" | "__float2bfloat16" | "__int2half_rn" => {
                Some(Scalar::F16)
            }
            _ => None,
        };
        if let (Some(to), Some(value)) = (to, values.first()) {
            return self.convert(value.clone(), &Type::Scalar(to), span);
        }
        if CLOCKS.contains(&name) {
            return self.unknown_value(name, &Type::Scalar(Scalar::I64));
        }
        if IGNORED.contains(&name) {
            self.leave_out(name, &values, span);
            return self.whole(0, Scalar::I32);
        }
        self.use_all(&values);
        self.unknown_function(name, span);
        self.unread(name, Some(span), &Type::INT)
    }

    /// Conversions of floats to whole numbers, which say how they round.
    fn rounded(&mut self, name: &str, values: &[Value], span: Span) -> Option<Value> {
        let op = match name.rsplit('_').next()? {
            _ if matches!(name, "lroundf" | "lround" | "llroundf" | "llround") => {
                Some(UnaryOp::Round)
            }
            _ if matches!(name, "lrintf" | "lrint" | "llrintf" | "llrint") => {
                Some(UnaryOp::RoundEven)
            }
            "rn" => Some(UnaryOp::RoundEven),
            "rd" => Some(UnaryOp::Floor),
            "ru" => Some(UnaryOp::Ceil),
            "rz" => None,
            _ => return None,
        };
        let to = match name {
            _ if name.starts_with('l') => Scalar::I64,
            _ if name.contains("2int_") => Scalar::I32,
            _ if name.contains("2uint_") => Scalar::U32,
            _ if name.contains("2ll_") => Scalar::I64,
            _ if name.contains("2ull_") => Scalar::U64,
            _ => return None,
        };
        let (from, reg) = self.scalar(values.first()?, span);
        let (from, reg) = match op {
            Some(op) if from.is_float() => (from, self.unary_reg(op, from, reg)),
            _ => (from, reg),
        };
        Some(Value::scalar(to, self.convert_reg(reg, from, to)))
    }

    /// A value's bits as another type's.
    pub(super) fn recast(
        &mut self,
        from: Scalar,
        to: Scalar,
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        let Some(value) = self.values_of(arguments).into_iter().next() else {
            return self.nothing();
        };
        let value = self.convert(value, &Type::Scalar(from), span);
        let reg = if from.is_float() {
            let raw = self.bits_reg(from, value.regs[0]);
            self.convert_reg(raw, Scalar::I64, to)
        } else {
            self.float_reg(to, value.regs[0])
        };
        Value::scalar(to, reg)
    }

    pub(super) fn unary_function(
        &mut self,
        name: &str,
        op: UnaryOp,
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        if !self.count(name, 1, arguments, span) {
            return self.nothing();
        }
        let value = self.value(&arguments[0]);
        let (from, reg) = self.scalar(&value, span);
        let (scalar, result) = match op {
            UnaryOp::PopCount | UnaryOp::LeadingZeros | UnaryOp::FindFirst => (
                if name.ends_with("ll") {
                    Scalar::U64
                } else {
                    Scalar::U32
                },
                Some(Scalar::I32),
            ),
            UnaryOp::ReverseBits => (
                if name.ends_with("ll") {
                    Scalar::U64
                } else {
                    Scalar::U32
                },
                None,
            ),
            UnaryOp::Abs if !name.starts_with('f') => (from.promoted(), None),
            real if real.takes(ScalarType::F32) => (
                if name.ends_with('f') || from == Scalar::F32 {
                    Scalar::F32
                } else {
                    Scalar::F64
                },
                None,
            ),
            // It keeps the type of its operand.
            _ => (from.promoted(), None),
        };
        let reg = self.convert_reg(reg, from, scalar);
        let reg = self.unary_reg(op, scalar, reg);
        Value::scalar(result.unwrap_or(scalar), reg)
    }

    pub(super) fn binary_function(
        &mut self,
        name: &str,
        op: BinaryOp,
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        if !self.count(name, 2, arguments, span) {
            return self.nothing();
        }
        let (a, b) = (self.value(&arguments[0]), self.value(&arguments[1]));
        let (x, a) = self.scalar(&a, span);
        let (y, b) = self.scalar(&b, span);
        let is_of_floats = name.starts_with('f')
            || matches!(
                op,
                BinaryOp::Power | BinaryOp::PowerApprox | BinaryOp::Remainder
            );
        let common = if is_of_floats {
            x.common(y).common(Scalar::F32)
        } else {
            x.common(y)
        };
        let (a, b) = (
            self.convert_reg(a, x, common),
            self.convert_reg(b, y, common),
        );
        let reg = self.binary_reg(op, common, a, b);
        Value::scalar(common, reg)
    }
}
