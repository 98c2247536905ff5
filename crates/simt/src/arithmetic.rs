//! Arithmetic on all lanes of a warp; what each operator gives is [`lanescope_ir::eval`]'s.
//!
//! Where the forms of the operands allow, the result is one value or a line over the lanes. Common operators of integers
//! have loops over lanes that become vector instructions; all others ask the scalar definition lane by lane. In a lane
//! where an operand is unknown, arithmetic of floats gives an assumed 0.

use crate::register::{File, Form, Lanes, SourceId, Value, ones};
use lanescope_ir::eval::{self, integer_value};
use lanescope_ir::{
    BinaryOp, Comparison, Op, Operand, Register, Rounding, ScalarType, TernaryOp, UnaryOp,
};

/// A value, the lanes in which it is unknown, and why.
pub(crate) type Computed<const L: usize> = (Value<L>, (u64, SourceId));

/// The register that an operand of a flat program is.
pub(crate) fn register(operand: Operand) -> Register {
    operand.register().unwrap_or_default()
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

/// One value for all lanes, or a line.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    pub(crate) base: u64,
    pub(crate) stride: u64,
}

impl<const L: usize> File<L> {
    /// What is unknown of a register in the lanes of `mask`.
    pub(crate) fn unknown(&self, operand: Operand, mask: u64) -> (u64, SourceId) {
        let entry = self.entry(register(operand));
        let unknown = entry.unknown & mask;
        (unknown, if unknown == 0 { 0 } else { entry.source })
    }

    /// A register as a line modulo two to the type's bits.
    pub(crate) fn line(&self, operand: Operand, ty: ScalarType) -> Option<Line> {
        let register = register(operand);
        match self.entry(register).form {
            Form::Uniform(base) => Some(Line { base, stride: 0 }),
            Form::Affine(base, stride) if u32::from(self.bits(register)) >= ty.bits() => {
                Some(Line { base, stride })
            }
            Form::Affine(..) | Form::Mask(_) | Form::General => None,
        }
    }

