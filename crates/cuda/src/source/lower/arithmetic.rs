//! Functions that are a few operators: bits of words, halves and pairs of halves.

use super::{Lower, Value};
use crate::source::ctype::{Struct, Type};
use crate::source::lower::registers::Reg;
use lanescope_frontend::Span;
use lanescope_ir::BinaryOp;
use lanescope_syntax::{scalar::Scalar, tree::Expr};
use std::rc::Rc;

/// Functions of halves, floats and integers that are one operator, with its sign.
const OPERATORS: [(&str, &str); 30] = [
    ("__hadd", "+"),
    ("__hadd2", "+"),
    ("__hsub", "-"),
    ("__hsub2", "-"),
    ("__hmul", "*"),
    ("__hmul2", "*"),
    ("__hdiv", "/"),
    ("__h2div", "/"),
    ("__hgt", ">"),
    ("__hlt", "<"),
    ("__hge", ">="),
    ("__hle", "<="),
    ("__heq", "=="),
    ("__hne", "!="),
    ("__fadd_rn", "+"),
    ("__fsub_rn", "-"),
    ("__fmul_rn", "*"),
    ("__fdiv_rn", "/"),
    ("__fdividef", "/"),
    ("__dadd_rn", "+"),
    ("__dsub_rn", "-"),
    ("__dmul_rn", "*"),
    ("__ddiv_rn", "/"),
    ("__hadd_rn", "+"),
    ("__hsub_rn", "-"),
    ("__hmul_rn", "*"),
    ("__hadd2_rn", "+"),
    ("__hsub2_rn", "-"),
    ("__hmul2_rn", "*"),
    ("fdividef", "/"),
];

