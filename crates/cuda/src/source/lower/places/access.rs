//! Loads and stores of a place, cut into the widths that memory has.

use lanescope_frontend::{ArrayId, Construct, Span, cut_into_widths};
use lanescope_ir::{AddressSpace, Op};
use lanescope_model::{Operation, Width};

use crate::source::ctype::{Target, Type};
use crate::source::lower::memory::Piece;
use crate::source::lower::{Lower, Memory, Value};
use lanescope_syntax::diagnostic::DiagnosticKind;

impl Lower<'_> {
    /// Reads what is there, of a bit-field its bits: as few requests as its alignment allows.
    pub(crate) fn load(&mut self, memory: &Memory, span: Span) -> Value {
        if self.is_unwritten(memory) {
            return self.unread("", Some(span), &memory.ty.clone());
        }
        let Some(bits) = memory.bits else {
            return self.unit(memory, span);
        };
        let unit = self.unit(&of_unit(memory), span);
        self.bits_of(&unit, &memory.ty, bits)
    }

    /// Writes a value of the place's type.
    pub(crate) fn store(&mut self, memory: &Memory, value: &Value, span: Span) {
        self.note_written(memory);
        if memory.bits.is_some() {
            let value = self.bits_in(memory, value, span);
            return self.store_unit(&of_unit(memory), &value, span);
        }
        self.store_unit(memory, value, span);
    }

    fn store_unit(&mut self, memory: &Memory, value: &Value, span: Span) {
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
            let array = &self.arrays[id.0 as usize];
            let at = self.span_at(array.place);
            let what = Construct::ConstantMemory(array.name.clone());
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
        for (at, width) in pieces(&memory.ty, most) {
            requests.push(Piece {
                site: self.site(span, memory, operation, width),
                offset: memory.offset.wrapping_add(at.cast_signed()),
                bytes: width.bytes().cast_signed(),
            });
        }
        requests
    }

    /// The array of constant memory, whose reads are no requests, that a pointer points into.
    fn constant_array(&self, target: Target) -> Option<ArrayId> {
        let Target::Array(id) = target else {
            return None;
        };
        let space = self.arrays[id.0 as usize].space;
        (space == AddressSpace::Constant).then_some(id)
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
                    array,
                    dimension: bound.dimension,
                });
                self.stand_nowhere();
            }
        }
    }
}

/// The unit that a bit-field is read and written in.
fn of_unit(memory: &Memory) -> Memory {
    Memory {
        ty: memory.ty.unit(),
        ..memory.clone()
    }
}

/// The most requests of one access.
const MOST_PIECES: usize = 256;

/// The accesses that reading or writing a value takes, the byte and the width of each: as wide as
/// its alignment allows, at most `most` bytes.
fn pieces(ty: &Type, most: u64) -> Vec<(u64, Width)> {
    let mut list = Vec::new();
    collect_pieces(ty, 0, most, &mut list);
    list
}

fn collect_pieces(ty: &Type, offset: u64, most: u64, list: &mut Vec<(u64, Width)>) {
    if let Type::Array(element, count) = ty {
        for i in 0..*count {
            if list.len() >= MOST_PIECES {
                return;
            }
            collect_pieces(element, offset + i * element.stride(), most, list);
        }
        return;
    }
    let widest = match ty {
        Type::Struct(ty) => ty.align.min(most),
        _ => most,
    };
    cut_into_widths(list, offset, ty.bytes(), widest, MOST_PIECES);
}
