//! Inline assembly's arithmetic.

use super::super::{Lower, Value};
use super::Assembly;
use super::instruction::{Instruction, scalar_of};
use crate::source::ctype::Type;
use lanescope_ir::{BinaryOp, Comparison, UnaryOp};
use lanescope_syntax::scalar::Scalar;

impl Lower<'_> {
    /// Arithmetic: followed where it is one operator on whole numbers.
    pub(super) fn assembled_value(
        &mut self,
        assembly: &mut Assembly<'_>,
        instruction: &Instruction<'_>,
    ) {
        let found = self.computed(assembly, instruction);
        match (found, instruction.arguments.first()) {
            (Some(value), Some(target)) => self.give_operand(assembly, target, value),
            _ => self.give_opaque(assembly, instruction),
        }
    }

    fn computed(
        &mut self,
        assembly: &Assembly<'_>,
        instruction: &Instruction<'_>,
    ) -> Option<Value> {
        let name = instruction.name();
        if matches!(name, "mma" | "cvt") && instruction.parts.len() > 3 {
            return None;
        }
        let scalar = instruction.scalar()?;
        let mut values = Vec::new();
        for argument in instruction.arguments.get(1..)? {
            values.push(self.operand(assembly, argument, scalar)?);
        }
        if matches!(name, "mov" | "cvta" | "cvt") {
            let value = values.pop()?;
            if matches!(value.ty, Type::Pointer(_)) {
                return Some(value);
            }
            let (from, to) = match name {
                "cvt" => (scalar, scalar_of(instruction.parts.get(1)?)?),
                _ => (value.ty.scalar()?, value.ty.scalar()?),
            };
            let reg = self.convert_reg(*value.regs.first()?, from, to);
            return Some(Value::scalar(to, reg));
        }
        if scalar.is_float() {
            return None;
        }
        let mut regs = Vec::new();
        for value in &values {
            let from = value.ty.scalar().unwrap_or(Scalar::U64);
            regs.push(self.convert_reg(*value.regs.first()?, from, scalar));
        }
        let two = |regs: &[u16]| Some((*regs.first()?, *regs.get(1)?));
        if name == "selp" {
            let (yes, no) = two(&regs)?;
            let condition = *values.get(2)?.regs.first()?;
            let dst = self.select_reg(scalar, condition, (yes, no));
            return Some(Value::scalar(scalar, dst));
        }
        if name == "setp" {
            let (a, b) = two(&regs)?;
            let (op, swapped) = comparison(instruction.parts.get(1)?)?;
            let (a, b) = if swapped { (b, a) } else { (a, b) };
            let reg = self.compare_reg(op, scalar, a, b);
            return Some(Value::scalar(Scalar::Bool, reg));
        }
        if name == "not" {
            let reg = self.unary_reg(UnaryOp::Not, scalar, *regs.first()?);
            return Some(Value::scalar(scalar, reg));
        }
        let op = match name {
            "add" => BinaryOp::Add,
            "sub" => BinaryOp::Subtract,
            "mul" | "mad" if instruction.has("lo") => BinaryOp::Multiply,
            "and" => BinaryOp::And,
            "or" => BinaryOp::Or,
            "xor" => BinaryOp::Xor,
            "shl" => BinaryOp::ShiftLeft,
            "shr" => BinaryOp::ShiftRight,
            "min" => BinaryOp::Minimum,
            "max" => BinaryOp::Maximum,
            _ => return None,
        };
        let (a, b) = two(&regs)?;
        let mut reg = self.binary_reg(op, scalar, a, b);
        if name == "mad" {
            reg = self.binary_reg(BinaryOp::Add, scalar, reg, *regs.get(2)?);
        }
        Some(Value::scalar(scalar, reg))
    }
}

/// A comparison, and whether its operands change places.
fn comparison(part: &str) -> Option<(Comparison, bool)> {
    Some(match part {
        "eq" => (Comparison::Equal, false),
        "ne" => (Comparison::NotEqual, false),
        "lt" | "lo" => (Comparison::Less, false),
        "le" | "ls" => (Comparison::LessEqual, false),
        "gt" | "hi" => (Comparison::Less, true),
        "ge" | "hs" => (Comparison::LessEqual, true),
        _ => return None,
    })
}