impl Lower<'_> {
    /// Functions that are made of operators; all others are looked for elsewhere.
    pub(super) fn arithmetic_function(
        &mut self,
        name: &str,
        arguments: &[Expr],
        span: Span,
    ) -> Value {
        let count = arguments.len();
        if !is_arithmetic(name, count) {
            return self.conversion(name, arguments, span);
        }
        let values: Vec<Value> = arguments
            .iter()
            .map(|argument| self.value(argument))
            .collect();
        if let Some((_, op)) = OPERATORS.iter().find(|(known, _)| *known == name) {
            let whole = values
                .iter()
                .all(|value| value.ty.scalar().is_some_and(|scalar| !scalar.is_float()));
            return if whole && name == "__hadd" {
                self.mean(&values, Scalar::I32, 0, span)
            } else {
                self.binary(op, &values[0], &values[1], span)
            };
        }
        if let Some(value) = self.pair_function(name, &values, span) {
            return value;
        }
        self.bit_function(name, &values, span)
    }

    fn bit_function(&mut self, name: &str, values: &[Value], span: Span) -> Value {
        let last = values.len() - 1;
        match name {
            "__funnelshift_l" | "__funnelshift_lc" | "__funnelshift_r" | "__funnelshift_rc" => {
                self.funnel(name, values, span)
            }
            "__byte_perm" => self.byte_perm(values, span),
            "__mulhi" => self.multiply_high(values, Scalar::I32, span),
            "__umulhi" => self.multiply_high(values, Scalar::U32, span),
            "__mul64hi" => self.multiply_high(values, Scalar::I64, span),
            "__umul64hi" => self.multiply_high(values, Scalar::U64, span),
            "__rhadd" => self.mean(values, Scalar::I32, 1, span),
            "__uhadd" => self.mean(values, Scalar::U32, 0, span),
            "__urhadd" => self.mean(values, Scalar::U32, 1, span),
            "__sad" | "__usad" => {
                let scalar = if name == "__sad" {
                    Scalar::I32
                } else {
                    Scalar::U32
                };
                let (a, b) = (
                    self.number(&values[0], scalar, span),
                    self.number(&values[1], scalar, span),
                );
                let (low, high) = (
                    self.binary_reg(BinaryOp::Minimum, scalar, a, b),
                    self.binary_reg(BinaryOp::Maximum, scalar, a, b),
                );
                let apart = self.binary_reg(BinaryOp::Subtract, Scalar::U32, high, low);
                let more = self.number(&values[last], Scalar::U32, span);
                let reg = self.binary_reg(BinaryOp::Add, Scalar::U32, apart, more);
                Value::scalar(Scalar::U32, reg)
            }
            _ => self.dot_of_bytes(name, values, span),
        }
    }

    /// A value as a number of this type.
    fn number(&mut self, value: &Value, to: Scalar, span: Span) -> Reg {
        let (from, reg) = self.scalar(value, span);
        self.convert_reg(reg, from, to)
    }

    /// `(high << 32 | low)`, as 64 bits.
    fn joined_words(&mut self, low: &Value, high: &Value, span: Span) -> Reg {
        let (low, high) = (
            self.number(low, Scalar::U32, span),
            self.number(high, Scalar::U32, span),
        );
        let by = self.constant(32);
        let high = self.binary_reg(BinaryOp::ShiftLeft, Scalar::U64, high, by);
        self.binary_reg(BinaryOp::Or, Scalar::U64, high, low)
    }

    fn funnel(&mut self, name: &str, values: &[Value], span: Span) -> Value {
        let both = self.joined_words(&values[0], &values[1], span);
        let by = self.number(&values[2], Scalar::U32, span);
        let by = if name.ends_with('c') {
            let most = self.constant(32);
            self.binary_reg(BinaryOp::Minimum, Scalar::U32, by, most)
        } else {
            let mask = self.constant(31);
            self.binary_reg(BinaryOp::And, Scalar::U32, by, mask)
        };
        let reg = if name.contains("_l") {
            let word = self.constant(32);
            let moved = self.binary_reg(BinaryOp::ShiftLeft, Scalar::U64, both, by);
            self.binary_reg(BinaryOp::ShiftRight, Scalar::U64, moved, word)
        } else {
            self.binary_reg(BinaryOp::ShiftRight, Scalar::U64, both, by)
        };
        Value::scalar(Scalar::U32, self.convert_reg(reg, Scalar::U64, Scalar::U32))
    }

    /// Byte i of the result is the byte of the two words that bits 4 i to 4 i + 2 of the third name.
    fn byte_perm(&mut self, values: &[Value], span: Span) -> Value {
        let both = self.joined_words(&values[0], &values[1], span);
        let selector = self.number(&values[2], Scalar::U32, span);
        let (seven, three, mask) = (self.constant(7), self.constant(3), self.constant(255));
        let mut all = self.constant(0);
        for i in 0..4 {
            let at = self.constant(4 * i);
            let chosen = self.binary_reg(BinaryOp::ShiftRight, Scalar::U32, selector, at);
            let chosen = self.binary_reg(BinaryOp::And, Scalar::U32, chosen, seven);
            let bits = self.binary_reg(BinaryOp::ShiftLeft, Scalar::U32, chosen, three);
            let byte = self.binary_reg(BinaryOp::ShiftRight, Scalar::U64, both, bits);
            let byte = self.binary_reg(BinaryOp::And, Scalar::U64, byte, mask);
            let to = self.constant(8 * i);
            let placed = self.binary_reg(BinaryOp::ShiftLeft, Scalar::U64, byte, to);
            all = self.binary_reg(BinaryOp::Or, Scalar::U64, all, placed);
        }
        Value::scalar(Scalar::U32, all)
    }

    fn multiply_high(&mut self, values: &[Value], scalar: Scalar, span: Span) -> Value {
        let (a, b) = (
            self.number(&values[0], scalar, span),
            self.number(&values[1], scalar, span),
        );
        Value::scalar(
            scalar,
            self.binary_reg(BinaryOp::MultiplyHigh, scalar, a, b),
        )
    }

    /// Half the sum of two numbers, which does not overflow.
    fn mean(&mut self, values: &[Value], scalar: Scalar, more: i64, span: Span) -> Value {
        let (a, b) = (
            self.number(&values[0], scalar, span),
            self.number(&values[1], scalar, span),
        );
        let (one, more) = (self.constant(1), self.constant(more));
        let sum = self.binary_reg(BinaryOp::Add, Scalar::I64, a, b);
        let sum = self.binary_reg(BinaryOp::Add, Scalar::I64, sum, more);
        let half = self.binary_reg(BinaryOp::ShiftRight, Scalar::I64, sum, one);
        Value::scalar(scalar, self.convert_reg(half, Scalar::I64, scalar))
    }

    /// `__dp4a`: the products of four bytes each, summed.
    fn dot_of_bytes(&mut self, name: &str, values: &[Value], span: Span) -> Value {
        let signed = values[0].ty.scalar().is_some_and(Scalar::is_signed);
        let scalar = if signed { Scalar::I32 } else { Scalar::U32 };
        let byte = if signed { Scalar::I8 } else { Scalar::U8 };
        debug_assert_eq!(name, "__dp4a");
        let (a, b) = (
            self.number(&values[0], scalar, span),
            self.number(&values[1], scalar, span),
        );
        let mut sum = self.number(&values[2], scalar, span);
        for i in 0..4 {
            let by = self.constant(8 * i);
            let [x, y] = [a, b].map(|word| {
                let moved = self.binary_reg(BinaryOp::ShiftRight, scalar, word, by);
                self.convert_reg(moved, scalar, byte)
            });
            let product = self.binary_reg(BinaryOp::Multiply, scalar, x, y);
            sum = self.binary_reg(BinaryOp::Add, scalar, sum, product);
        }
        Value::scalar(scalar, sum)
    }

    /// Functions that make, take apart or compute pairs of halves.
    fn pair_function(&mut self, name: &str, values: &[Value], span: Span) -> Option<Value> {
        let half = |at| Some(Value::scalar(Scalar::F16, field(&values[0], at)?));
        let (made, parts): (&str, Vec<Value>) = match name {
            "__low2half" | "__low2bfloat16" => return half(0),
            "__high2half" | "__high2bfloat16" => return half(1),
            "__low2float" | "__high2float" => {
                let one = half(usize::from(name.starts_with("__high")))?;
                return Some(self.convert(one, &Type::Scalar(Scalar::F32), span));
            }
            "__hneg" | "__hneg2" => {
                let zero = self.whole(0, Scalar::I32);
                return Some(self.binary("-", &zero, &values[0], span));
            }
            "__hfma" | "__hfma2" => {
                let product = self.binary("*", &values[0], &values[1], span);
                return Some(self.binary("+", &product, &values[2], span));
            }
            "__hmax" | "__hmin" | "__hmax2" | "__hmin2" => {
                return Some(self.extreme(name.starts_with("__hmax"), values, span));
            }
            "__half22float2" | "__bfloat1622float2" => ("float2", vec![half(0)?, half(1)?]),
            "__low2half2" | "__low2bfloat162" => ("half2", vec![half(0)?, half(0)?]),
            "__high2half2" | "__high2bfloat162" => ("half2", vec![half(1)?, half(1)?]),
            "__float2half2_rn"
            | "__half2half2"
            | "__float2bfloat162_rn"
            | "__bfloat162bfloat162" => ("half2", vec![values[0].clone(), values[0].clone()]),
            "make_half2"
            | "__halves2half2"
            | "__floats2half2_rn"
            | "__halves2bfloat162"
            | "__floats2bfloat162_rn" => ("half2", values[..2].to_vec()),
            "__float22half2_rn" | "__float22bfloat162_rn" => {
                let float = |at| Some(Value::scalar(Scalar::F32, field(&values[0], at)?));
                ("half2", vec![float(0)?, float(1)?])
            }
            "__lows2half2" | "__highs2half2" => {
                let at = usize::from(name.starts_with("__highs"));
                let second = Value::scalar(Scalar::F16, field(&values[1], at)?);
                ("half2", vec![half(at)?, second])
            }
            _ => return None,
        };
        let ty = Type::Struct(Rc::new(Struct::vector(made)?));
        let made = self.fields_of(&ty, parts, span);
        Some(if packs(name) { self.packed(made) } else { made })
    }

    /// A pair that inline assembly of two operands packs (`mov.b32`, `cvt.rn.f16x2.f32`): compilers leave it where it
    /// stands, as they do with other arithmetic of halves. The greater of a number and itself is that number.
    fn packed(&mut self, pair: Value) -> Value {
        let op = BinaryOp::Maximum;
        let regs = pair.regs.iter();
        let regs = regs.map(|reg| self.binary_reg(op, Scalar::F16, *reg, *reg));
        Value {
            regs: regs.collect(),
            ty: pair.ty,
        }
    }

    /// The greater or the less of two values, number by number.
    fn extreme(&mut self, greatest: bool, values: &[Value], _span: Span) -> Value {
        let op = if greatest {
            BinaryOp::Maximum
        } else {
            BinaryOp::Minimum
        };
        let regs = values[0].regs.iter().zip(&values[1].regs);
        let regs: Vec<(Reg, Reg)> = regs.map(|(a, b)| (*a, *b)).collect();
        let regs = regs
            .into_iter()
            .map(|(a, b)| self.binary_reg(op, Scalar::F16, a, b))
            .collect();
        Value {
            ty: values[0].ty.clone(),
            regs,
        }
    }
}

