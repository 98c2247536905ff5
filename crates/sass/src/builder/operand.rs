//! Operands as they are written: parts, signs, pairs, floats, conditions and destinations.

use lanescope_ir::{BinaryOp, Op, Operand, Register, ScalarType, UnaryOp};

use super::{Builder, ZERO, of};
use crate::instruction::{Refused, SassInstruction};
use crate::operand::{Kind, Operand as Written};

impl<'a> Builder<'a> {
    /// `value << shift`.
    pub(crate) fn shifted(&mut self, value: Operand, shift: u8) -> Operand {
        if shift == 0 {
            return value;
        }
        let amount = Operand::Constant(shift.into());
        self.binary(BinaryOp::ShiftLeft, ScalarType::U32, value, amount)
    }

    /// Bits of an operand of 32 bits, without its signs.
    pub(crate) fn bits(&mut self, written: &Written<'_>) -> Result<Operand, Refused> {
        Ok(match &written.kind {
            Kind::Register(name) => self.register(*name).map_or(ZERO, of),
            Kind::Integer(value) => Operand::Constant(value.cast_unsigned() & 0xffff_ffff),
            Kind::Number(value) => Operand::Constant(u64::from(single(*value).to_bits())),
            Kind::Constant(bank, place) => self.constant(*bank, place, ScalarType::U32),
            Kind::Code(label) | Kind::Word(label) => {
                Operand::Constant(self.banks.code_word(label).ok_or(Refused)? & 0xffff_ffff)
            }
            Kind::Predicate(_) | Kind::Barrier(_) | Kind::Memory(_) => return Err(Refused),
        })
    }

    /// An operand of 32 bits as an integer.
    pub(crate) fn word(&mut self, written: &Written<'_>) -> Result<Operand, Refused> {
        let mut value = self.bits(written)?;
        let ty = ScalarType::I32;
        if !matches!(written.suffix, "" | ".reuse" | ".64" | ".U32" | ".S32") {
            value = self.part(value, written.suffix, ScalarType::U8, ScalarType::U16)?;
        }
        if written.absolute {
            value = self.unary(UnaryOp::Abs, ty, value);
        }
        if written.inverted {
            value = self.folded(UnaryOp::Not, value);
        }
        if written.negated {
            value = self.folded(UnaryOp::Negate, value);
        }
        Ok(value)
    }

    /// Complement or negation of a word.
    fn folded(&mut self, op: UnaryOp, value: Operand) -> Operand {
        match (op, value) {
            (UnaryOp::Not, Operand::Constant(bits)) => Operand::Constant(!bits & 0xffff_ffff),
            (UnaryOp::Negate, Operand::Constant(bits)) => {
                Operand::Constant(bits.wrapping_neg() & 0xffff_ffff)
            }
            _ => self.unary(op, ScalarType::I32, value),
        }
    }

    /// A byte (`.B1`) or half (`.H1`) of a word, extended as the types say.
    pub(crate) fn part(
        &mut self,
        value: Operand,
        suffix: &str,
        byte: ScalarType,
        half: ScalarType,
    ) -> Result<Operand, Refused> {
        let (ty, number) = match suffix {
            ".B0" => (byte, 0),
            ".B1" => (byte, 1),
            ".B2" => (byte, 2),
            ".B3" => (byte, 3),
            ".H0" | ".H0_H0" => (half, 0),
            ".H1" | ".H1_H1" => (half, 1),
            _ => return Err(Refused),
        };
        let word = if ty.is_signed() {
            ScalarType::I32
        } else {
            ScalarType::U32
        };
        let position = Operand::Constant(u64::from(number * ty.bits()));
        let length = Operand::Constant(ty.bits().into());
        Ok(self.value(32, |dst| Op::Ternary {
            op: lanescope_ir::TernaryOp::BitFieldExtract,
            ty: word,
            dst,
            a: value,
            b: position,
            c: length,
        }))
    }

    /// An operand of 64 bits as an integer; an immediate of 32 bits is zero-extended, one with a sign sign-extended.
    pub(crate) fn pair(&mut self, written: &Written<'_>) -> Result<Operand, Refused> {
        let value = match &written.kind {
            Kind::Register(name) => {
                let (low, high) = (self.behind(*name, 0), self.behind(*name, 1));
                self.pack(low, high)
            }
            Kind::Integer(value) => Operand::Constant(value.cast_unsigned()),
            Kind::Constant(bank, place) => self.constant(*bank, place, ScalarType::U64),
            Kind::Number(_)
            | Kind::Predicate(_)
            | Kind::Barrier(_)
            | Kind::Memory(_)
            | Kind::Code(_)
            | Kind::Word(_) => return Err(Refused),
        };
        let value = match written.inverted {
            true => self.unary(UnaryOp::Not, ScalarType::I64, value),
            false => value,
        };
        Ok(match written.negated {
            true => self.unary(UnaryOp::Negate, ScalarType::I64, value),
            false => value,
        })
    }

