//! Loads and stores of a place, cut into the widths that memory has.

use crate::source::Construct;
use lanescope_model::{Operation, Width};

use super::cell;
use crate::source::Span;
use crate::source::code::{Binary, Inst, Reg};
use crate::source::ctype::{Target, Type};
use crate::source::diagnostic::DiagnosticKind;
use crate::source::lower::{Lower, Memory, Value};
use crate::source::scalar::Scalar;

impl Lower<'_> {
    /// Reads what is there: as few requests as its alignment allows.
    pub(crate) fn load(&mut self, memory: &Memory, span: Span) -> Value {
        self.requests(memory, Operation::Load, span);
        let leaves = memory.of.leaves();
        let regs = leaves
            .iter()
            .map(|leaf| {
                let dst = self.temp();
                let cell = cell(memory, leaf.offset, &leaf.of);
                self.emit(Inst::Read { dst, cell });
                dst
            })
            .collect();
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
        let reg = self.binary_reg(Binary::ShiftLeft, wide, *reg, up);
        let reg = self.binary_reg(Binary::ShiftRight, wide, reg, down);
        Value::scalar(scalar, self.convert_reg(reg, wide, scalar))
    }

    /// A unit with new bits in it: the others are read and written back.
    fn bits_in(&mut self, memory: &Memory, value: &Value, span: Span) -> Value {
        let (Some((first, bits)), Some(scalar)) = (memory.bits, memory.of.scalar()) else {
            return value.clone();
        };
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
        let new = self.binary_reg(Binary::And, Scalar::U64, *new, mask);
        let new = self.binary_reg(Binary::ShiftLeft, Scalar::U64, new, by);
        let old = self.binary_reg(Binary::And, Scalar::U64, *old, around);
        let both = self.binary_reg(Binary::Or, Scalar::U64, old, new);
        Value::scalar(scalar, self.convert_reg(both, Scalar::U64, scalar))
    }

    /// Writes a value of the place's type.
    pub(crate) fn store(&mut self, memory: &Memory, value: &Value, span: Span) {
        let whole = memory.bits.map(|_| self.bits_in(memory, value, span));
        let value = whole.as_ref().unwrap_or(value);
        self.requests(memory, Operation::Store, span);
        for (leaf, src) in memory.of.leaves().iter().zip(&value.regs) {
            let cell = cell(memory, leaf.offset, &leaf.of);
            self.emit(Inst::Write { src: *src, cell });
        }
    }

    /// The requests that reading or writing a place takes.
    pub(crate) fn requests(&mut self, memory: &Memory, operation: Operation, span: Span) {
        if matches!(memory.target, Target::Local(_)) {
            return;
        }
        self.check(memory, span);
        if let Some(id) = self.constant_array(memory.target) {
            let (name, at) = (&self.arrays[id].name, self.arrays[id].span);
            let what = Construct::ConstantMemory(name.to_string());
            self.say(at, DiagnosticKind::Ignored { what });
            return;
        }
        let whole = matches!(
            operation,
            Operation::MatrixLoad { .. } | Operation::MatrixStore { .. }
        );
        if memory.packed_to > 0 && memory.bits.is_some() {
            // Read by the bytes that it has bits in, which are not those of its type.
            let what = Construct::PackedBitField;
            self.say(span, DiagnosticKind::Unsupported { what });
        }
        let most = match memory.packed_to {
            0 => 16,
            known => known,
        };
        for (at, width) in pieces(&memory.of, most, whole) {
            let site = self.site(span, memory, operation, width);
            let offset = memory.offset.wrapping_add(at.cast_signed());
            let (address, offset) = self.reachable(memory.address, offset);
            self.emit(Inst::Request {
                site,
                address,
                offset,
            });
        }
    }

    /// The array of constant memory, whose reads are no requests, that a pointer points into.
    fn constant_array(&self, target: Target) -> Option<usize> {
        let Target::Array(id) = target else {
            return None;
        };
        let is = |one: &crate::source::program::Declared| one.array == id && one.constant;
        self.declared.iter().any(is).then_some(id.0 as usize)
    }

    /// An address and an offset that fits an instruction.
    pub(crate) fn reachable(&mut self, address: Reg, offset: i64) -> (Reg, i32) {
        if let Ok(offset) = i32::try_from(offset) {
            return (address, offset);
        }
        let by = self.constant(offset);
        (
            self.binary_reg(crate::source::code::Binary::Add, Scalar::I64, address, by),
            0,
        )
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
                let extent = u32::try_from(bound.extent).unwrap_or(u32::MAX);
                self.emit(Inst::Check {
                    index: bound.index,
                    extent,
                    array,
                    dimension: bound.dimension,
                    span,
                });
            }
        }
    }
}

/// The most requests of one access.
const MOST_PIECES: usize = 256;

/// The accesses that reading or writing a value takes, the byte and the width of each: as wide as
/// its alignment allows, at most `most` bytes. A row of a matrix's `whole` is 16 bytes.
fn pieces(of: &Type, most: u64, whole: bool) -> Vec<(u64, Width)> {
    if whole {
        return vec![(0, Width::Bytes16)];
    }
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
    let (mut at, bytes) = (0, of.bytes());
    while at < bytes && list.len() < MOST_PIECES {
        let mut piece = widest;
        while piece > bytes - at {
            piece /= 2;
        }
        if let Some(width) = Width::from_bytes(piece) {
            list.push((offset + at, width));
        }
        at += piece.max(1);
    }
}
