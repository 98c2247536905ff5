//! Functions of real numbers.

use super::{Lower, Value};
use crate::source::lower::registers::Reg;
use lanescope_frontend::Span;
use lanescope_ir::{BinaryOp, Comparison, UnaryOp};
use lanescope_syntax::{scalar::Scalar, tree::Expr};

/// Functions of one operand that are one operator, without the `f` of single precision.
const UNARY: [(&str, UnaryOp); 36] = [
    ("sqrt", UnaryOp::Sqrt),
    ("exp", UnaryOp::Exp),
    ("exp2", UnaryOp::Exp2),
    ("expm1", UnaryOp::ExpMinusOne),
    ("log", UnaryOp::Log),
    ("log2", UnaryOp::Log2),
    ("log10", UnaryOp::Log10),
    ("log1p", UnaryOp::LogPlusOne),
    ("sin", UnaryOp::Sin),
    ("cos", UnaryOp::Cos),
    ("tan", UnaryOp::Tan),
    ("asin", UnaryOp::Asin),
    ("acos", UnaryOp::Acos),
    ("atan", UnaryOp::Atan),
    ("sinh", UnaryOp::Sinh),
    ("cosh", UnaryOp::Cosh),
    ("tanh", UnaryOp::Tanh),
    ("asinh", UnaryOp::Asinh),
    ("acosh", UnaryOp::Acosh),
    ("atanh", UnaryOp::Atanh),
    ("cbrt", UnaryOp::Cbrt),
    ("erf", UnaryOp::Erf),
    ("erfc", UnaryOp::ErfComplement),
    ("lgamma", UnaryOp::LogGamma),
    ("tgamma", UnaryOp::Gamma),
    ("__exp", UnaryOp::Exp),
    ("__log", UnaryOp::LogApprox),
    ("__log2", UnaryOp::Log2Approx),
    ("__log10", UnaryOp::Log10Approx),
    ("__sin", UnaryOp::SinApprox),
    ("__cos", UnaryOp::CosApprox),
    ("__tan", UnaryOp::TanApprox),
    ("__fsqrt_rn", UnaryOp::Sqrt),
    ("__dsqrt_rn", UnaryOp::Sqrt),
    ("hsqrt", UnaryOp::Sqrt),
    ("hexp", UnaryOp::Exp),
];

/// Those that are made of several operators, with how many operands they have.
const MADE: [(&str, usize); 25] = [
    ("rsqrt", 1),
    ("__frsqrt_rn", 1),
    ("hrsqrt", 1),
    ("__frcp_rn", 1),
    ("__drcp_rn", 1),
    ("hrcp", 1),
    ("rcbrt", 1),
    ("exp10", 1),
    ("__exp10", 1),
    ("sinpi", 1),
    ("cospi", 1),
    ("normcdf", 1),
    ("__saturate", 1),
    ("isnan", 1),
    ("isinf", 1),
    ("isfinite", 1),
    ("atan2", 2),
    ("copysign", 2),
    ("fdim", 2),
    ("hypot", 2),
    ("rhypot", 2),
    ("norm3d", 3),
    ("rnorm3d", 3),
    ("norm4d", 4),
    ("rnorm4d", 4),
];

