//! Values of the registers that an instruction writes.

use super::Values;
use crate::analysis::value::{Value, mix};
use crate::{Op, Operand, Origin, Register, ScalarType, ShortList, SpecialRegister, UnaryOp, eval};

impl<'k> Values<'k> {
    /// The register that an operation writes alone, as most do, and its value.
    pub(super) fn result(&self, name: u64, scope: u32, op: &Op) -> Option<(Register, Value)> {
        let one = |dst: Register, value: Value| Some((dst, value));
        match op {
            Op::Unary { op, ty, dst, a } => one(*dst, self.unary(*op, *ty, *a)),
            Op::Binary { op, ty, dst, a, b } => {
                let (left, right) = (self.operand(*a, *ty), self.operand(*b, *ty));
                let value = if left.is_known() && right.is_known() {
                    known(
                        result_type(*ty, op.result_bits(*ty)),
                        eval::binary(*op, *ty, left.number, right.number),
                    )
                } else {
                    Value::binary(*op, *ty, left, right)
                };
                one(*dst, value)
            }
            Op::Ternary {
                op,
                ty,
                dst,
                a,
                b,
                c,
            } => {
                let [x, y, z] = [*a, *b, *c].map(|one| self.operand(one, *ty));
                one(*dst, ternary(*op, *ty, x, y, z))
            }
            Op::Compare { dst, .. } => one(*dst, self.compare(op)?),
            Op::Select {
                dst,
                predicate,
                yes,
                no,
            } => {
                let ty = self.type_of(*dst);
                let test = self.operand(*predicate, ScalarType::Bool);
                let (yes, no) = (self.operand(*yes, ty), self.operand(*no, ty));
                one(*dst, select(test, yes, no))
            }
            Op::Convert { dst, .. } => one(*dst, self.convert(op)?),
            Op::Special { dst, register } => one(*dst, self.special(name, scope, *register)),
            Op::Parameter {
                ty,
                dst,
                offset,
                index,
            } => {
                let value = match index {
                    None => Value::unknown(mix(9, u64::from(*offset), u64::from(ty.bits())), 0),
                    Some(index) => {
                        let at = self.operand(*index, ScalarType::U64);
                        Value::unknown(mix(10, u64::from(*offset), at.number), at.scope)
                    }
                };
                one(*dst, value)
            }
            // `results` names what each register gets.
            _ => None,
        }
    }

    fn compare(&self, op: &Op) -> Option<Value> {
        let Op::Compare {
            op,
            ty,
            unordered,
            a,
            b,
            ..
        } = op
        else {
            return None;
        };
        let (left, right) = (self.operand(*a, *ty), self.operand(*b, *ty));
        if left.is_known() && right.is_known() {
            let holds = eval::compare(*op, *ty, *unordered, left.number, right.number);
            return Some(Value::known(u64::from(holds)));
        }
        let kind = *op as u64 + 16 * (*ty as u64) + 1024 * u64::from(*unordered);
        let number = mix(mix(7, kind, 0), left.number, right.number);
        Some(Value::unknown(number, left.scope.max(right.scope)))
    }

    fn convert(&self, op: &Op) -> Option<Value> {
        let Op::Convert {
            from,
            to,
            rounding,
            saturate,
            a,
            ..
        } = op
        else {
            return None;
        };
        let value = self.operand(*a, *from);
        if value.is_known() {
            let bits = eval::convert(*from, *to, *rounding, *saturate, value.number);
            return Some(known(*to, bits));
        }
        let keeps = !from.is_float() && !to.is_float() && *to != ScalarType::Bool && !*saturate;
        let types = 16 * (*from as u64) + *to as u64;
        Some(if keeps {
            value
        } else {
            Value::unknown(mix(8, value.number, types), value.scope)
        })
    }