    /// Applies an operand's signs as floating point.
    fn signed(&mut self, written: &Written<'_>, ty: ScalarType, value: Operand) -> Operand {
        let value = match written.absolute {
            true => self.unary(UnaryOp::Abs, ty, value),
            false => value,
        };
        match written.negated {
            true => self.unary(UnaryOp::Negate, ty, value),
            false => value,
        }
    }

    /// An operand as a 32-bit float.
    pub(crate) fn float(&mut self, written: &Written<'_>) -> Result<Operand, Refused> {
        let value = self.bits(written)?;
        Ok(self.signed(written, ScalarType::F32, value))
    }

    /// An operand as a 64-bit float; an immediate stands for the whole.
    pub(crate) fn double(&mut self, written: &Written<'_>) -> Result<Operand, Refused> {
        let value = match &written.kind {
            Kind::Number(value) => Operand::Constant(value.to_bits()),
            Kind::Register(name) => {
                let (low, high) = (self.behind(*name, 0), self.behind(*name, 1));
                self.pack(low, high)
            }
            Kind::Constant(bank, place) => self.constant(*bank, place, ScalarType::U64),
            _ => return Err(Refused),
        };
        Ok(self.signed(written, ScalarType::F64, value))
    }

    /// A predicate that is read.
    pub(crate) fn condition(&mut self, written: &Written<'_>) -> Result<Operand, Refused> {
        let Kind::Predicate(name) = written.kind else {
            return Err(Refused);
        };
        Ok(match (self.predicate(name), written.inverted) {
            (None, inverted) => Operand::Constant((!inverted).into()),
            (Some(register), false) => of(register),
            (Some(register), true) => self.unary(UnaryOp::Not, ScalarType::Bool, of(register)),
        })
    }

    /// A register that is written; a temporary where the value is dropped.
    pub(crate) fn destination(&mut self, written: &Written<'_>) -> Result<Register, Refused> {
        let Kind::Register(name) = written.kind else {
            return Err(Refused);
        };
        Ok(match self.register(name) {
            Some(register) => register,
            None => self.fresh(32),
        })
    }

    /// A predicate that is written; `None` where the value is dropped.
    pub(crate) fn target(&mut self, written: &Written<'_>) -> Result<Option<Register>, Refused> {
        match written.kind {
            Kind::Predicate(name) => Ok(self.predicate(name)),
            _ => Err(Refused),
        }
    }

    /// Writes 64 bits to a pair.
    pub(crate) fn write_pair(
        &mut self,
        written: &Written<'_>,
        value: Operand,
    ) -> Result<(), Refused> {
        let Kind::Register(name) = written.kind else {
            return Err(Refused);
        };
        let parts = vec![self.behind_register(name, 0), self.behind_register(name, 1)];
        if parts.iter().any(Option::is_some) {
            self.emit(Op::Unpack {
                parts,
                part_bits: 32,
                a: value,
            });
        }
        Ok(())
    }

    /// Writes predicates at the end of a row, so that none is changed before all are computed.
    pub(crate) fn write_predicates(&mut self, list: &[(Option<Register>, Operand)]) {
        let guard = self.guard;
        for (dst, value) in list {
            let Some(dst) = *dst else { continue };
            self.assign(dst, ScalarType::Bool, *value);
        }
        self.guard = guard;
    }

    /// Everything that the row may read, for what is not modelled.
    pub(crate) fn reads(&mut self, instruction: &SassInstruction<'_>) -> Vec<Operand> {
        let mut list = Vec::new();
        for written in &instruction.operands {
            match &written.kind {
                Kind::Register(name) => list.extend(self.register(*name).map(of)),
                Kind::Predicate(name) => list.extend(self.predicate(*name).map(of)),
                Kind::Memory(sum) | Kind::Constant(_, sum) => {
                    for term in &sum.terms {
                        list.extend(self.register(term.name).map(of));
                    }
                }
                Kind::Barrier(_)
                | Kind::Integer(_)
                | Kind::Number(_)
                | Kind::Code(_)
                | Kind::Word(_) => {}
            }
        }
        list
    }
}

/// The nearest 32-bit float.
#[allow(clippy::cast_possible_truncation)]
const fn single(value: f64) -> f32 {
    value as f32
}
