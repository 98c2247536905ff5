//! Scalar video instructions: arithmetic on bytes and halves of words, in 34 bits or more, then saturation and a
//! second operation.

use super::Lowering;
use super::arithmetic::Scalar;
use crate::Operand as Tree;
use crate::opcode::{Opcode, Type, signed, unsigned};
use lanescope_ir::{BinaryOp, Op, Operand, Rounding, ScalarType, TernaryOp, UnaryOp};

impl<'t> Lowering<'_, 't> {
    pub(super) fn video(&mut self, opcode: &Opcode<'t>, operands: &[Tree<'t>]) {
        let types: Vec<ScalarType> = opcode
            .types()
            .into_iter()
            .filter_map(Type::storage)
            .collect();
        let has_second = opcode.first_of(&["add", "min", "max"]).is_some();
        let is_plain = operands.len()
            == if has_second || opcode.base == "vmad" {
                4
            } else {
                3
            };
        let ([to, a_type, b_type], true) = (types.as_slice(), is_plain && opcode.base != "vmad")
        else {
            self.unmodelled(opcode.text, operands, true);
            return;
        };
        let (Some(a), Some(b)) = (
            self.video_operand(operands.get(1), *a_type),
            self.video_operand(operands.get(2), *b_type),
        ) else {
            self.unmodelled(opcode.text, operands, true);
            return;
        };
        let wide = ScalarType::I64;
        let plain = match opcode.base {
            "vadd" => self.binary(BinaryOp::Add, wide, a, b),
            "vsub" => self.binary(BinaryOp::Subtract, wide, a, b),
            "vmin" => self.binary(BinaryOp::Minimum, wide, a, b),
            "vmax" => self.binary(BinaryOp::Maximum, wide, a, b),
            "vabsdiff" => {
                let difference = self.binary(BinaryOp::Subtract, wide, a, b);
                self.apply(Scalar::Unary(UnaryOp::Abs), wide, &[difference])
            }
            _ => {
                let amount = self.video_amount(opcode, b);
                let op = if opcode.base == "vshl" {
                    BinaryOp::ShiftLeft
                } else {
                    BinaryOp::ShiftRight
                };
                self.binary(op, wide, a, amount)
            }
        };
        let dst = self.fresh(32);
        self.emit(Op::Convert {
            from: wide,
            to: *to,
            rounding: Rounding::TowardsZero,
            saturate: opcode.has("sat"),
            dst,
            a: plain,
        });
        let mut result = Operand::from(dst);
        if has_second {
            let c = self.value_at(operands, 3, *to);
            let op = match opcode.first_of(&["add", "min", "max"]) {
                Some("add") => BinaryOp::Add,
                Some("min") => BinaryOp::Minimum,
                _ => BinaryOp::Maximum,
            };
            result = self.binary(op, *to, result, c);
        }
        self.write(operands.first(), *to, result);
    }

    /// A shift's amount: modulo 32, or at most 32.
    fn video_amount(&mut self, opcode: &Opcode<'t>, b: Operand) -> Operand {
        let amount = self.convert(ScalarType::I64, ScalarType::U32, b);
        let (op, limit) = if opcode.has("wrap") {
            (BinaryOp::And, 31)
        } else {
            (BinaryOp::Minimum, 32)
        };
        self.binary(op, ScalarType::U32, amount, Operand::Constant(limit))
    }

    /// `%r1`, `%r1.b2`, `%r1.h0`, negated or not, in 64 bits.
    fn video_operand(&mut self, operand: Option<&Tree<'t>>, ty: ScalarType) -> Option<Operand> {
        let (negated, operand) = match operand? {
            Tree::Negated(inner) => (true, inner.as_ref()),
            other => (false, other),
        };
        let value = match operand {
            Tree::Name(name) => match name.rsplit_once('.') {
                Some((register, part)) => {
                    let (bits, index) = match part.as_bytes() {
                        [b'b', index @ b'0'..=b'3'] => (8, u64::from(index - b'0')),
                        [b'h', index @ b'0'..=b'1'] => (16, u64::from(index - b'0')),
                        _ => return None,
                    };
                    let word = self.value(&Tree::Name(register), ScalarType::U32);
                    let field = [
                        word,
                        Operand::Constant(index * bits),
                        Operand::Constant(bits),
                    ];
                    self.ternary(TernaryOp::BitFieldExtract, ty, field)
                }
                None => self.value(operand, ty),
            },
            other => self.value(other, ty),
        };
        let from = if ty.is_signed() {
            signed(32)
        } else {
            unsigned(32)
        };
        let wide = self.convert(from, ScalarType::I64, value);
        Some(if negated {
            self.unary(UnaryOp::Negate, ScalarType::I64, wide)
        } else {
            wide
        })
    }
}
