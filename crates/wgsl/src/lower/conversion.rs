//! Conversions of values, and their bits as another type's.

use super::Lower;
use super::layout::scalar_type;
use super::number::{Number, Value};
use lanescope_frontend::raw_type;
use lanescope_ir::{Op, ScalarType, eval};
use naga::{Expression, Handle, Scalar, ScalarKind};

impl Lower<'_> {
    /// `convert`: bytes of the new type; `None`: the bits stay.
    pub(super) fn converted(
        &mut self,
        of: Handle<Expression>,
        kind: ScalarKind,
        convert: Option<u8>,
        result: Handle<Expression>,
    ) -> Value {
        let value = self.value(of);
        if let Some(width) = convert {
            let to = scalar_type(Scalar { kind, width });
            let each = value.into_iter();
            return each.map(|one| self.convert(one, to)).collect();
        }
        let leaves = self.layouts.leaves(self.shape(result));
        let Some(to) = leaves.first().map(|leaf| leaf.ty) else {
            return value;
        };
        self.recast(value, to, leaves.len())
    }

    /// The same bits as `count` numbers of a type, the lowest first.
    pub(super) fn recast(&mut self, value: Value, to: ScalarType, count: usize) -> Value {
        if count == value.len() {
            return value.into_iter().map(|one| one.read_as(to)).collect();
        }
        if count < value.len() {
            let wholes = value.chunks(value.len() / count.max(1));
            return wholes.map(|parts| self.packed(parts, to)).collect();
        }
        let each = count / value.len().max(1);
        let parts = value.into_iter();
        parts
            .flat_map(|whole| self.unpacked(whole, to, each))
            .collect()
    }

    /// Numbers side by side, the lowest first.
    pub(super) fn packed(&mut self, parts: &[Number], to: ScalarType) -> Number {
        let bits = parts.first().map_or(32, |one| one.ty.bits());
        let known: Option<Vec<u64>> = parts.iter().map(|part| part.constant()).collect();
        if let Some(known) = known {
            return Number::bits(to, eval::pack(&known, bits));
        }
        let parts = parts.iter().map(|part| part.operand).collect();
        let whole = raw_type(i64::from(to.bytes()));
        let dst = self.builder.value(whole, |dst| Op::Pack { dst, parts });
        Number::new(to, dst.into())
    }

    /// The `count` parts of a number, the lowest first.
    pub(super) fn unpacked(&mut self, whole: Number, to: ScalarType, count: usize) -> Value {
        let part_bits = to.bits();
        if let Some(bits) = whole.constant() {
            let parts = (0_u32..).take(count);
            let parts = parts.map(|at| Number::bits(to, eval::unpack(bits, part_bits, at)));
            return parts.collect();
        }
        let mut parts = Vec::new();
        for _ in 0..count {
            parts.push(self.builder.register(to));
        }
        self.builder.emit(Op::Unpack {
            parts: parts.iter().copied().map(Some).collect(),
            part_bits,
            a: whole.operand,
        });
        let parts = parts.into_iter();
        parts.map(|part| Number::new(to, part.into())).collect()
    }
}
