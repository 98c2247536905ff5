//! Arithmetic on all lanes of a warp; what each operator gives is [`lanescope_ir::eval`]'s.
//!
//! Where the forms of the operands allow, the result is one value or affine in the lane. Decoded operators of integers
//! have loops over lanes that become vector instructions; all others ask the scalar definition lane by lane. In a lane
//! where an operand is unknown, arithmetic of floats gives an assumed 0.

mod affine;
mod decoded;
mod narrow;
mod parts;
mod vector;

use lanescope_ir::eval;
use lanescope_ir::{
    BinaryOp, Comparison, Op, Operand, Register, Rounding, ScalarType, TernaryOp, UnaryOp,
};

use crate::machine::register::{File, Form, SourceId, Value};

use vector::compare_lanes;

use affine::Affine;

pub(crate) use affine::{affine_of, narrowest};
pub(crate) use decoded::Decoded;
use vector::map;

pub(crate) use vector::zip;

/// A value, the lanes in which it is unknown, and why.
pub(crate) type Computed<const L: usize> = (Value<L>, (u64, SourceId));

/// The register that an operand of a flat program is.
pub(crate) fn register(operand: Operand) -> Register {
    operand.register().unwrap_or_default()
}

const fn is_division(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Divide | BinaryOp::Remainder)
}

/// Which lanes are unknown of either, and why.
pub(crate) fn joined(a: (u64, SourceId), b: (u64, SourceId)) -> (u64, SourceId) {
    (a.0 | b.0, a.1.max(b.1))
}

/// The lanes of `mask`.
pub(crate) fn each(mask: u64) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let lane = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (lane < 64).then_some(lane as usize)
    })
}

impl<const L: usize> File<L> {
    /// What is unknown of a register in the lanes of `mask`.
    pub(crate) fn unknown(&self, operand: Operand, mask: u64) -> (u64, SourceId) {
        let entry = self.entry(register(operand));
        let unknown = entry.unknown & mask;
        (unknown, if unknown == 0 { 0 } else { entry.source })
    }

    /// The value of an instruction that computes one register from others alone; none for all other instructions.
    pub(crate) fn compute(&self, op: &Op, mask: u64) -> Option<(Register, Computed<L>)> {
        Some(match *op {
            Op::Unary { op, ty, dst, a } => (dst, self.unary(op, ty, dst, a, mask)),
            Op::Binary { op, ty, dst, a, b } => (dst, self.binary(op, ty, dst, (a, b), mask)),
            Op::Ternary {
                op,
                ty,
                dst,
                a,
                b,
                c,
            } => (dst, self.ternary(op, ty, dst, [a, b, c], mask)),
            Op::Lop3 {
                table,
                wide,
                dst,
                a,
                b,
                c,
            } => {
                let unknown = self.unknown_of(&[a, b, c], mask);
                (dst, (self.lop3(table, wide, [a, b, c]), unknown))
            }
            Op::BitFieldInsert {
                ty,
                dst,
                a,
                b,
                position,
                length,
            } => {
                let of = [a, b, position, length];
                let value = self.by_lane(&of, mask, |[a, b, position, length]| {
                    eval::bit_field_insert(ty, a, b, position, length)
                });
                (dst, (value, self.unknown_of(&of, mask)))
            }
            Op::Compare {
                op,
                ty,
                unordered,
                dst,
                a,
                b,
            } => (dst, self.compare(op, ty, unordered, (a, b), mask)),
            Op::Select {
                dst,
                predicate,
                yes,
                no,
            } => (dst, self.select(dst, predicate, yes, no, mask)),
            Op::Convert {
                from,
                to,
                rounding,
                saturate,
                dst,
                a,
            } => (
                dst,
                self.convert((from, to), (rounding, saturate), dst, a, mask),
            ),
            Op::Pack { dst, ref parts } => (dst, self.pack(dst, parts, mask)),
            Op::AddCarry { .. }
            | Op::Unpack { .. }
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
            | Op::Unmodelled { .. } => return None,
        })
    }

    pub(crate) fn unknown_of(&self, operands: &[Operand], mask: u64) -> (u64, SourceId) {
        operands
            .iter()
            .fold((0, 0), |all, one| joined(all, self.unknown(*one, mask)))
    }

    fn unary(
        &self,
        op: UnaryOp,
        ty: ScalarType,
        dst: Register,
        a: Operand,
        mask: u64,
    ) -> Computed<L> {
        let unknown = self.unknown(a, mask);
        let fits = u32::from(self.bits(dst)) <= ty.bits();
        let value = match op {
            UnaryOp::Move if fits => self.copy(a, self.bits(dst)),
            UnaryOp::Not if ty == ScalarType::Bool => Value::Mask(!self.mask(register(a))),
            UnaryOp::Negate if fits && !ty.is_float() => self.affine(a, ty).map_or_else(
                || self.by_lane(&[a], mask, |[a]| eval::unary(op, ty, a)),
                |affine| Value::Affine(affine.base.wrapping_neg(), affine.stride.wrapping_neg()),
            ),
            _ if ty.is_float() && !matches!(op, UnaryOp::Move | UnaryOp::Not) => {
                self.by_float(&[a], unknown.0, mask, |[a]| eval::unary(op, ty, a))
            }
            // `eval` defines every operator.
            _ => self.by_lane(&[a], mask, |[a]| eval::unary(op, ty, a)),
        };
        (value, unknown)
    }

