//! Spellings of one function: roundings, saturation, and pairs of halves.

use super::{Lower, Value};
use crate::source::ctype::Type;
use lanescope_frontend::Span;
use lanescope_ir::{BinaryOp, UnaryOp};
use lanescope_syntax::{scalar::Scalar, tree::Expr};

/// Endings that say how a result is rounded.
const ROUNDINGS: [&str; 4] = ["_rn", "_rz", "_rd", "_ru"];

/// Conversions' names of types.
const TYPES: [(&str, Scalar); 12] = [
    ("char", Scalar::I8),
    ("uchar", Scalar::U8),
    ("short", Scalar::I16),
    ("ushort", Scalar::U16),
    ("int", Scalar::I32),
    ("uint", Scalar::U32),
    ("ll", Scalar::I64),
    ("ull", Scalar::U64),
    ("half", Scalar::F16),
    ("bfloat16", Scalar::F16),
    ("float", Scalar::F32),
    ("double", Scalar::F64),
];

/// Functions of a half, and the end of their names behind `h`, `h2` or `__h`.
const OF_HALVES: [(&str, UnaryOp); 16] = [
    ("sqrt", UnaryOp::Sqrt),
    ("exp", UnaryOp::Exp),
    ("exp2", UnaryOp::Exp2),
    ("log", UnaryOp::Log),
    ("log2", UnaryOp::Log2),
    ("log10", UnaryOp::Log10),
    ("sin", UnaryOp::Sin),
    ("cos", UnaryOp::Cos),
    ("tanh", UnaryOp::Tanh),
    ("tanh_approx", UnaryOp::Tanh),
    ("floor", UnaryOp::Floor),
    ("ceil", UnaryOp::Ceil),
    ("trunc", UnaryOp::Truncate),
    ("rint", UnaryOp::RoundEven),
    ("abs", UnaryOp::Abs),
    ("abs2", UnaryOp::Abs),
];

/// Other names of functions that are known.
const OTHERS: [(&str, &str); 17] = [
    ("__fmaf_ieee_rn", "fma"),
    ("__fma_rn", "fma"),
    ("__fmaf_rn", "fma"),
    ("fdivide", "fdividef"),
    ("llabs", "labs"),
    ("llmax", "max"),
    ("llmin", "min"),
    ("ullmax", "max"),
    ("ullmin", "min"),
    ("__hmax_nan", "__hmax"),
    ("__hmin_nan", "__hmin"),
    ("__hmax2_nan", "__hmax2"),
    ("__hmin2_nan", "__hmin2"),
    ("__lows2bfloat162", "__lows2half2"),
    ("__highs2bfloat162", "__highs2half2"),
    ("make_bfloat162", "make_half2"),
    ("__hisnan", "isnan"),
];

/// The name of a function that is known, for one that differs from it in rounding alone, or in its spelling.
pub(super) fn plain(name: &str) -> &str {
    if let Some((_, known)) = OTHERS.iter().find(|(other, _)| *other == name) {
        return known;
    }
    let is_arithmetic = ["__fadd", "__fsub", "__fmul", "__fdiv", "__frcp", "__fsqrt"]
        .iter()
        .chain(&["__dadd", "__dsub", "__dmul", "__ddiv", "__drcp", "__dsqrt"])
        .any(|known| name.starts_with(known));
    let rounded = ROUNDINGS.iter().find(|ending| name.ends_with(**ending));
    match rounded {
        Some(_) if name.starts_with("__fmaf") || name.starts_with("__fma_") => "fma",
        Some(_) if is_arithmetic => nearest(name),
        _ => name,
    }
}

/// The function that rounds to the nearest.
fn nearest(name: &str) -> &'static str {
    let known = [
        "__fadd_rn",
        "__fsub_rn",
        "__fmul_rn",
        "__fdiv_rn",
        "__frcp_rn",
        "__fsqrt_rn",
        "__dadd_rn",
        "__dsub_rn",
        "__dmul_rn",
        "__ddiv_rn",
        "__drcp_rn",
        "__dsqrt_rn",
    ];
    let stem = name.get(..name.len().saturating_sub(3)).unwrap_or(name);
    let found = known.iter().find(|known| known.starts_with(stem));
    found.copied().unwrap_or("")
}

