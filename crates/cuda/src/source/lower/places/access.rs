//! Loads and stores of a place, cut into the widths that memory has.

use lanescope_frontend::{Construct, Span, cut_into_widths};
use lanescope_ir::{BinaryOp, Op};
use lanescope_model::{Operation, Width};

use crate::source::ctype::{Target, Type};
use crate::source::lower::memory::Piece;
use crate::source::lower::{Lower, Memory, Value};
use lanescope_syntax::{diagnostic::DiagnosticKind, scalar::Scalar};

impl Lower<'_> {
    /// Reads what is there: as few requests as its alignment allows.
    pub(crate) fn load(&mut self, memory: &Memory, span: Span) -> Value {
        let pieces = self.requests(memory, Operation::Load, span);
        let regs = self.loaded(memory, &pieces, span);
        let value = Value {
            of: memory.of.clone(),
            regs,
        };
        match memory.bits {
            Some(bits) => self.bits_of(&value, bits),
            None => value,
        }
    }

    /// The value of a bit-field in the unit that has been read.
    fn bits_of(&mut self, unit: &Value, (first, bits): (u32, u32)) -> Value {
        let (Some(scalar), Some(reg)) = (unit.of.scalar(), unit.regs.first()) else {
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
    fn bits_in(&mut self, memory: &Memory, value: &Value, span: Span) -> Value {
        let (Some((first, bits)), Some(scalar)) = (memory.bits, memory.of.scalar()) else {
            return value.clone();
        };
        if u64::from(bits) == 8 * scalar.bytes() {
            // Nothing of the unit stays.
            return value.clone();
        }
        let whole = Memory {
            bits: None,
            ..memory.clone()
        };
        let old = self.load(&whole, span);
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

    /// Writes a value of the place's type.
    pub(crate) fn store(&mut self, memory: &Memory, value: &Value, span: Span) {
        let whole = memory.bits.map(|_| self.bits_in(memory, value, span));
        let value = whole.as_ref().unwrap_or(value);
        let pieces = self.requests(memory, Operation::Store, span);
        self.stored(memory, &pieces, &value.regs, span);
    }

    /// The requests that reading or writing a place takes.
    pub(crate) fn requests(
        &mut self,
        memory: &Memory,
        operation: Operation,
        span: Span,
    ) -> Vec<Piece> {
        if matches!(memory.target, Target::Local(_)) {
            return Vec::new();
        }
        self.check(memory, span);
        if let Some(id) = self.constant_array(memory.target) {
            let (name, at) = (&self.arrays[id].name, self.arrays[id].span);
            let what = Construct::ConstantMemory(name.to_string());
            self.say(at, DiagnosticKind::Ignored { what });
            return Vec::new();
        }
        if memory.packed_to > 0 && memory.bits.is_some() {
            // Read by the bytes that it has bits in, which are not those of its type.
            let what = Construct::PackedBitField;
            self.say(span, DiagnosticKind::Unsupported { what });
        }
        let most = match memory.packed_to {
            0 => 16,
            known => known,
        };
        let mut requests = Vec::new();
        for (at, width) in pieces(&memory.of, most) {
            requests.push(Piece {
                site: self.site(span, memory, operation, width),
                offset: memory.offset.wrapping_add(at.cast_signed()),
                bytes: width.bytes().cast_signed(),
            });
        }
        requests
    }

    /// The array of constant memory, whose reads are no requests, that a pointer points into.
    fn constant_array(&self, target: Target) -> Option<usize> {
        let Target::Array(id) = target else {
            return None;
        };
        let is = |one: &lanescope_frontend::Declared| one.array == id && one.constant;
        self.declared.iter().any(is).then_some(id.0 as usize)
    }

    /// Watches the indices of an access.
    pub(crate) fn check(&mut self, memory: &Memory, span: Span) {
        let span = self.place_in_source(span);
        let Target::Array(array) = memory.target else {
            return;
        };
        for bound in &memory.bounds {
            let inside = self
                .known(bound.index)
                .is_some_and(|index| index >= 0 && index.unsigned_abs() < bound.extent);
            if !inside {
                let ty = self.own_type(bound.index);
                self.stand_at(span);
                let index = self.operand_of(bound.index, ty);
                self.emit(Op::BoundsCheck {
                    index,
                    ty,
                    extent: bound.extent.min(u64::from(u32::MAX)),
                    array: lanescope_ir::ArrayId(array.0),
                    dimension: bound.dimension,
                });
                self.stand_nowhere();
            }
        }
    }
}

/// The most requests of one access.
const MOST_PIECES: usize = 256;

/// The accesses that reading or writing a value takes, the byte and the width of each: as wide as
/// its alignment allows, at most `most` bytes.
fn pieces(of: &Type, most: u64) -> Vec<(u64, Width)> {
    let mut list = Vec::new();
    collect_pieces(of, 0, most, &mut list);
    list
}

fn collect_pieces(of: &Type, offset: u64, most: u64, list: &mut Vec<(u64, Width)>) {
    if let Type::Array(element, count) = of {
        for i in 0..*count {
            if list.len() >= MOST_PIECES {
                return;
            }
            collect_pieces(element, offset + i * element.stride(), most, list);
        }
        return;
    }
    let widest = match of {
        Type::Struct(of) => of.align.min(most),
        _ => most,
    };
    cut_into_widths(list, offset, of.bytes(), widest, MOST_PIECES);
}