    /// The value of a register, for one of so many bits.
    pub(crate) fn copy(&self, a: Operand, bits: u8) -> Value<L> {
        let register = register(a);
        match self.entry(register).form {
            Form::Affine(..) if self.bits(register) < bits => Value::General(self.lanes(register)),
            Form::Uniform(value) => Value::Uniform(value),
            Form::Affine(base, stride) => Value::Affine(base, stride),
            Form::Mask(mask) => Value::Mask(mask),
            Form::General => Value::General(self.lanes(register)),
        }
    }

    fn binary(
        &self,
        op: BinaryOp,
        ty: ScalarType,
        dst: Register,
        (a, b): (Operand, Operand),
        mask: u64,
    ) -> Computed<L> {
        let unknown = joined(self.unknown(a, mask), self.unknown(b, mask));
        if ty == ScalarType::Bool {
            return (
                self.logical(op, a, b, mask),
                self.logical_unknown(op, a, b, mask, unknown),
            );
        }
        if ty.is_float() {
            let value = self.by_float(&[a, b], unknown.0, mask, |[a, b]| {
                eval::binary(op, ty, a, b)
            });
            return (value, unknown);
        }
        let fits = u32::from(self.bits(dst)) <= ty.bits();
        if fits && let Some(affine) = self.affine_of(op, ty, a, b) {
            return (affine.into(), unknown);
        }
        if self.uniform(register(a)).is_some() && self.uniform(register(b)).is_some() {
            return (
                self.by_lane(&[a, b], mask, |[a, b]| eval::binary(op, ty, a, b)),
                unknown,
            );
        }
        let unknown = self.absorbed(op, ty, a, b, mask, unknown);
        let vector = self.vector(op, ty, a, b).map(|value| match value {
            // Parts of an affine value, as a thread's row in its block, are often affine again; quotients are often all the same.
            Value::General(lanes) if is_division(op) || self.affine(a, ty).is_some() => {
                narrowest(lanes, mask)
            }
            _ => value,
        });
        let value = vector
            .unwrap_or_else(|| self.by_lane(&[a, b], mask, |[a, b]| eval::binary(op, ty, a, b)));
        (value, unknown)
    }

    fn logical(&self, op: BinaryOp, a: Operand, b: Operand, mask: u64) -> Value<L> {
        let (x, y) = (self.mask(register(a)), self.mask(register(b)));
        if op == BinaryOp::And {
            Value::Mask(x & y)
        } else if op == BinaryOp::Or {
            Value::Mask(x | y)
        } else if op == BinaryOp::Xor {
            Value::Mask(x ^ y)
        } else {
            self.by_lane(&[a, b], mask, |[a, b]| {
                eval::binary(op, ScalarType::Bool, a, b)
            })
        }
    }

    /// A known false decides a conjunction, a known true a disjunction.
    fn logical_unknown(
        &self,
        op: BinaryOp,
        a: Operand,
        b: Operand,
        mask: u64,
        unknown: (u64, SourceId),
    ) -> (u64, SourceId) {
        if unknown.0 == 0 {
            return unknown;
        }
        let known = |operand: Operand| !self.unknown(operand, mask).0;
        let (x, y) = (self.mask(register(a)), self.mask(register(b)));
        let decided = if op == BinaryOp::And {
            (!x & known(a)) | (!y & known(b))
        } else if op == BinaryOp::Or {
            (x & known(a)) | (y & known(b))
        } else {
            0
        };
        (unknown.0 & !decided, unknown.1)
    }

    /// A known zero decides a product and a bitwise and.
    fn absorbed(
        &self,
        op: BinaryOp,
        ty: ScalarType,
        a: Operand,
        b: Operand,
        mask: u64,
        unknown: (u64, SourceId),
    ) -> (u64, SourceId) {
        if unknown.0 == 0 || !matches!(op, BinaryOp::And | BinaryOp::Multiply) {
            return unknown;
        }
        let zeros = |operand: Operand| {
            let lanes = self.lanes(register(operand));
            let zeros = each(mask & (u64::MAX >> (64 - L)))
                .filter(|lane| lanes[*lane] & ty.mask() == 0)
                .fold(0, |all, lane| all | 1_u64 << lane);
            zeros & !self.unknown(operand, mask).0
        };
        (unknown.0 & !(zeros(a) | zeros(b)), unknown.1)
    }

    fn ternary(
        &self,
        op: TernaryOp,
        ty: ScalarType,
        dst: Register,
        [a, b, c]: [Operand; 3],
        mask: u64,
    ) -> Computed<L> {
        let unknown = self.unknown_of(&[a, b, c], mask);
        let scalar = |[a, b, c]: [u64; 3]| eval::ternary(op, ty, a, b, c);
        if ty.is_float() {
            return (self.by_float(&[a, b, c], unknown.0, mask, scalar), unknown);
        }
        let value = self
            .ternary_affine(op, ty, dst, [a, b, c])
            .map(Value::from)
            .or_else(|| self.ternary_vector(op, ty, [a, b, c]))
            .unwrap_or_else(|| self.by_lane(&[a, b, c], mask, scalar));
        (value, unknown)
    }

