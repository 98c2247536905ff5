//! Operators and conversions of values, whatever their types.

use super::calls::Given;
use super::registers::Reg;
use super::resolve::scalar_or_int;
use super::{Lower, Value};
use crate::source::ctype::Type;
use lanescope_frontend::{Construct, Span};
use lanescope_ir::{BinaryOp, Comparison, Op, Operand, ScalarType, TernaryOp};
use lanescope_syntax::{diagnostic::DiagnosticKind, scalar::Scalar};
use std::rc::Rc;

/// What an operator of C with two operands is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Arithmetic(BinaryOp),
    Relation(Comparison),
}

/// The operator, and whether its operands change places.
fn operator_of(op: &str) -> Option<(Operator, bool)> {
    let arithmetic = |op| (Operator::Arithmetic(op), false);
    Some(match op {
        "+" => arithmetic(BinaryOp::Add),
        "-" => arithmetic(BinaryOp::Subtract),
        "*" => arithmetic(BinaryOp::Multiply),
        "/" => arithmetic(BinaryOp::Divide),
        "%" => arithmetic(BinaryOp::Remainder),
        "<<" => arithmetic(BinaryOp::ShiftLeft),
        ">>" => arithmetic(BinaryOp::ShiftRight),
        "&" => arithmetic(BinaryOp::And),
        "|" => arithmetic(BinaryOp::Or),
        "^" => arithmetic(BinaryOp::Xor),
        "<" => (Operator::Relation(Comparison::Less), false),
        ">" => (Operator::Relation(Comparison::Less), true),
        "<=" => (Operator::Relation(Comparison::LessEqual), false),
        ">=" => (Operator::Relation(Comparison::LessEqual), true),
        "==" => (Operator::Relation(Comparison::Equal), false),
        "!=" => (Operator::Relation(Comparison::NotEqual), false),
        _ => return None,
    })
}

