//! Values: operands as expressions, results as what a register keeps.

use lanescope_ir::{Instruction, Op, Operand, Register, ScalarType};

use crate::RefusalKind;
use crate::expression::{Expr, Form, literal};
use crate::kinds::{Kind, Scalar};
use crate::writer::Writer;

/// Longest expression that is written where its one use is, not before.
const LONGEST_INLINE: usize = 72;

impl<'k> Writer<'k, '_> {
    /// The one instruction that writes a register, where there is just one and it only computes.
    pub(crate) fn definition(&self, register: Register) -> Option<&'k Instruction> {
        let written = self.facts.written.get(register.index())?;
        let instruction = written.instruction?;
        (written.count == 1 && instruction.guard.is_none() && instruction.op.is_pure())
            .then_some(instruction)
    }

    /// Whether a register holds one value from where it is written on.
    pub(crate) fn is_constant_in_time(&self, operand: Operand) -> bool {
        operand.register().is_none_or(|register| {
            let written = self.facts.written.get(register.index());
            written.is_some_and(|written| written.count == 1)
        })
    }

    pub(crate) fn kind(&self, register: Register) -> Kind {
        let kind = self.facts.kinds.get(register.index());
        kind.copied().unwrap_or(Kind::Word(Scalar::U32))
    }

    /// A register's value as its variable has it.
    pub(crate) fn register(&mut self, register: Register) -> Result<Expr, RefusalKind> {
        if let Some(expr) = self.inlined(register)? {
            return Ok(expr);
        }
        self.note_read(register);
        let text = format!("r{}", register.0);
        Ok(match self.kind(register) {
            Kind::Flag => Expr::flag(text),
            Kind::Word(scalar) => Expr::word(scalar, text),
            Kind::Low | Kind::Unsigned | Kind::Signed => Expr::u32(text),
            Kind::Pair => Expr::pair(text),
        })
    }

    /// What is written in place of a register: what launches say, and what is read once and short.
    fn inlined(&mut self, register: Register) -> Result<Option<Expr>, RefusalKind> {
        let Some(instruction) = self.definition(register) else {
            return Ok(None);
        };
        let is_leaf = matches!(instruction.op, Op::Special { .. } | Op::Parameter { .. });
        let is_short = self.inline_depth < 6
            && self.facts.uses.get(register.index()) == Some(&1)
            && instruction
                .op
                .uses()
                .into_iter()
                .all(|one| self.is_constant_in_time(one));
        if !is_leaf && !is_short {
            return Ok(None);
        }
        let read = self.read.clone();
        self.inline_depth += 1;
        let expr = self.computed(instruction);
        self.inline_depth -= 1;
        let kept = self.as_kept(register, expr?);
        if !is_leaf && kept.text.len() > LONGEST_INLINE {
            self.read = read;
            return Ok(None);
        }
        Ok(Some(kept))
    }

    /// An expression in the form in which a register keeps it.
    pub(crate) fn as_kept(&self, register: Register, expr: Expr) -> Expr {
        match (self.kind(register), expr.form) {
            (Kind::Flag, Form::Flag) | (Kind::Pair, Form::Pair) => expr,
            (Kind::Flag, _) => Expr::flag(format!("{} != 0u", expr.inner_word(Scalar::U32))),
            (Kind::Word(scalar), _) => Expr::word(scalar, expr.as_word(scalar)),
            (Kind::Low | Kind::Unsigned | Kind::Signed, _) => Expr::u32(expr.as_word(Scalar::U32)),
            (Kind::Pair, _) => expr.zero_extended(),
        }
    }

    /// A constant as a word.
    pub(crate) fn constant(&mut self, scalar: Scalar, bits: u64) -> Expr {
        let bits = low(bits);
        match literal(scalar, bits) {
            Some(text) => Expr::word(scalar, text),
            None => {
                // Not a constant expression, which compilers refuse where it is no number.
                self.bits.insert(bits);
                Expr::word(scalar, format!("bitcast<f32>(bits_{bits:08x})"))
            }
        }
    }

    /// The low word of an operand as `scalar`.
    pub(crate) fn word(&mut self, operand: Operand, scalar: Scalar) -> Result<Expr, RefusalKind> {
        match operand {
            Operand::Constant(bits) => Ok(self.constant(scalar, bits)),
            Operand::Register(register) => {
                let expr = self.register(register)?;
                Ok(Expr::word(scalar, expr.as_word(scalar)))
            }
        }
    }

    /// A predicate.
    pub(crate) fn flag(&mut self, operand: Operand) -> Result<Expr, RefusalKind> {
        match operand {
            Operand::Constant(bits) => Ok(Expr::flag(if bits & 1 == 1 { "true" } else { "false" })),
            Operand::Register(register) => self.register(register),
        }
    }

    /// An operand of up to 32 bits as an expression on which operators of `ty` work: narrow integers extended, narrow
    /// floats as `f32`.
    pub(crate) fn typed(&mut self, operand: Operand, ty: ScalarType) -> Result<Expr, RefusalKind> {
        let masked = match operand {
            Operand::Constant(bits) => Operand::Constant(bits & ty.mask()),
            register @ Operand::Register(_) => register,
        };
        match ty {
            ScalarType::Bool => self.flag(masked),
            ScalarType::I8 | ScalarType::I16 => {
                if let Operand::Constant(bits) = masked {
                    let value = lanescope_ir::eval::sign_extend(bits, ty.bits());
                    return Ok(self.constant(Scalar::I32, value.cast_unsigned()));
                }
                let word = self.word(masked, Scalar::I32)?;
                let bits = ty.bits();
                let text = format!("extractBits({}, 0u, {bits}u)", word.text);
                Ok(Expr::word(Scalar::I32, text))
            }
            ScalarType::F16 => {
                let word = self.word(masked, Scalar::U32)?;
                let name = self.helper("f32_of_f16");
                Ok(Expr::word(Scalar::F32, format!("{name}({})", word.text)))
            }
            ScalarType::BF16 => {
                let word = self.word(masked, Scalar::U32)?;
                let text = format!("bitcast<f32>({} << 16u)", word.inner());
                Ok(Expr::word(Scalar::F32, text))
            }
            ScalarType::U8 | ScalarType::U16 | ScalarType::U32 => self.word(masked, Scalar::U32),
            ScalarType::I32 => self.word(masked, Scalar::I32),
            ScalarType::F32 => self.word(masked, Scalar::F32),
            ScalarType::I64 | ScalarType::U64 => self.pair(masked),
            ScalarType::F64 => Err(RefusalKind::Double),
        }
    }

    /// The result of an operator of `ty` as a register keeps it: narrow ones with zeros above.
    pub(crate) fn narrowed(&mut self, ty: ScalarType, expr: Expr) -> Expr {
        match ty {
            ScalarType::I8 | ScalarType::U8 | ScalarType::I16 | ScalarType::U16 => {
                let mask = ty.mask();
                Expr::u32(format!("{} & {mask}u", expr.inner_word(Scalar::U32)))
            }
            ScalarType::F16 => {
                let name = self.helper("f16_of_f32");
                Expr::u32(format!("{name}({})", expr.as_word(Scalar::F32)))
            }
            ScalarType::BF16 => {
                let name = self.helper("bf16_of_f32");
                Expr::u32(format!("{name}({})", expr.as_word(Scalar::F32)))
            }
            ScalarType::Bool
            | ScalarType::I32
            | ScalarType::U32
            | ScalarType::F32
            | ScalarType::I64
            | ScalarType::U64
            | ScalarType::F64 => expr,
        }
    }

    /// All 64 bits of an operand.
    pub(crate) fn pair(&mut self, operand: Operand) -> Result<Expr, RefusalKind> {
        match operand {
            Operand::Constant(bits) => Ok(Expr::pair(format!(
                "vec2<u32>({}u, {}u)",
                low(bits),
                low(bits >> 32)
            ))),
            Operand::Register(register) => {
                let expr = self.register(register)?;
                if self.kind(register) == Kind::Signed {
                    let name = self.helper("i64_of_i32");
                    let word = expr.as_word(Scalar::I32);
                    return Ok(Expr::pair(format!("{name}({word})")));
                }
                Ok(expr.zero_extended())
            }
        }
    }

    /// Whether 32 bits read unsigned, or signed, are all of a 64-bit operand.
    pub(crate) fn fits(&self, operand: Operand, signed: bool) -> bool {
        match operand {
            Operand::Constant(bits) if signed => i32::try_from(bits.cast_signed()).is_ok(),
            Operand::Constant(bits) => u32::try_from(bits).is_ok(),
            Operand::Register(register) => {
                let interval = self.facts.intervals.get(register.index());
                interval.is_some_and(|one| if signed { one.is_i32() } else { one.is_u32() })
            }
        }
    }

    /// The greatest value that the bits of an operand of up to 32 bits have.
    pub(crate) fn most(&self, operand: Operand) -> u64 {
        match operand {
            Operand::Constant(bits) => bits,
            Operand::Register(register) => {
                let interval = self.facts.intervals.get(register.index());
                interval.map_or(u64::MAX, |one| u64::try_from(one.high).unwrap_or(u64::MAX))
            }
        }
    }
}

/// The low word.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the low bits are what is asked for"
)]
pub(crate) const fn low(bits: u64) -> u32 {
    bits as u32
}
