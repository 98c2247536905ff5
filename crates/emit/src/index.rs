//! Indices: addresses as places in the array that an object is in WGSL.
//!
//! An address is a sum; where each term is a multiple of an element's bytes, the index is the sum of their quotients, as
//! the source has it. That holds modulo 2^32, as offsets lie below.

use lanescope_ir::{Address, BinaryOp, Op, Operand, Register, SpecialRegister, TernaryOp, UnaryOp};

use crate::RefusalKind;
use crate::expression::enclosed;
use crate::kinds::Scalar;
use crate::value::low;
use crate::writer::Writer;

/// Deepest sum that an index is taken from.
const DEEPEST: u32 = 12;

/// Terms of an index and what is added to them.
#[derive(Default)]
struct Terms {
    terms: Vec<String>,
    constant: i64,
}

impl Terms {
    fn text(self) -> String {
        let sum = self.terms.join(" + ");
        let constant = low(self.constant.cast_unsigned());
        match (sum.is_empty(), self.constant) {
            (true, _) => format!("{constant}u"),
            (false, 0) => sum,
            (false, ..0) => format!("{sum} - {}u", 0_u32.wrapping_sub(constant)),
            (false, _) => format!("{sum} + {constant}u"),
        }
    }
}

impl Writer<'_, '_> {
    /// Whether an operand is the first byte of its object.
    pub(crate) fn is_start(&self, operand: Operand) -> bool {
        let op = operand
            .register()
            .and_then(|register| self.definition(register))
            .map(|instruction| &instruction.op);
        match op {
            Some(Op::Special { register, .. }) => match register {
                SpecialRegister::ArrayAddress(id) => self.array_base(*id) == 0,
                SpecialRegister::LocalWindow | SpecialRegister::SharedWindow => true,
                _ => false,
            },
            Some(Op::Parameter { dst, .. }) => self.is_pointer(*dst),
            _ => false,
        }
    }

    /// The place of an address in elements of `2^shift` bytes.
    pub(crate) fn index(&mut self, address: &Address, shift: u32) -> Result<String, RefusalKind> {
        let read = self.read.clone();
        let mut terms = Terms::default();
        let operands = [Some(address.base), address.index];
        let constant = Operand::Constant(address.offset.cast_unsigned());
        for operand in operands.into_iter().flatten().chain([constant]) {
            if !self.terms(operand, shift, &mut terms, 0)? {
                self.read = read;
                let bytes = self.byte_offset(address)?;
                return Ok(format!("{} >> {shift}u", enclosed(&bytes)));
            }
        }
        Ok(terms.text())
    }

    /// The place of an address in bytes.
    fn byte_offset(&mut self, address: &Address) -> Result<String, RefusalKind> {
        let mut terms = Terms {
            terms: Vec::new(),
            constant: address.offset,
        };
        for operand in [Some(address.base), address.index].into_iter().flatten() {
            match operand {
                Operand::Constant(bits) => {
                    terms.constant = terms.constant.wrapping_add(bits.cast_signed());
                }
                Operand::Register(_) if self.is_start(operand) => {}
                Operand::Register(_) => {
                    let word = self.word(operand, Scalar::U32)?;
                    terms.terms.push(word.inner());
                }
            }
        }
        Ok(terms.text())
    }