/// The types that a conversion such as `__ll2float_rd` goes between.
fn conversion(name: &str) -> Option<(Scalar, Scalar)> {
    let rest = name.strip_prefix("__")?;
    let ending = ROUNDINGS
        .iter()
        .find_map(|ending| rest.strip_suffix(ending));
    let (from, to) = ending.unwrap_or(rest).split_once('2')?;
    let scalar = |name: &str| TYPES.iter().find(|(known, _)| *known == name);
    let (from, to) = (scalar(from)?.1, scalar(to)?.1);
    // To whole numbers the rounding matters; those are known by name.
    (!from.is_float() || to.is_float() || name.ends_with("_rz")).then_some((from, to))
}

impl Lower<'_> {
    /// A function whose name says what it does: a conversion, or one of halves; `None` for others.
    pub(super) fn spelled_function(
        &mut self,
        name: &str,
        arguments: &[Expr],
        span: Span,
    ) -> Option<Value> {
        let [argument] = arguments else {
            return self.saturated(name, arguments, span);
        };
        if let Some((from, to)) = conversion(name) {
            let value = self.value(argument);
            let value = self.convert(value, &Type::Scalar(from), span);
            return Some(self.convert(value, &Type::Scalar(to), span));
        }
        let plain = name.strip_prefix("h2").or_else(|| name.strip_prefix("__h"));
        let plain = plain.or_else(|| name.strip_prefix('h'))?;
        if plain == "rcp" || plain == "rsqrt" || plain == "exp10" {
            return Some(self.made_of_halves(plain, argument));
        }
        let (_, op) = OF_HALVES.iter().find(|(known, _)| *known == plain)?;
        let value = self.value(argument);
        let value = if matches!(value.ty, Type::Scalar(_)) {
            self.convert(value, &Type::Scalar(Scalar::F16), span)
        } else {
            value
        };
        let regs = value.regs.iter();
        let regs = regs.map(|reg| self.unary_reg(*op, Scalar::F16, *reg));
        let regs = regs.collect();
        Some(Value { regs, ..value })
    }

    fn made_of_halves(&mut self, name: &str, argument: &Expr) -> Value {
        let value = self.value(argument);
        let (one, ten) = (self.real_constant(1.0), self.real_constant(10.0));
        let mut regs = Vec::new();
        for reg in &value.regs {
            regs.push(match name {
                "exp10" => self.binary_reg(BinaryOp::Power, Scalar::F16, ten, *reg),
                "rsqrt" => {
                    let root = self.unary_reg(UnaryOp::Sqrt, Scalar::F16, *reg);
                    self.binary_reg(BinaryOp::Divide, Scalar::F16, one, root)
                }
                _ => self.binary_reg(BinaryOp::Divide, Scalar::F16, one, *reg),
            });
        }
        Value { regs, ..value }
    }

    /// `__hadd_sat` and its kin: the result between zero and one.
    fn saturated(&mut self, name: &str, arguments: &[Expr], span: Span) -> Option<Value> {
        let plain = name.strip_suffix("_sat")?;
        if !plain.starts_with("__h") {
            return None;
        }
        let value = self.arithmetic_function(plain, arguments, span);
        let (zero, one) = (self.real_constant(0.0), self.real_constant(1.0));
        let mut regs = Vec::new();
        for reg in &value.regs {
            let most = self.binary_reg(BinaryOp::Minimum, Scalar::F16, *reg, one);
            regs.push(self.binary_reg(BinaryOp::Maximum, Scalar::F16, most, zero));
        }
        Some(Value { regs, ..value })
    }

    fn real_constant(&mut self, value: f64) -> crate::source::lower::registers::Reg {
        self.constant(value.to_bits().cast_signed())
    }
}