    fn lop3(&self, table: u8, wide: bool, operands: [Operand; 3]) -> Value<L> {
        let uniform = operands.map(|operand| self.uniform(register(operand)));
        if let [Some(a), Some(b), Some(c)] = uniform {
            return Value::Uniform(eval::lop3(table, wide, a, b, c));
        }
        let [x, y, z] = operands.map(|operand| self.lanes(register(operand)));
        Value::General(std::array::from_fn(|lane| {
            eval::lop3(table, wide, x[lane], y[lane], z[lane])
        }))
    }

    fn compare(
        &self,
        op: Comparison,
        ty: ScalarType,
        unordered: bool,
        (a, b): (Operand, Operand),
        mask: u64,
    ) -> Computed<L> {
        let unknown = joined(self.unknown(a, mask), self.unknown(b, mask));
        let (x, y) = (self.uniform(register(a)), self.uniform(register(b)));
        if let (Some(x), Some(y)) = (x, y) {
            let holds = eval::compare(op, ty, unordered, x, y);
            return (Value::Mask(if holds { u64::MAX } else { 0 }), unknown);
        }
        if ty.is_float() {
            let value = self.by_lane(&[a, b], mask, |[a, b]| {
                u64::from(eval::compare(op, ty, unordered, a, b))
            });
            return (value, unknown);
        }
        if let Some(holds) = self.compare_affine(op, ty, a, b) {
            return (Value::Mask(if holds { u64::MAX } else { 0 }), unknown);
        }
        let (x, y) = (self.view(register(a)), self.view(register(b)));
        (Value::Mask(compare_lanes(op, ty, &x, &y)), unknown)
    }

    fn select(
        &self,
        dst: Register,
        predicate: Operand,
        yes: Operand,
        no: Operand,
        mask: u64,
    ) -> Computed<L> {
        let chosen = self.mask(register(predicate));
        let doubt = self.unknown(predicate, mask);
        let first = self.unknown(yes, mask);
        let second = self.unknown(no, mask);
        let sides = joined(
            (
                first.0 & chosen,
                if first.0 & chosen == 0 { 0 } else { first.1 },
            ),
            (
                second.0 & !chosen,
                if second.0 & !chosen == 0 { 0 } else { second.1 },
            ),
        );
        let unknown = joined(doubt, sides);
        if self.bits(dst) == 1 {
            let (yes, no) = (self.mask(register(yes)), self.mask(register(no)));
            return (Value::Mask((yes & chosen) | (no & !chosen)), unknown);
        }
        let value = if chosen & mask == mask {
            self.copy(yes, self.bits(dst))
        } else if chosen & mask == 0 {
            self.copy(no, self.bits(dst))
        } else {
            let (yes, no) = (self.lanes(register(yes)), self.lanes(register(no)));
            Value::General(std::array::from_fn(|lane| {
                if chosen >> lane & 1 == 1 {
                    yes[lane]
                } else {
                    no[lane]
                }
            }))
        };
        (value, unknown)
    }

    fn convert(
        &self,
        (from, to): (ScalarType, ScalarType),
        (rounding, saturate): (Rounding, bool),
        dst: Register,
        a: Operand,
        mask: u64,
    ) -> Computed<L> {
        let unknown = self.unknown(a, mask);
        let scalar = |[a]: [u64; 1]| eval::convert(from, to, rounding, saturate, a);
        if from.is_float() || to.is_float() {
            return (self.by_float(&[a], unknown.0, mask, scalar), unknown);
        }
        let value = match self.converted_affine((from, to), saturate, dst, a) {
            Some(affine) => affine.into(),
            None if saturate => self.by_lane(&[a], mask, scalar),
            None if self.uniform(register(a)).is_some() => self.by_lane(&[a], mask, scalar),
            None => {
                let shift = 64 - from.bits();
                let lanes = &self.view(register(a));
                Value::General(if from.is_signed() {
                    map(lanes, |a| {
                        ((a << shift).cast_signed() >> shift).cast_unsigned() & to.mask()
                    })
                } else {
                    map(lanes, |a| a & from.mask() & to.mask())
                })
            }
        };
        (value, unknown)
    }

    /// A conversion between integers of an affine value that stays one.
    fn converted_affine(
        &self,
        (from, to): (ScalarType, ScalarType),
        saturate: bool,
        dst: Register,
        a: Operand,
    ) -> Option<Affine> {
        let fits = u32::from(self.bits(dst)) <= to.bits();
        if saturate || !fits || to == ScalarType::Bool || from == ScalarType::Bool {
            return None;
        }
        let affine = if from.bits() >= to.bits() {
            self.affine(a, to)?
        } else {
            self.extended(a, from)?
        };
        Some(Affine {
            base: affine.base & to.mask(),
            stride: affine.stride,
        })
    }
}