impl Lower<'_> {
    /// A function of real numbers; `None` for other names.
    pub(super) fn real_function(
        &mut self,
        name: &str,
        arguments: &[Expr],
        span: Span,
    ) -> Option<Value> {
        let (plain, single) = plain(name)?;
        if let Some((_, op)) = UNARY.iter().find(|(known, _)| *known == plain) {
            let (scalar, regs) = self.reals(plain, single, 1, arguments, span)?;
            let angle = *regs.first()?;
            if matches!(op, UnaryOp::Sin | UnaryOp::Cos) {
                self.reduced(*op, scalar, angle, std::f64::consts::FRAC_2_PI, span);
            }
            let reg = self.unary_reg(*op, scalar, angle);
            return Some(Value::scalar(scalar, reg));
        }
        let (_, operands) = MADE.iter().find(|(known, _)| *known == plain)?;
        let (scalar, regs) = self.reals(plain, single, *operands, arguments, span)?;
        Some(self.made(plain, scalar, &regs, span))
    }

    /// The operands as numbers of the type that the function computes in.
    fn reals(
        &mut self,
        name: &str,
        single: bool,
        expected: usize,
        arguments: &[Expr],
        span: Span,
    ) -> Option<(Scalar, Vec<Reg>)> {
        if !self.count(name, expected, arguments, span) {
            return Some((Scalar::F32, vec![self.constant(0); expected]));
        }
        let values = self.values_of(arguments);
        let given: Vec<(Scalar, Reg)> = values
            .iter()
            .map(|value| self.scalar(value, span))
            .collect();
        let scalar = match name {
            _ if single || name.starts_with("__f") => Scalar::F32,
            _ if name.starts_with('h') && name != "hypot" => Scalar::F16,
            _ if given
                .iter()
                .all(|(ty, _)| ty.is_float() && *ty != Scalar::F64) =>
            {
                Scalar::F32
            }
            _ => Scalar::F64,
        };
        let regs = given
            .into_iter()
            .map(|(ty, reg)| self.convert_reg(reg, ty, scalar));
        Some((scalar, regs.collect()))
    }

    fn made(&mut self, name: &str, scalar: Scalar, regs: &[Reg], span: Span) -> Value {
        let x = regs[0];
        let reg = match name {
            "rsqrt" | "__frsqrt_rn" | "hrsqrt" => {
                let root = self.unary_reg(UnaryOp::Sqrt, scalar, x);
                self.inverse(scalar, root)
            }
            "__frcp_rn" | "__drcp_rn" | "hrcp" => self.inverse(scalar, x),
            "rcbrt" => {
                let root = self.unary_reg(UnaryOp::Cbrt, scalar, x);
                self.inverse(scalar, root)
            }
            "exp10" | "__exp10" => {
                let ten = self.real(10.0);
                self.binary_reg(BinaryOp::Power, scalar, ten, x)
            }
            "sinpi" => self.of_half_turns(UnaryOp::Sin, scalar, x, span),
            "cospi" => self.of_half_turns(UnaryOp::Cos, scalar, x, span),
            "normcdf" => {
                let by = self.real(-std::f64::consts::FRAC_1_SQRT_2);
                let scaled = self.binary_reg(BinaryOp::Multiply, scalar, x, by);
                let twice = self.upper_tail(scalar, scaled);
                let half = self.real(0.5);
                self.binary_reg(BinaryOp::Multiply, scalar, twice, half)
            }
            "__saturate" => {
                let (zero, one) = (self.real(0.0), self.real(1.0));
                let high = self.binary_reg(BinaryOp::Minimum, scalar, x, one);
                self.binary_reg(BinaryOp::Maximum, scalar, high, zero)
            }
            "isnan" => return self.tested(Comparison::NotEqual, scalar, x, x),
            "isinf" => {
                let (size, end) = self.size_and_end(scalar, x);
                return self.tested(Comparison::Equal, scalar, size, end);
            }
            "isfinite" => {
                let (size, end) = self.size_and_end(scalar, x);
                return self.tested(Comparison::Less, scalar, size, end);
            }
            "atan2" => self.binary_reg(BinaryOp::ArcTangent, scalar, x, regs[1]),
            "copysign" => self.binary_reg(BinaryOp::CopySign, scalar, x, regs[1]),
            "fdim" => {
                let (apart, zero) = (
                    self.binary_reg(BinaryOp::Subtract, scalar, x, regs[1]),
                    self.real(0.0),
                );
                self.binary_reg(BinaryOp::Maximum, scalar, apart, zero)
            }
            _ => {
                let length = self.length(scalar, regs);
                if name.starts_with('r') {
                    self.inverse(scalar, length)
                } else {
                    length
                }
            }
        };
        Value::scalar(scalar, reg)
    }

    /// One less the error function, by the function whose branches `normcdf` of this type has: `erfcf` has none.
    fn upper_tail(&mut self, scalar: Scalar, x: Reg) -> Reg {
        if scalar == Scalar::F64 {
            return self.unary_reg(UnaryOp::ErfComplement, scalar, x);
        }
        let one = self.real(1.0);
        let below = self.unary_reg(UnaryOp::Erf, scalar, x);
        self.binary_reg(BinaryOp::Subtract, scalar, one, below)
    }

    /// The root of the sum of squares.
    fn length(&mut self, scalar: Scalar, regs: &[Reg]) -> Reg {
        let squares: Vec<Reg> = regs
            .iter()
            .map(|x| self.binary_reg(BinaryOp::Multiply, scalar, *x, *x))
            .collect();
        let mut sum = squares[0];
        for square in &squares[1..] {
            sum = self.binary_reg(BinaryOp::Add, scalar, sum, *square);
        }
        self.unary_reg(UnaryOp::Sqrt, scalar, sum)
    }

    fn inverse(&mut self, scalar: Scalar, ty: Reg) -> Reg {
        let one = self.real(1.0);
        self.binary_reg(BinaryOp::Divide, scalar, one, ty)
    }

    fn of_half_turns(&mut self, op: UnaryOp, scalar: Scalar, turns: Reg, span: Span) -> Reg {
        self.reduced(op, scalar, turns, 2.0, span);
        let pi = self.real(std::f64::consts::PI);
        let angle = self.binary_reg(BinaryOp::Multiply, scalar, turns, pi);
        self.unary_reg(op, scalar, angle)
    }

    /// What reducing the angle of a `double` reads; a number that is known is folded instead.
    fn reduced(&mut self, op: UnaryOp, scalar: Scalar, angle: Reg, quarters: f64, span: Span) {
        if scalar == Scalar::F64 && self.known(angle).is_none() {
            let quarters = self.real(quarters);
            let turns = self.binary_reg(BinaryOp::Multiply, scalar, angle, quarters);
            self.read_coefficients(op, turns, span);
        }
    }

    fn tested(&mut self, op: Comparison, scalar: Scalar, a: Reg, b: Reg) -> Value {
        let reg = self.compare_reg(op, scalar, a, b);
        Value::scalar(Scalar::Bool, reg)
    }

    fn size_and_end(&mut self, scalar: Scalar, x: Reg) -> (Reg, Reg) {
        let size = self.unary_reg(UnaryOp::Abs, scalar, x);
        (size, self.real(f64::INFINITY))
    }

    /// A constant, as registers hold numbers of every precision.
    fn real(&mut self, value: f64) -> Reg {
        self.constant(value.to_bits().cast_signed())
    }
}

/// A name without the `f` that says single precision, and whether it had one.
fn plain(name: &str) -> Option<(&str, bool)> {
    let is_known = |name: &str| {
        UNARY.iter().any(|(known, _)| *known == name)
            || MADE.iter().any(|(known, _)| *known == name)
    };
    if is_known(name) {
        return Some((name, false));
    }
    let short = name.strip_suffix('f')?;
    is_known(short).then_some((short, true))
}

/// The names of these functions, in double precision.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    UNARY
        .iter()
        .map(|one| one.0)
        .chain(MADE.iter().map(|one| one.0))
}