    /// Adds an operand divided by `2^shift` to the terms; false where it has no such quotient.
    fn terms(
        &mut self,
        operand: Operand,
        shift: u32,
        terms: &mut Terms,
        depth: u32,
    ) -> Result<bool, RefusalKind> {
        let unit = 1_i64 << shift;
        let register = match operand {
            Operand::Constant(bits) => {
                let value = bits.cast_signed();
                terms.constant = terms.constant.wrapping_add(value / unit);
                return Ok(value % unit == 0);
            }
            Operand::Register(register) => register,
        };
        if self.is_start(operand) {
            return Ok(true);
        }
        if shift == 0 {
            let word = self.word(operand, Scalar::U32)?;
            terms.terms.push(word.inner());
            return Ok(true);
        }
        let Some(instruction) = self.definition(register).filter(|_| depth < DEEPEST) else {
            return Ok(false);
        };
        let mut operands = instruction.op.uses().into_iter();
        if !operands.all(|operand| self.is_constant_in_time(operand)) {
            return Ok(false);
        }
        match &instruction.op {
            Op::Unary {
                op: UnaryOp::Move,
                a,
                ..
            } => self.terms(*a, shift, terms, depth + 1),
            Op::Binary {
                op: BinaryOp::Add,
                ty,
                a,
                b,
                ..
            } if ty.bits() == 64 => Ok(self.terms(*a, shift, terms, depth + 1)?
                && self.terms(*b, shift, terms, depth + 1)?),
            Op::Binary {
                op: BinaryOp::Subtract,
                ty,
                a,
                b: Operand::Constant(bits),
                ..
            } if ty.bits() == 64 => {
                let negative = Operand::Constant(0_u64.wrapping_sub(*bits));
                Ok(self.terms(*a, shift, terms, depth + 1)?
                    && self.terms(negative, shift, terms, depth + 1)?)
            }
            Op::Binary {
                op: BinaryOp::Multiply | BinaryOp::MultiplyWide,
                a,
                b,
                ..
            } if self.bits(register) == 64 && is_positive(*a, *b) => {
                self.product(*a, *b, shift, terms)
            }
            Op::Binary {
                op: BinaryOp::ShiftLeft,
                ty,
                a,
                b: Operand::Constant(by),
                ..
            } if ty.bits() == 64 && *by < 32 => {
                self.product(*a, Operand::Constant(1 << by), shift, terms)
            }
            Op::Ternary {
                op: TernaryOp::MultiplyAdd | TernaryOp::MultiplyAddWide,
                a,
                b,
                c,
                ..
            } if self.bits(register) == 64 && is_positive(*a, *b) => Ok(self
                .product(*a, *b, shift, terms)?
                && self.terms(*c, shift, terms, depth + 1)?),
            // The address is computed in bytes.
            _ => Ok(false),
        }
    }

    fn bits(&self, register: Register) -> u8 {
        let bits = self.facts.kernel.registers.get(register.index());
        bits.copied().unwrap_or(0)
    }

    /// A product of which one factor is a constant that has the quotient.
    fn product(
        &mut self,
        a: Operand,
        b: Operand,
        shift: u32,
        terms: &mut Terms,
    ) -> Result<bool, RefusalKind> {
        let (factor, constant) = match (a, b) {
            (factor, Operand::Constant(bits)) | (Operand::Constant(bits), factor) => (factor, bits),
            (Operand::Register(_), Operand::Register(_)) => return Ok(false),
        };
        if constant % (1 << shift) != 0 {
            return Ok(false);
        }
        let times = low(constant >> shift);
        if let Operand::Constant(bits) = factor {
            let product = bits.wrapping_mul(constant >> shift).cast_signed();
            terms.constant = terms.constant.wrapping_add(product);
            return Ok(true);
        }
        // Of a narrower factor the product is as wide as the result: its low word is that of the words.
        let word = self.word(factor, Scalar::U32)?;
        terms.terms.push(match times {
            1 if word.text.contains(" + ")
                && !word.text.contains(['&', '|', '^', '<', '>', '?']) =>
            {
                word.text
            }
            1 => word.inner(),
            _ => format!("{} * {times}u", word.inner()),
        });
        Ok(true)
    }
}

/// Whether no factor is a constant that is negative as a word.
fn is_positive(a: Operand, b: Operand) -> bool {
    let is_negative = |bits: u64| (1 << 31..1 << 32).contains(&bits);
    [a, b]
        .iter()
        .all(|one| !one.constant().is_some_and(is_negative))
}