    /// The registers that any other operation writes, and their values.
    pub(super) fn results(&self, name: u64, scope: u32, op: &Op) -> ShortList<(Register, Value)> {
        match op {
            // The rest of arithmetic: a name made of the operands'.
            other if other.is_pure() && other.origin() != Origin::Unknown => {
                let mut number = 11;
                let mut inner = 0;
                for operand in other.uses() {
                    let value = self.operand(operand, ScalarType::U64);
                    number = mix(12, number, value.number);
                    inner = inner.max(value.scope);
                }
                number = mix(13, number, tag(other));
                let results = other.defs().into_iter().zip(0..);
                results
                    .map(|(dst, at)| (dst, Value::unknown(mix(14, number, at), inner)))
                    .collect()
            }
            other => {
                let results = other.defs().into_iter().zip(0..);
                results
                    .map(|(dst, at)| (dst, Value::unknown(mix(15, name, at), scope)))
                    .collect()
            }
        }
    }

    fn type_of(&self, register: Register) -> ScalarType {
        match self.kernel.registers.get(register.index()) {
            Some(1) => ScalarType::Bool,
            Some(8) => ScalarType::U8,
            Some(16) => ScalarType::U16,
            Some(64) => ScalarType::U64,
            _ => ScalarType::I32,
        }
    }

    fn unary(&self, op: UnaryOp, ty: ScalarType, a: Operand) -> Value {
        let value = self.operand(a, ty);
        if op == UnaryOp::Move {
            return value;
        }
        if value.is_known() {
            return known(
                result_type(ty, op.result_bits(ty)),
                eval::unary(op, ty, value.number),
            );
        }
        if op == UnaryOp::Negate && !ty.is_float() {
            return value.times(-1);
        }
        Value::unknown(
            mix(16, 64 * (op as u64) + ty as u64, value.number),
            value.scope,
        )
    }

    fn special(&self, name: u64, scope: u32, register: SpecialRegister) -> Value {
        use SpecialRegister as S;
        let named = |tag: u64, which: u64| Value::unknown(mix(17, tag, which), 0);
        let axis = |tag: u64, axis: u8| match (tag, self.kernel.block_size) {
            (3, Some(size)) => size.get(usize::from(axis)).map_or_else(
                || named(tag, u64::from(axis)),
                |side| Value::known(u64::from(*side)),
            ),
            _ => named(tag, u64::from(axis)),
        };
        match register {
            S::ThreadIndex(of) => axis(1, of),
            S::BlockIndex(of) => axis(2, of),
            S::BlockSize(of) => axis(3, of),
            S::GridSize(of) => axis(4, of),
            S::ClusterSize(of) => axis(5, of),
            S::ClusterIndex(of) => axis(6, of),
            S::LinearThreadIndex => named(7, 0),
            S::Lane => named(8, 0),
            S::Warp => named(9, 0),
            S::WarpCount => named(10, 0),
            S::WarpSize => named(11, 0),
            S::LaneMaskEqual => named(12, 0),
            S::LaneMaskLess => named(13, 0),
            S::LaneMaskLessEqual => named(14, 0),
            S::LaneMaskGreater => named(15, 0),
            S::LaneMaskGreaterEqual => named(16, 0),
            S::DynamicSharedBytes => named(17, 0),
            S::TotalSharedBytes => named(18, 0),
            S::SharedWindow => named(19, 0),
            S::LocalWindow => named(20, 0),
            S::ClusterRank => named(21, 0),
            S::Unpredictable => Value::unknown(name, scope),
            S::Elements(array) => named(22, u64::from(array.0)),
            S::ArrayAddress(array) => match self.kernel.arrays.get(array.index()) {
                Some(one) if one.space == crate::AddressSpace::Shared => {
                    Value::known(self.kernel.shared_base.wrapping_add(one.base))
                }
                _ => named(23, u64::from(array.0)),
            },
            S::Variable(variable) => named(24, u64::from(variable)),
        }
    }
}