    /// A line of numbers as `ty` reads them, if no lane's wraps: extended to 64 bits.
    pub(crate) fn extended(&self, operand: Operand, ty: ScalarType) -> Option<Line> {
        let line = self.line(operand, ty)?;
        let first = integer_value(ty, line.base);
        let step = i128::from(eval::sign_extend(line.stride, ty.bits()));
        let last = first + step * (L as i128 - 1);
        (integer_value(ty, low(last)) == last).then(|| Line {
            base: low(first),
            stride: low(step),
        })
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
            _ => return None,
        })
    }

    pub(crate) fn unknown_of(&self, operands: &[Operand], mask: u64) -> (u64, SourceId) {
        operands
            .iter()
            .fold((0, 0), |all, one| joined(all, self.unknown(*one, mask)))
    }

    /// Asks the scalar definition, once where all operands are uniform.
    fn by_lane<const N: usize>(
        &self,
        operands: &[Operand; N],
        mask: u64,
        f: impl Fn([u64; N]) -> u64,
    ) -> Value<L> {
        let uniform = operands.map(|one| self.uniform(register(one)));
        if uniform.iter().all(Option::is_some) {
            return Value::Uniform(f(uniform.map(Option::unwrap_or_default)));
        }
        let values = operands.map(|one| self.lanes(register(one)));
        let mut out = [0; L];
        for lane in each(mask) {
            if lane < L {
                out[lane] = f(std::array::from_fn(|at| values[at][lane]));
            }
        }
        narrowest(out, mask)
    }

    /// As [`Self::by_lane`], for floats: 0 in unknown lanes.
    fn by_float<const N: usize>(
        &self,
        operands: &[Operand; N],
        unknown: u64,
        mask: u64,
        f: impl Fn([u64; N]) -> u64,
    ) -> Value<L> {
        if unknown & mask == mask {
            return Value::Uniform(0);
        }
        let value = self.by_lane(operands, mask & !unknown, f);
        match value {
            Value::Uniform(one) if unknown != 0 => Value::General(std::array::from_fn(|lane| {
                if unknown >> lane & 1 == 1 { 0 } else { one }
            })),
            _ => value,
        }
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
            UnaryOp::Negate if fits && !ty.is_float() => self.line(a, ty).map_or_else(
                || self.by_lane(&[a], mask, |[a]| eval::unary(op, ty, a)),
                |line| Value::Affine(line.base.wrapping_neg(), line.stride.wrapping_neg()),
            ),
            _ if ty.is_float() && !matches!(op, UnaryOp::Move | UnaryOp::Not) => {
                self.by_float(&[a], unknown.0, mask, |[a]| eval::unary(op, ty, a))
            }
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
        if fits && let Some(line) = self.line_of(op, ty, a, b) {
            return (line, unknown);
        }
        if self.uniform(register(a)).is_some() && self.uniform(register(b)).is_some() {
            return (
                self.by_lane(&[a, b], mask, |[a, b]| eval::binary(op, ty, a, b)),
                unknown,
            );
        }
        let unknown = self.absorbed(op, ty, a, b, mask, unknown);
        let vector = self.vector(op, ty, a, b).map(|value| match value {
            // Parts of a line, as a thread's row in its block, are often a line again.
            Value::General(lanes) if self.line(a, ty).is_some() => narrowest(lanes, mask),
            _ => value,
        });
        let value = vector
            .unwrap_or_else(|| self.by_lane(&[a, b], mask, |[a, b]| eval::binary(op, ty, a, b)));
        (value, unknown)
    }

    fn logical(&self, op: BinaryOp, a: Operand, b: Operand, mask: u64) -> Value<L> {
        let (x, y) = (self.mask(register(a)), self.mask(register(b)));
        match op {
            BinaryOp::And => Value::Mask(x & y),
            BinaryOp::Or => Value::Mask(x | y),
            BinaryOp::Xor => Value::Mask(x ^ y),
            _ => self.by_lane(&[a, b], mask, |[a, b]| {
                eval::binary(op, ScalarType::Bool, a, b)
            }),
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
        let decided = match op {
            BinaryOp::And => (!x & known(a)) | (!y & known(b)),
            BinaryOp::Or => (x & known(a)) | (y & known(b)),
            _ => 0,
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

    /// Sums and multiples of lines are lines.
    fn line_of(&self, op: BinaryOp, ty: ScalarType, a: Operand, b: Operand) -> Option<Value<L>> {
        let times = |line: Line, by: u64| {
            Value::Affine(line.base.wrapping_mul(by), line.stride.wrapping_mul(by))
        };
        match op {
            BinaryOp::Add | BinaryOp::Subtract => {
                let (x, y) = (self.line(a, ty)?, self.line(b, ty)?);
                Some(if op == BinaryOp::Add {
                    Value::Affine(x.base.wrapping_add(y.base), x.stride.wrapping_add(y.stride))
                } else {
                    Value::Affine(x.base.wrapping_sub(y.base), x.stride.wrapping_sub(y.stride))
                })
            }
            BinaryOp::Multiply => {
                let (x, y) = (self.line(a, ty)?, self.line(b, ty)?);
                match (x.stride, y.stride) {
                    (_, 0) => Some(times(x, y.base)),
                    (0, _) => Some(times(y, x.base)),
                    _ => None,
                }
            }
            BinaryOp::MultiplyWide => {
                let (x, y) = (self.extended(a, ty)?, self.extended(b, ty)?);
                match (x.stride, y.stride) {
                    (_, 0) => Some(times(x, y.base)),
                    (0, _) => Some(times(y, x.base)),
                    _ => None,
                }
            }
            BinaryOp::ShiftLeft => {
                let x = self.line(a, ty)?;
                let by = self.uniform(register(b))? & 0xffff_ffff;
                let by = if by < u64::from(ty.bits()) {
                    1 << by
                } else {
                    0
                };
                Some(times(x, by))
            }
            _ => None,
        }
    }

    /// Loops over lanes for what is common.
    fn vector(&self, op: BinaryOp, ty: ScalarType, a: Operand, b: Operand) -> Option<Value<L>> {
        let mask = ty.mask();
        let shift = 64 - ty.bits();
        let signed = ty.is_signed();
        let (mut first, mut second) = ([0; L], [0; L]);
        let x = self.view(register(a), &mut first);
        let y = self.view(register(b), &mut second);
        let wide = u64::MAX >> (64 - (ty.bits() * 2).min(64));
        let amount = self.uniform(register(b)).map(|by| by & 0xffff_ffff);
        Some(Value::General(match op {
            BinaryOp::Add => zip(x, y, |a, b| a.wrapping_add(b) & mask),
            BinaryOp::Subtract => zip(x, y, |a, b| a.wrapping_sub(b) & mask),
            BinaryOp::Multiply if ty.bits() <= 32 => {
                zip(x, y, |a, b| ((a & mask) * (b & mask)) & mask)
            }
            BinaryOp::Multiply => zip(x, y, u64::wrapping_mul),
            BinaryOp::MultiplyWide if ty.bits() <= 32 && signed => zip(x, y, |a, b| {
                number(a, shift).wrapping_mul(number(b, shift)) & wide
            }),
            BinaryOp::MultiplyWide if ty.bits() <= 32 => zip(x, y, |a, b| (a & mask) * (b & mask)),
            BinaryOp::And => zip(x, y, |a, b| a & b & mask),
            BinaryOp::Or => zip(x, y, |a, b| (a | b) & mask),
            BinaryOp::Xor => zip(x, y, |a, b| (a ^ b) & mask),
            BinaryOp::ShiftLeft => {
                let by = amount.filter(|by| *by < u64::from(ty.bits()))?;
                map(x, |a| (a << by) & mask)
            }
            BinaryOp::ShiftRight if !signed => {
                let by = amount.filter(|by| *by < u64::from(ty.bits()))?;
                map(x, |a| (a & mask) >> by)
            }
            BinaryOp::ShiftRight => {
                let by = amount.filter(|by| *by < u64::from(ty.bits()))?;
                map(x, |a| {
                    (((a << shift).cast_signed() >> shift) >> by).cast_unsigned() & mask
                })
            }
            BinaryOp::Minimum | BinaryOp::Maximum => {
                let bias = if signed { 0 } else { 1 << 63 };
                let key = |a: u64| ((a << shift) ^ bias).cast_signed();
                let least = op == BinaryOp::Minimum;
                zip(x, y, |a, b| {
                    if (key(b) < key(a)) == least {
                        b & mask
                    } else {
                        a & mask
                    }
                })
            }
            _ => return None,
        }))
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
            .ternary_line(op, ty, dst, [a, b, c])
            .or_else(|| self.ternary_vector(op, ty, [a, b, c]))
            .unwrap_or_else(|| self.by_lane(&[a, b, c], mask, scalar));
        (value, unknown)
    }

    fn ternary_line(
        &self,
        op: TernaryOp,
        ty: ScalarType,
        dst: Register,
        [a, b, c]: [Operand; 3],
    ) -> Option<Value<L>> {
        let bits = u32::from(self.bits(dst));
        let (product, added) = match op {
            TernaryOp::MultiplyAdd if bits <= ty.bits() => {
                let (x, y) = (self.line(a, ty)?, self.line(b, ty)?);
                ((x, y), self.line(c, ty)?)
            }
            TernaryOp::MultiplyAddWide if bits <= ty.bits() * 2 => {
                let wide = if ty.bits() >= 32 {
                    ScalarType::U64
                } else {
                    ScalarType::U32
                };
                let (x, y) = (self.extended(a, ty)?, self.extended(b, ty)?);
                ((x, y), self.line(c, wide)?)
            }
            TernaryOp::Add3 if bits <= ty.bits() => {
                let (x, y, z) = (self.line(a, ty)?, self.line(b, ty)?, self.line(c, ty)?);
                let sum = |x: u64, y: u64, z: u64| x.wrapping_add(y).wrapping_add(z);
                return Some(Value::Affine(
                    sum(x.base, y.base, z.base),
                    sum(x.stride, y.stride, z.stride),
                ));
            }
            _ => return None,
        };
        let (line, by) = match (product.0.stride, product.1.stride) {
            (_, 0) => (product.0, product.1.base),
            (0, _) => (product.1, product.0.base),
            _ => return None,
        };
        Some(Value::Affine(
            line.base.wrapping_mul(by).wrapping_add(added.base),
            line.stride.wrapping_mul(by).wrapping_add(added.stride),
        ))
    }

    fn ternary_vector(
        &self,
        op: TernaryOp,
        ty: ScalarType,
        [a, b, c]: [Operand; 3],
    ) -> Option<Value<L>> {
        let mask = ty.mask();
        let shift = 64 - ty.bits();
        let is_wide = op == TernaryOp::MultiplyAddWide && ty.bits() <= 32;
        if !is_wide && !matches!(op, TernaryOp::MultiplyAdd | TernaryOp::Add3) {
            return None;
        }
        let [mut first, mut second, mut third] = [[0; L]; 3];
        let x = self.view(register(a), &mut first);
        let y = self.view(register(b), &mut second);
        let z = self.view(register(c), &mut third);
        let mut out = [0; L];
        if let (TernaryOp::MultiplyAdd, Some(by)) = (op, self.uniform(register(b)))
            && by.is_power_of_two()
        {
            // The place of an element, mostly. Products of 64 bits are dear in vectors.
            let by = by.trailing_zeros();
            for lane in 0..L {
                out[lane] = (x[lane] << by).wrapping_add(z[lane]) & mask;
            }
            return Some(Value::General(out));
        }
        if is_wide {
            let wide = u64::MAX >> (64 - ty.bits() * 2);
            for lane in 0..L {
                let product = if ty.is_signed() {
                    number(x[lane], shift).wrapping_mul(number(y[lane], shift))
                } else {
                    (x[lane] & mask).wrapping_mul(y[lane] & mask)
                };
                out[lane] = product.wrapping_add(z[lane]) & wide;
            }
            return Some(Value::General(out));
        }
        for lane in 0..L {
            let head = if op == TernaryOp::Add3 {
                x[lane].wrapping_add(y[lane])
            } else {
                (x[lane] & mask).wrapping_mul(y[lane] & mask)
            };
            out[lane] = head.wrapping_add(z[lane]) & mask;
        }
        Some(Value::General(out))
    }

    fn lop3(&self, table: u8, wide: bool, operands: [Operand; 3]) -> Value<L> {
        let uniform = operands.map(|one| self.uniform(register(one)));
        if let [Some(a), Some(b), Some(c)] = uniform {
            return Value::Uniform(eval::lop3(table, wide, a, b, c));
        }
        let [x, y, z] = operands.map(|one| self.lanes(register(one)));
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
        if let Some(holds) = self.compare_lines(op, ty, a, b) {
            return (Value::Mask(if holds { u64::MAX } else { 0 }), unknown);
        }
        let (mut first, mut second) = ([0; L], [0; L]);
        let x = self.view(register(a), &mut first);
        let y = self.view(register(b), &mut second);
        (Value::Mask(compare_lanes(op, ty, x, y)), unknown)
    }

    /// What a comparison of two lines gives in all lanes, where it gives the same in the first and in the last: between
    /// them their difference grows or falls.
    fn compare_lines(
        &self,
        op: Comparison,
        ty: ScalarType,
        a: Operand,
        b: Operand,
    ) -> Option<bool> {
        if ty == ScalarType::Bool {
            return None;
        }
        let (x, y) = (self.extended(a, ty)?, self.extended(b, ty)?);
        let number = |value: u64| {
            if ty.is_signed() {
                i128::from(value.cast_signed())
            } else {
                i128::from(value)
            }
        };
        let first = number(x.base) - number(y.base);
        let step = i128::from(x.stride.cast_signed()) - i128::from(y.stride.cast_signed());
        let last = first + step * (L as i128 - 1);
        let holds = |difference: i128| match op {
            Comparison::Less => difference < 0,
            Comparison::LessEqual => difference <= 0,
            Comparison::Greater => difference > 0,
            Comparison::GreaterEqual => difference >= 0,
            Comparison::Equal => difference == 0,
            Comparison::NotEqual => difference != 0,
        };
        let is_apart = matches!(op, Comparison::Equal | Comparison::NotEqual)
            && first != last
            && first.signum() * last.signum() <= 0;
        (holds(first) == holds(last) && !is_apart).then(|| holds(first))
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
        let fits = u32::from(self.bits(dst)) <= to.bits();
        let line = if saturate || !fits || to == ScalarType::Bool || from == ScalarType::Bool {
            None
        } else if from.bits() >= to.bits() {
            self.line(a, to)
        } else {
            self.extended(a, from)
        };
        let value = match line {
            Some(line) => Value::Affine(line.base & to.mask(), line.stride),
            None if saturate => self.by_lane(&[a], mask, scalar),
            None if self.uniform(register(a)).is_some() => self.by_lane(&[a], mask, scalar),
            None => {
                let shift = 64 - from.bits();
                let mut room = [0; L];
                let lanes = self.view(register(a), &mut room);
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

    fn pack(&self, dst: Register, parts: &[Operand], mask: u64) -> Computed<L> {
        let unknown = self.unknown_of(parts, mask);
        let part_bits = u32::from(self.bits(dst)) / u32::try_from(parts.len().max(1)).unwrap_or(1);
        let uniform: Option<Vec<u64>> = parts
            .iter()
            .map(|part| self.uniform(register(*part)))
            .collect();
        if let Some(uniform) = uniform {
            return (Value::Uniform(eval::pack(&uniform, part_bits)), unknown);
        }
        let mut out = [0; L];
        for (at, part) in (0_u32..).zip(parts) {
            let lanes = self.lanes(register(*part));
            let low = ones(u8::try_from(part_bits.min(64)).unwrap_or(64));
            let by = at.saturating_mul(part_bits);
            if by < 64 {
                for (to, from) in out.iter_mut().zip(lanes.iter()) {
                    *to |= (from & low) << by;
                }
            }
        }
        (Value::General(out), unknown)
    }

    /// Sum of three with carries, and its carries out.
    pub(crate) fn add_carry(
        &self,
        operands: [Operand; 3],
        carry_in: [Option<Operand>; 2],
        whole: u64,
    ) -> (Value<L>, [u64; 2]) {
        let carries = carry_in.map(|one| one.map_or(0, |one| self.mask(register(one))));
        let values = operands.map(|one| self.lanes(register(one)));
        let mut out = [0; L];
        let mut carry_out = [0; 2];
        for lane in 0..L {
            let carry = carries.map(|mask| mask >> lane & 1 == 1);
            let [a, b, c] = [0, 1, 2].map(|at| values[at][lane]);
            let (sum, carry) = eval::add_carry(a, b, c, carry);
            out[lane] = sum;
            carry_out[0] |= u64::from(carry[0]) << lane;
            carry_out[1] |= u64::from(carry[1]) << lane;
        }
        let [x, y, z] = operands.map(|one| self.line(one, ScalarType::U32));
        let constant = |mask: u64| mask & whole == 0 || mask & whole == whole;
        let value = match (x, y, z) {
            (Some(x), Some(y), Some(z)) if carries.iter().all(|mask| constant(*mask)) => {
                let more = carries.iter().filter(|mask| **mask & whole != 0).count() as u64;
                let base = x.base.wrapping_add(y.base).wrapping_add(z.base);
                Value::Affine(
                    base.wrapping_add(more),
                    x.stride.wrapping_add(y.stride).wrapping_add(z.stride),
                )
            }
            _ => Value::General(out),
        };
        (value, carry_out)
    }
}

/// The cheapest form of what the lanes of a mask hold.
#[inline]
pub(crate) fn narrowest<const L: usize>(lanes: Lanes<L>, mask: u64) -> Value<L> {
    match line_of(&lanes, mask) {
        Some(line) => line,
        None => Value::General(lanes),
    }
}

/// What the lanes of a mask hold as one value or a line, where it is one.
#[inline]
pub(crate) fn line_of<const L: usize>(lanes: &Lanes<L>, mask: u64) -> Option<Value<L>> {
    let first = mask.trailing_zeros() as usize;
    let second = (mask & mask.wrapping_sub(1)).trailing_zeros() as usize;
    if first >= L {
        return Some(Value::Uniform(0));
    }
    if second >= L {
        return Some(Value::Uniform(lanes[first]));
    }
    let difference = lanes[second].wrapping_sub(lanes[first]);
    if second != first + 1 && difference != 0 {
        return None;
    }
    let base = lanes[first].wrapping_sub(difference.wrapping_mul(first as u64));
    let on_line =
        |lane: usize| lanes[lane] == base.wrapping_add(difference.wrapping_mul(lane as u64));
    each(mask)
        .all(on_line)
        .then_some(Value::Affine(base, difference))
}

/// Low bits as a signed number; `shift` is how many are above them.
fn number(value: u64, shift: u32) -> u64 {
    ((value << shift).cast_signed() >> shift).cast_unsigned()
}

/// The low 64 bits of a number.
#[allow(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
const fn low(value: i128) -> u64 {
    value as u64
}

fn zip<const L: usize>(a: &Lanes<L>, b: &Lanes<L>, f: impl Fn(u64, u64) -> u64) -> Lanes<L> {
    let mut out = [0; L];
    for lane in 0..L {
        out[lane] = f(a[lane], b[lane]);
    }
    out
}

fn map<const L: usize>(a: &Lanes<L>, f: impl Fn(u64) -> u64) -> Lanes<L> {
    let mut out = [0; L];
    for lane in 0..L {
        out[lane] = f(a[lane]);
    }
    out
}

fn compare_lanes<const L: usize>(
    op: Comparison,
    ty: ScalarType,
    a: &Lanes<L>,
    b: &Lanes<L>,
) -> u64 {
    let shift = 64 - ty.bits();
    let bias = if ty.is_signed() { 0 } else { 1 << 63 };
    let key = |value: u64| ((value << shift) ^ bias).cast_signed();
    let holds = |test: fn(i64, i64) -> bool| {
        let mut mask = 0;
        for lane in 0..L {
            mask |= u64::from(test(key(a[lane]), key(b[lane]))) << lane;
        }
        mask
    };
    match op {
        Comparison::Equal => holds(|a, b| a == b),
        Comparison::NotEqual => holds(|a, b| a != b),
        Comparison::Less => holds(|a, b| a < b),
        Comparison::LessEqual => holds(|a, b| a <= b),
        Comparison::Greater => holds(|a, b| a > b),
        Comparison::GreaterEqual => holds(|a, b| a >= b),
    }
}
