//! Values in registers, and the operators that make one of others.

use super::Lower;
use lanescope_ir::{
    BinaryOp, Comparison, Law, Op, Operand, Rounding, ScalarType, TernaryOp, UnaryOp, eval,
};

/// A scalar: a constant, or a register, and how its bits are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    pub(super) ty: ScalarType,
    pub(super) operand: Operand,
}

/// The scalars of a value, in the order of its type.
pub(super) type Value = Vec<Number>;

impl Number {
    pub(super) const fn new(ty: ScalarType, operand: Operand) -> Self {
        Self { ty, operand }
    }

    /// A constant by its bits.
    pub(super) const fn bits(ty: ScalarType, bits: u64) -> Self {
        Self::new(ty, Operand::Constant(bits & ty.mask()))
    }

    /// A whole number as a constant of any type.
    pub(super) fn whole(ty: ScalarType, value: u32) -> Self {
        if ty.is_float() {
            Self::real(ty, value.into())
        } else {
            Self::bits(ty, value.into())
        }
    }

    pub(super) fn real(ty: ScalarType, value: f64) -> Self {
        Self::bits(ty, eval::from_f64(ty, value))
    }

    pub(super) const fn boolean(value: bool) -> Self {
        Self::bits(ScalarType::Bool, value as u64)
    }

    pub(super) const fn constant(self) -> Option<u64> {
        self.operand.constant()
    }

    /// The same bits, read otherwise.
    pub(super) const fn read_as(self, ty: ScalarType) -> Self {
        Self::new(ty, self.operand)
    }
}

/// The result where an operator leaves an operand as it is.
fn identity(op: BinaryOp, a: Number, b: Number) -> Option<Number> {
    if a.ty.is_float() {
        return None;
    }
    let all = a.ty.mask();
    match (op, a.constant(), b.constant()) {
        (BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor, Some(0), _)
        | (BinaryOp::Multiply, Some(1), _) => Some(b),
        (BinaryOp::And, Some(ones), _) if ones == all => Some(b),
        (BinaryOp::And, _, Some(ones)) if ones == all => Some(a),
        (
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRight,
            _,
            Some(0),
        )
        | (BinaryOp::Multiply | BinaryOp::Divide, _, Some(1)) => Some(a),
        _ => None,
    }
}

impl Lower<'_> {
    /// `op a`, of a type that the operator takes.
    pub(super) fn unary(&mut self, op: UnaryOp, a: Number) -> Number {
        let result = match op.result_bits(a.ty) {
            1 => ScalarType::Bool,
            bits if bits == a.ty.bits() => a.ty,
            _ => ScalarType::U32,
        };
        match a.constant() {
            Some(bits) => Number::bits(result, eval::unary(op, a.ty, bits)),
            None => Number::new(result, self.builder.unary(op, a.ty, a.operand)),
        }
    }

    /// `a op b`; a shift's amount counts modulo the width.
    pub(super) fn binary(&mut self, op: BinaryOp, a: Number, b: Number) -> Number {
        let ty = a.ty;
        let b = if op.has(Law::Shifts) {
            let b = self.convert(b, ScalarType::U32);
            let mask = Number::bits(ScalarType::U32, u64::from(ty.bits()) - 1);
            self.binary(BinaryOp::And, b, mask)
        } else {
            b
        };
        if let (Some(x), Some(y)) = (a.constant(), b.constant()) {
            return Number::bits(ty, eval::binary(op, ty, x, y));
        }
        if let Some(same) = identity(op, a, b) {
            return same;
        }
        let result = Number::new(ty, self.builder.binary(op, ty, a.operand, b.operand));
        self.ranges.note_binary(op, result, a, b);
        result
    }

    pub(super) fn ternary(&mut self, op: TernaryOp, [a, b, c]: [Number; 3]) -> Number {
        if let (Some(x), Some(y), Some(z)) = (a.constant(), b.constant(), c.constant()) {
            return Number::bits(a.ty, eval::ternary(op, a.ty, x, y, z));
        }
        let operands = [a.operand, b.operand, c.operand];
        Number::new(a.ty, self.builder.ternary(op, a.ty, operands))
    }

    /// Whether a relation holds: a `bool`.
    pub(super) fn compare(&mut self, op: Comparison, a: Number, b: Number) -> Number {
        let (op, a, b) = match op {
            Comparison::Greater => (Comparison::Less, b, a),
            Comparison::GreaterEqual => (Comparison::LessEqual, b, a),
            Comparison::Equal | Comparison::NotEqual | Comparison::Less | Comparison::LessEqual => {
                (op, a, b)
            }
        };
        if a.ty == ScalarType::Bool {
            let differs = self.binary(BinaryOp::Xor, a, b);
            return if op == Comparison::Equal {
                self.unary(UnaryOp::Not, differs)
            } else {
                differs
            };
        }
        if let (Some(x), Some(y)) = (a.constant(), b.constant()) {
            let unordered = op == Comparison::NotEqual && a.ty.is_float();
            return Number::boolean(eval::compare(op, a.ty, unordered, x, y));
        }
        let operand = self.builder.compare(op, a.ty, a.operand, b.operand);
        let result = Number::new(ScalarType::Bool, operand);
        self.ranges.note_relation(result, (op, a, b));
        result
    }

    /// One of two numbers, lane by lane.
    pub(super) fn select(&mut self, condition: Number, yes: Number, no: Number) -> Number {
        match condition.constant() {
            Some(0) => return no,
            Some(_) => return yes,
            None if yes == no => return yes,
            None => {}
        }
        let ty = yes.ty;
        if ty == ScalarType::Bool
            && let (Some(yes), Some(no)) = (yes.constant(), no.constant())
        {
            return match yes > no {
                true => condition,
                false => self.unary(UnaryOp::Not, condition),
            };
        }
        let operands = (condition.operand, yes.operand, no.operand);
        let operand = self.builder.select(ty, operands.0, operands.1, operands.2);
        Number::new(ty, operand)
    }

    /// A number of one type as one of another.
    pub(super) fn convert(&mut self, a: Number, to: ScalarType) -> Number {
        if a.ty == to {
            return a;
        }
        if let Some(bits) = a.constant() {
            if to == ScalarType::Bool {
                let zero = Number::bits(a.ty, 0);
                return self.compare(Comparison::NotEqual, a, zero);
            }
            let rounding = if a.ty.is_float() && !to.is_float() {
                Rounding::TowardsZero
            } else {
                Rounding::NearestEven
            };
            return Number::bits(to, eval::convert(a.ty, to, rounding, false, bits));
        }
        let result = Number::new(to, self.builder.convert(a.ty, to, a.operand));
        self.ranges.note_conversion(result, a);
        result
    }

    /// The same number in a register of its own, which later assignments leave alone.
    pub(super) fn copied(&mut self, a: Number) -> Number {
        let ty = a.ty;
        let copy = self.builder.value(ty, |dst| Op::Unary {
            op: UnaryOp::Move,
            ty,
            dst,
            a: a.operand,
        });
        let copy = Number::new(ty, copy.into());
        self.ranges.note_conversion(copy, a);
        copy
    }
}