impl Lower<'_> {
    /// Converts a value to another type; where that makes no sense it says so.
    pub(super) fn convert(&mut self, value: Value, to: &Type, span: Span) -> Value {
        match (&value.ty, to) {
            (Type::Scalar(from), Type::Scalar(target)) => {
                let reg = self.convert_reg(value.regs[0], *from, *target);
                Value::scalar(*target, reg)
            }
            (Type::Pointer(from), Type::Pointer(target)) => {
                // A pointer keeps what is known of where it points.
                let mut ty = (**target).clone();
                ty.target = from.target;
                ty.read_only |= from.read_only;
                ty.restrict |= from.restrict;
                ty.volatile |= from.volatile && from.to == target.to;
                let regs = match self.bytes_between(&from.to, &target.to) {
                    0 => value.regs,
                    bytes => {
                        let bytes = self.constant(bytes);
                        let at = self.binary_reg(BinaryOp::Add, Scalar::I64, value.regs[0], bytes);
                        vec![at]
                    }
                };
                Value {
                    ty: Type::Pointer(Rc::new(ty)),
                    regs,
                }
            }
            (Type::Pointer(_), Type::Scalar(target)) => {
                let reg = if *target == Scalar::Bool {
                    self.convert_reg(value.regs[0], Scalar::I64, Scalar::Bool)
                } else {
                    value.regs[0]
                };
                Value::scalar(*target, reg)
            }
            (Type::Scalar(_), Type::Pointer(_)) => Value {
                ty: to.clone(),
                regs: value.regs,
            },
            (_, Type::Void) => Value::void(),
            (Type::Struct(a), Type::Struct(b)) if a.name == b.name => value,
            (Type::Struct(_), Type::Struct(b))
                if self.bytes_to_base(&value.ty, &b.name).is_some() =>
            {
                let place = super::Place::Registers(value);
                match self.as_base(&place, &b.name) {
                    Some(base) => self.whole_value(&base, span),
                    None => self.zero(to),
                }
            }
            (Type::Struct(_) | Type::Scalar(_) | Type::Pointer(_), Type::Struct(_))
                if self.constructor(to, 1).is_some()
                    && !super::objects::is_bound_of(&value.ty, to) =>
            {
                self.converted_by_constructor(value, to, span)
            }
            (Type::Struct(a), Type::Struct(b))
                if a.bytes == b.bytes && a.fields.len() == b.fields.len() =>
            {
                Value {
                    ty: to.clone(),
                    regs: value.regs,
                }
            }
            (Type::Scalar(from), Type::Struct(target)) => {
                // A scalar for each of its numbers.
                let (from, leaves) = (*from, Type::Struct(target.clone()).leaves());
                let regs = leaves
                    .iter()
                    .map(|leaf| self.convert_reg(value.regs[0], from, scalar_or_int(&leaf.ty)))
                    .collect();
                Value {
                    ty: to.clone(),
                    regs,
                }
            }
            (Type::Group { .. }, Type::Group { .. }) => value,
            (Type::Array(..), Type::Array(..)) if value.ty == *to => value,
            (Type::Closure(_), Type::Closure(_)) => value,
            (Type::Struct(_), _) if let Some(inner) = self.converted(&value, to, span) => {
                self.convert(inner, to, span)
            }
            _ => {
                self.mismatch(span, to, &value.ty);
                self.zero(to)
            }
        }
    }

    /// A value of a structure by the constructor that takes one of another type.
    fn converted_by_constructor(&mut self, value: Value, to: &Type, span: Span) -> Value {
        let kept = self.variable(to, None);
        let place = super::Place::Registers(kept.clone());
        let name = self.constructor(to, 1).unwrap_or_else(|| "".into());
        let list: Vec<_> = self
            .functions_of(&place, &name)
            .into_iter()
            .filter(|(_, one)| super::overloads::takes(one, 1))
            .collect();
        let given = vec![Given::Value(value, span)];
        let best = self.best_method(&list, &given, false, span);
        if let Some((place, function)) = best.or_else(|| list.first().cloned()) {
            self.run_method(&place, &function, &[], given, span);
        }
        kept
    }

    pub(super) fn mismatch(&mut self, span: Span, expected: &Type, found: &Type) {
        let (expected, found) = (expected.shown(), found.shown());
        self.say(span, DiagnosticKind::Mismatch { expected, found });
    }

    /// A value of zeros.
    pub(super) fn zero(&mut self, ty: &Type) -> Value {
        let zero = self.constant(0);
        Value {
            ty: ty.clone(),
            regs: vec![zero; ty.leaf_count()],
        }
    }

    /// A scalar, whatever the value is.
    pub(super) fn scalar(&mut self, value: &Value, span: Span) -> (Scalar, Reg) {
        match (&value.ty, value.regs.first()) {
            (Type::Scalar(scalar), Some(reg)) => (*scalar, *reg),
            (Type::Pointer(_), Some(reg)) => (Scalar::I64, *reg),
            (other, _) => {
                if let Some(plain) = self.plain(value, span) {
                    return self.scalar(&plain, span);
                }
                let other = other.clone();
                self.mismatch(span, &Type::INT, &other);
                (Scalar::I32, self.constant(0))
            }
        }
    }

    /// The value as `bool`.
    pub(super) fn truth(&mut self, value: &Value, span: Span) -> Reg {
        let plain = self.plain_as(value, &Type::Scalar(Scalar::Bool), span);
        let (scalar, reg) = self.scalar(plain.as_ref().unwrap_or(value), span);
        self.convert_reg(reg, scalar, Scalar::Bool)
    }

    /// A binary operator of C on two values.
    pub(super) fn binary(&mut self, op: &str, a: &Value, b: &Value, span: Span) -> Value {
        match (&a.ty, &b.ty) {
            (Type::Pointer(_), Type::Scalar(_)) if matches!(op, "+" | "-") => {
                return self.move_pointer(a, b, op == "-", span);
            }
            (Type::Scalar(_), Type::Pointer(_)) if op == "+" => {
                return self.move_pointer(b, a, false, span);
            }
            (Type::Pointer(ty), Type::Pointer(_)) if op == "-" => {
                return self.pointer_distance(a, b, ty.to.stride());
            }
            // Addresses have no sign.
            (Type::Pointer(_), Type::Pointer(_)) => {
                let [a, b] = [a, b].map(|one| self.scalar(one, span).1);
                return self.binary_scalar(op, (Scalar::U64, a), (Scalar::U64, b), span);
            }
            (Type::Struct(_), _) | (_, Type::Struct(_)) => {
                return match self.overloaded(op, a, b, span) {
                    Some(value) => value,
                    None => self.binary_converted(op, a, b, span),
                };
            }
            _ => {}
        }
        let (x, a) = self.scalar(a, span);
        let (y, b) = self.scalar(b, span);
        self.binary_scalar(op, (x, a), (y, b), span)
    }

    /// The operator on what the structures' conversions make of them, as in `SharedMemory<float>() + n`; field by field
    /// where they have none.
    fn binary_converted(&mut self, op: &str, a: &Value, b: &Value, span: Span) -> Value {
        let [plain_a, plain_b] = [a, b].map(|value| self.plain(value, span));
        if plain_a.is_none() && plain_b.is_none() {
            return self.by_fields(op, a, b, span);
        }
        let a = plain_a.unwrap_or_else(|| a.clone());
        let b = plain_b.unwrap_or_else(|| b.clone());
        self.binary(op, &a, &b, span)
    }

    /// The pointer or scalar that a structure's conversion makes of it; `None` where it has no such conversion.
    pub(super) fn plain(&mut self, value: &Value, span: Span) -> Option<Value> {
        self.plain_as(value, &Type::INT, span)
    }

    fn plain_as(&mut self, value: &Value, to: &Type, span: Span) -> Option<Value> {
        let is_struct = matches!(value.ty, Type::Struct(_));
        let converted = is_struct.then(|| self.converted(value, to, span)).flatten();
        converted.filter(|converted| !matches!(converted.ty, Type::Struct(_)))
    }

    /// Vector types with operators, as helper headers define them: field by field.
    fn by_fields(&mut self, op: &str, a: &Value, b: &Value, span: Span) -> Value {
        let ty = if matches!(a.ty, Type::Struct(_)) {
            a.ty.clone()
        } else {
            b.ty.clone()
        };
        let (a, b) = (
            self.convert(a.clone(), &ty, span),
            self.convert(b.clone(), &ty, span),
        );
        let leaves = ty.leaves();
        let regs = leaves
            .iter()
            .enumerate()
            .map(|(i, leaf)| {
                let scalar = scalar_or_int(&leaf.ty);
                let (x, y) = (
                    a.regs.get(i).copied().unwrap_or(0),
                    b.regs.get(i).copied().unwrap_or(0),
                );
                let value = self.binary_scalar(op, (scalar, x), (scalar, y), span);
                let from = scalar_or_int(&value.ty);
                self.convert_reg(value.regs[0], from, scalar)
            })
            .collect();
        Value { ty, regs }
    }

    fn binary_scalar(
        &mut self,
        op: &str,
        (x, a): (Scalar, Reg),
        (y, b): (Scalar, Reg),
        span: Span,
    ) -> Value {
        let shifts = matches!(op, "<<" | ">>");
        let common = if shifts { x.promoted() } else { x.common(y) };
        let a = self.convert_reg(a, x, common);
        let b = if shifts {
            b
        } else {
            self.convert_reg(b, y, common)
        };
        let Some((op, swap)) = operator_of(op) else {
            let what = Construct::code(op);
            self.say(span, DiagnosticKind::Unsupported { what });
            return self.nothing();
        };
        let divides = [BinaryOp::Divide, BinaryOp::Remainder].map(Operator::Arithmetic);
        if divides.contains(&op) && !common.is_float() && self.known(b) == Some(0) {
            self.say(span, DiagnosticKind::DivisionByZero);
        }
        let (a, b) = if swap { (b, a) } else { (a, b) };
        match op {
            Operator::Arithmetic(op) => Value::scalar(common, self.binary_reg(op, common, a, b)),
            Operator::Relation(op) => {
                Value::scalar(Scalar::Bool, self.compare_reg(op, common, a, b))
            }
        }
    }

    /// A pointer moved by so many elements.
    pub(super) fn move_pointer(
        &mut self,
        pointer: &Value,
        by: &Value,
        back: bool,
        span: Span,
    ) -> Value {
        let Type::Pointer(ty) = &pointer.ty else {
            return pointer.clone();
        };
        let bytes = ty.to.stride().cast_signed();
        let (_, index) = self.scalar(by, span);
        let scale = if back { bytes.wrapping_neg() } else { bytes };
        let reg = self.address(pointer.regs[0], index, scale, 0);
        Value {
            ty: pointer.ty.clone(),
            regs: vec![reg],
        }
    }

    /// `base + index * scale + offset`.
    pub(super) fn address(&mut self, base: Reg, index: Reg, scale: i64, offset: i64) -> Reg {
        if let Some(index) = self.known(index) {
            let offset = index.wrapping_mul(scale).wrapping_add(offset);
            if offset == 0 {
                return base;
            }
            let by = self.constant(offset);
            return self.binary_reg(BinaryOp::Add, Scalar::I64, base, by);
        }
        let ty = ScalarType::U64;
        let base = self.operand_of(base, ty);
        // Extended as its own type says.
        let index = self.operand_of(index, ScalarType::I64);
        let product = |dst| match scale {
            1 => Op::Binary {
                op: BinaryOp::Add,
                ty,
                dst,
                a: index,
                b: base,
            },
            _ => Op::Ternary {
                op: TernaryOp::MultiplyAdd,
                ty,
                dst,
                a: index,
                b: Operand::Constant(scale.cast_unsigned()),
                c: base,
            },
        };
        if offset == 0 {
            return self.define(ty, product);
        }
        let sum = self.builder.value(ty, product);
        self.define(ty, |dst| Op::Binary {
            op: BinaryOp::Add,
            ty,
            dst,
            a: sum.into(),
            b: Operand::Constant(offset.cast_unsigned()),
        })
    }

    fn pointer_distance(&mut self, a: &Value, b: &Value, bytes: u64) -> Value {
        let difference = self.binary_reg(BinaryOp::Subtract, Scalar::I64, a.regs[0], b.regs[0]);
        let bytes = self.constant(bytes.max(1).cast_signed());
        let reg = self.binary_reg(BinaryOp::Divide, Scalar::I64, difference, bytes);
        Value::scalar(Scalar::I64, reg)
    }
}
