//! Additions and subtractions with the carry flag.

use super::Lowering;
use crate::Operand as Tree;
use crate::opcode::{Opcode, Type, unsigned};
use lanescope_ir::{BinaryOp, Comparison, Op, Operand, Register, ScalarType};

impl<'t> Lowering<'_, 't> {
    /// The carry flag, a predicate.
    fn carry_flag(&mut self) -> Register {
        match self.carry {
            Some(flag) => flag,
            None => {
                let flag = self.fresh(1);
                self.carry = Some(flag);
                flag
            }
        }
    }

    fn less(&mut self, ty: ScalarType, a: Operand, b: Operand) -> Operand {
        let dst = self.fresh(1);
        self.emit(Op::Compare {
            op: Comparison::Less,
            ty,
            unordered: false,
            dst,
            a,
            b,
        });
        dst.into()
    }

    /// `add.cc`, `addc`, `sub.cc`, `subc`: the flag holds a carry, or of differences a borrow.
    pub(super) fn add_carry(
        &mut self,
        opcode: &Opcode<'t>,
        operands: &[Tree<'t>],
        subtracts: bool,
        takes: bool,
    ) {
        let Some(ty) = opcode.last_type().and_then(Type::storage) else {
            self.unmodelled(opcode.text, operands, true);
            return;
        };
        let ty = unsigned(ty.bits());
        let a = self.value_at(operands, 1, ty);
        let b = self.value_at(operands, 2, ty);
        let gives = opcode.has("cc");
        let result = self.sum_with_carry(ty, [a, b], subtracts, takes, gives);
        self.write(operands.first(), ty, result);
    }

    fn sum_with_carry(
        &mut self,
        ty: ScalarType,
        [a, b]: [Operand; 2],
        subtracts: bool,
        takes: bool,
        gives: bool,
    ) -> Operand {
        let op = if subtracts {
            BinaryOp::Subtract
        } else {
            BinaryOp::Add
        };
        let mut result = self.binary(op, ty, a, b);
        // A borrow: a < b. A carry: the sum is less than a term.
        let mut carry = if subtracts {
            self.less(ty, a, b)
        } else {
            self.less(ty, result, a)
        };
        if takes {
            let flag = self.carry_flag().into();
            let one = self.select(ty.bits(), flag, Operand::Constant(1), Operand::Constant(0));
            let with = self.binary(op, ty, result, one);
            let second = if subtracts {
                self.less(ty, result, one)
            } else {
                self.less(ty, with, one)
            };
            carry = self.binary(BinaryOp::Or, ScalarType::Bool, carry, second);
            result = with;
        }
        if gives {
            let flag = self.carry_flag();
            self.move_to(flag, carry);
        }
        result
    }

    /// `mad.cc`, `madc`: a half of the product, then a sum with carry.
    pub(super) fn multiply_add_carry(
        &mut self,
        opcode: &Opcode<'t>,
        operands: &[Tree<'t>],
        takes: bool,
    ) {
        let Some(ty) = opcode.last_type().and_then(Type::storage) else {
            self.unmodelled(opcode.text, operands, true);
            return;
        };
        let a = self.value_at(operands, 1, ty);
        let b = self.value_at(operands, 2, ty);
        let c = self.value_at(operands, 3, ty);
        let op = if opcode.has("hi") {
            BinaryOp::MultiplyHigh
        } else {
            BinaryOp::Multiply
        };
        let product = self.binary(op, ty, a, b);
        let gives = opcode.has("cc");
        let result = self.sum_with_carry(unsigned(ty.bits()), [product, c], false, takes, gives);
        self.write(operands.first(), ty, result);
    }
}
