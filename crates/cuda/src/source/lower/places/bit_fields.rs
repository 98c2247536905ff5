//! Bit-fields: their bits in the unit that holds them, and which of a thread's own were written.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_frontend::Span;
use lanescope_ir::BinaryOp;
use lanescope_model::Operation;

use crate::source::ctype::{Target, Type};
use crate::source::lower::{Lower, Memory, Value};
use lanescope_syntax::scalar::Scalar;

/// The most units of an object that begin with nothing written.
const MOST_UNITS: usize = 1 << 10;

/// The bits of a unit that were written.
type Written = BTreeSet<(u32, u32)>;

/// Objects with bit-fields in a thread's own memory that begin with nothing written, by their first byte: the bit-fields
/// that some line so far writes. `None` where one writes the object, or a part of it, as a whole.
///
/// A unit is read and written back for each of its bit-fields, so that what nothing wrote yet is part of what is written.
/// Therefore it begins with zeros, and a bit-field that no line before writes is not read.
#[derive(Debug, Default)]
pub(crate) struct OpenUnits(BTreeMap<u32, Option<Written>>);

impl Lower<'_> {
    /// An object in a thread's own memory begins with nothing written.
    pub(crate) fn begin_unwritten(&mut self, memory: &Memory, span: Span) {
        let Target::Local(Some(base)) = memory.target else {
            return;
        };
        let mut units = Vec::new();
        collect_units(&memory.ty, 0, &mut units);
        if units.is_empty() || units.len() > MOST_UNITS {
            return;
        }
        for (offset, ty) in units {
            let at = Memory {
                offset: memory.offset.wrapping_add(offset.cast_signed()),
                ty,
                ..memory.clone()
            };
            let zero = self.zero(&at.ty);
            self.store(&at, &zero, span);
        }
        self.open_units.0.insert(base, Some(Written::new()));
    }

    /// Notes that a line writes a place.
    pub(super) fn note_written(&mut self, memory: &Memory) {
        if let Target::Local(Some(base)) = memory.target
            && let Some(open) = self.open_units.0.get_mut(&base)
        {
            match (memory.bits, open.as_mut()) {
                (Some(bits), Some(written)) => _ = written.insert(bits),
                (None, Some(_)) => *open = None,
                (_, None) => {}
            }
        }
    }

    /// Whether a place holds bits of a unit that no line so far writes.
    pub(super) fn is_unwritten(&self, memory: &Memory) -> bool {
        let Target::Local(Some(base)) = memory.target else {
            return false;
        };
        let Some(Some(written)) = self.open_units.0.get(&base) else {
            return false;
        };
        match (memory.bits, &memory.ty) {
            (Some(bits), _) => !written.contains(&bits),
            // Another member of a union: its bytes are those of the unit.
            (None, Type::Scalar(scalar)) => {
                let bits = written
                    .iter()
                    .map(|(_, bits)| u64::from(*bits))
                    .sum::<u64>();
                bits < 8 * scalar.bytes()
            }
            (None, _) => false,
        }
    }

    /// What is in memory there.
    pub(super) fn unit(&mut self, memory: &Memory, span: Span) -> Value {
        let pieces = self.requests(memory, Operation::Load, span);
        let regs = self.loaded(memory, &pieces, span);
        Value {
            ty: memory.ty.clone(),
            regs,
        }
    }

    /// The value of a bit-field in the unit that has been read.
    pub(super) fn bits_of(&mut self, unit: &Value, ty: &Type, (first, bits): (u32, u32)) -> Value {
        let (Some(scalar), Some(reg)) = (ty.scalar(), unit.regs.first()) else {
            return unit.clone();
        };
        let (up, down) = (
            self.constant(64 - i64::from(first) - i64::from(bits)),
            self.constant(64 - i64::from(bits)),
        );
        let wide = if scalar.is_signed() {
            Scalar::I64
        } else {
            Scalar::U64
        };
        let reg = self.binary_reg(BinaryOp::ShiftLeft, wide, *reg, up);
        let reg = self.binary_reg(BinaryOp::ShiftRight, wide, reg, down);
        Value::scalar(scalar, self.convert_reg(reg, wide, scalar))
    }

    /// A unit with new bits in it: the others are read and written back.
    pub(super) fn bits_in(&mut self, memory: &Memory, value: &Value, span: Span) -> Value {
        let (Some((first, bits)), Some(scalar)) = (memory.bits, memory.ty.scalar()) else {
            return value.clone();
        };
        if u64::from(bits) == 8 * scalar.bytes() {
            // Nothing of the unit stays.
            return value.clone();
        }
        let scalar = memory.ty.unit().scalar().unwrap_or(scalar);
        let whole = Memory {
            bits: None,
            ty: Type::Scalar(scalar),
            ..memory.clone()
        };
        let old = self.unit(&whole, span);
        let (Some(old), Some(new)) = (old.regs.first(), value.regs.first()) else {
            return value.clone();
        };
        let mask = u64::MAX >> (64 - u64::from(bits.clamp(1, 64)));
        let (mask, around) = (
            self.constant(mask.cast_signed()),
            self.constant(!(mask << first).cast_signed()),
        );
        let by = self.constant(i64::from(first));
        let new = self.binary_reg(BinaryOp::And, Scalar::U64, *new, mask);
        let new = self.binary_reg(BinaryOp::ShiftLeft, Scalar::U64, new, by);
        let old = self.binary_reg(BinaryOp::And, Scalar::U64, *old, around);
        let both = self.binary_reg(BinaryOp::Or, Scalar::U64, old, new);
        Value::scalar(scalar, self.convert_reg(both, Scalar::U64, scalar))
    }
}

/// The units of the bit-fields in a type, each with its first byte.
fn collect_units(ty: &Type, offset: u64, list: &mut Vec<(u64, Type)>) {
    match ty {
        Type::Array(element, count) if element.shares_bytes() => {
            for at in 0..*count {
                if list.len() > MOST_UNITS {
                    return;
                }
                collect_units(element, offset + at * element.stride(), list);
            }
        }
        Type::Struct(structure) => {
            for field in &structure.fields {
                let at = offset + field.offset;
                let unit = (at, field.ty.unit());
                match field.bits {
                    Some(_) if list.last() != Some(&unit) => list.push(unit),
                    Some(_) => {}
                    None => collect_units(&field.ty, at, list),
                }
            }
        }
        Type::Array(..)
        | Type::Void
        | Type::Scalar(_)
        | Type::Pointer(_)
        | Type::Closure(_)
        | Type::Group { .. } => {}
    }
}