/// Tells operations of one shape apart.
fn tag(op: &Op) -> u64 {
    match op {
        Op::Lop3 { table, wide, .. } => 1 + 4 * u64::from(*table) + 2048 * u64::from(*wide),
        Op::BitFieldInsert { .. } => 2,
        Op::AddCarry { .. } => 3,
        Op::Pack { .. } => 4,
        Op::Unpack { part_bits, .. } => 5 + 16 * u64::from(*part_bits),
        // [`Values::result`] names the first of these; no other is named by its operands.
        Op::Unary { .. }
        | Op::Binary { .. }
        | Op::Ternary { .. }
        | Op::Compare { .. }
        | Op::Select { .. }
        | Op::Convert { .. }
        | Op::Special { .. }
        | Op::Parameter { .. }
        | Op::Load { .. }
        | Op::Store { .. }
        | Op::Atomic { .. }
        | Op::MatrixLoad { .. }
        | Op::MatrixStore { .. }
        | Op::AsyncCopy { .. }
        | Op::BulkAccess { .. }
        | Op::Texture { .. }
        | Op::Shuffle { .. }
        | Op::Vote { .. }
        | Op::Match { .. }
        | Op::WarpReduce { .. }
        | Op::ActiveMask { .. }
        | Op::Elect { .. }
        | Op::Barrier { .. }
        | Op::BarrierReduce { .. }
        | Op::WideBarrier { .. }
        | Op::WarpSync { .. }
        | Op::Fence
        | Op::ObjectBarrier { .. }
        | Op::Arm { .. }
        | Op::Join { .. }
        | Op::Leave { .. }
        | Op::SaveBarrier { .. }
        | Op::RestoreBarrier { .. }
        | Op::BoundsCheck { .. }
        | Op::Escape { .. }
        | Op::Undefined { .. }
        | Op::Unmodelled { .. } => 6,
    }
}

fn result_type(ty: ScalarType, bits: u32) -> ScalarType {
    match (ty.is_signed(), bits) {
        _ if ty.bits() == bits => ty,
        (true, 64) => ScalarType::I64,
        (_, 64) => ScalarType::U64,
        (true, 32) => ScalarType::I32,
        (_, 32) => ScalarType::U32,
        (_, 16) => ScalarType::U16,
        (_, 8) => ScalarType::U8,
        _ => ScalarType::Bool,
    }
}

/// A constant: words of 32 bits sign-extended, so that sums that wrap around zero are small.
pub(super) fn known(ty: ScalarType, bits: u64) -> Value {
    Value::known(match ty {
        ScalarType::I32 | ScalarType::U32 => eval::sign_extend(bits, 32).cast_unsigned(),
        _ => bits,
    })
}

fn select(test: Value, yes: Value, no: Value) -> Value {
    if test.is_known() {
        return if test.number & 1 == 1 { yes } else { no };
    }
    if yes == no {
        return yes;
    }
    let shared = u8::try_from((yes.number ^ no.number).trailing_zeros()).unwrap_or(63);
    let low = yes.low.min(no.low).min(shared);
    let scope = test.scope.max(yes.scope).max(no.scope);
    Value::unknown(mix(mix(18, test.number, 0), yes.number, no.number), scope)
        .with_low(low, yes.number)
}

fn ternary(op: crate::TernaryOp, ty: ScalarType, a: Value, b: Value, c: Value) -> Value {
    use crate::{BinaryOp, TernaryOp};
    if a.is_known() && b.is_known() && c.is_known() {
        return known(
            result_type(ty, op.result_bits(ty)),
            eval::ternary(op, ty, a.number, b.number, c.number),
        );
    }
    if !ty.is_float() {
        match op {
            TernaryOp::MultiplyAdd | TernaryOp::MultiplyAddWide => {
                let product = if a.is_known() && b.is_known() {
                    Value::known(a.number.wrapping_mul(b.number))
                } else {
                    Value::binary(BinaryOp::Multiply, ty, a, b)
                };
                return product.plus(c);
            }
            TernaryOp::Add3 => return a.plus(b).plus(c),
            TernaryOp::MultiplyAddHigh
            | TernaryOp::FunnelShiftLeft
            | TernaryOp::FunnelShiftRight
            | TernaryOp::FunnelShiftLeftClamped
            | TernaryOp::FunnelShiftRightClamped
            | TernaryOp::BitFieldExtract
            | TernaryOp::BytePermute
            | TernaryOp::SumAbsoluteDifference
            | TernaryOp::DotProduct4 => {}
        }
    }
    let scope = a.scope.max(b.scope).max(c.scope);
    Value::unknown(
        mix(
            mix(19, op as u64, ty as u64),
            mix(20, a.number, b.number),
            c.number,
        ),
        scope,
    )
}