/// Whether a function of halves packs two operands into a word.
fn packs(name: &str) -> bool {
    [
        "__halves2half2",
        "__floats2half2_rn",
        "__halves2bfloat162",
        "__floats2bfloat162_rn",
        "__float22half2_rn",
        "__float22bfloat162_rn",
        "__lows2half2",
        "__highs2half2",
    ]
    .contains(&name)
}

/// The register of one number of a value; of the last where there are fewer.
fn field(value: &Value, at: usize) -> Option<Reg> {
    value.regs.get(at).or(value.regs.last()).copied()
}

/// Whether a function of so many arguments is one of those made of operators.
fn is_arithmetic(name: &str, count: usize) -> bool {
    let expected = match name {
        "__low2half"
        | "__high2half"
        | "__low2bfloat16"
        | "__high2bfloat16"
        | "__low2float"
        | "__high2float"
        | "__hneg"
        | "__hneg2"
        | "__half22float2"
        | "__bfloat1622float2"
        | "__low2half2"
        | "__low2bfloat162"
        | "__high2half2"
        | "__high2bfloat162"
        | "__float2half2_rn"
        | "__half2half2"
        | "__float2bfloat162_rn"
        | "__bfloat162bfloat162"
        | "__float22half2_rn"
        | "__float22bfloat162_rn" => 1,
        "__hmax"
        | "__hmin"
        | "__hmax2"
        | "__hmin2"
        | "make_half2"
        | "__halves2half2"
        | "__floats2half2_rn"
        | "__halves2bfloat162"
        | "__floats2bfloat162_rn"
        | "__lows2half2"
        | "__highs2half2"
        | "__mulhi"
        | "__umulhi"
        | "__mul64hi"
        | "__umul64hi"
        | "__rhadd"
        | "__uhadd"
        | "__urhadd" => 2,
        "__hfma" | "__hfma2" | "__funnelshift_l" | "__funnelshift_lc" | "__funnelshift_r"
        | "__funnelshift_rc" | "__byte_perm" | "__sad" | "__usad" | "__dp4a" => 3,
        _ if OPERATORS.iter().any(|(known, _)| *known == name) => 2,
        _ => return false,
    };
    count == expected
}
