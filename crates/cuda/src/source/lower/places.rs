//! Places in memory and in registers: indexing, fields, loads and stores.

use super::{Bound, Lower, Memory, Place, Value};
use crate::source::code::{Binary, Cell, Inst, Reg};
use crate::source::ctype::{Field, Pointer, Target, Type};
use crate::source::diagnostic::DiagnosticKind;
use crate::source::program::Aligned;
use crate::source::scalar::Scalar;
use crate::source::syntax::{Expr, ExprKind};
use crate::source::{ArrayId, Span};
use lanescope_model::{Operation, Width};
use std::rc::Rc;

impl Lower<'_> {
    /// The place that an expression names, if it names one.
    pub(super) fn place(&mut self, expr: &Expr) -> Option<Place> {
        match &expr.kind {
            ExprKind::Name(name) => match self.lookup(name).or_else(|| self.qualified(name)) {
                Some(super::Binding::Place(place)) => Some(place.clone()),
                Some(super::Binding::Value(value)) => Some(Place::Registers(value.clone())),
                _ => None,
            },
            ExprKind::Index(base, index) => self.index_place(base, index, expr.span),
            ExprKind::Member(object, field) => self.member_place(object, field, expr.span),
            ExprKind::Prefix("*", inner) if matches!(&inner.kind, ExprKind::Name(name) if &**name == "this") => {
                match self.lookup("this") {
                    Some(super::Binding::Place(place)) => Some(place.clone()),
                    _ => self.pointed_place(inner),
                }
            }
            ExprKind::Prefix("*", inner) => self.pointed_place(inner),
            ExprKind::Call {
                callee,
                templates,
                arguments,
            } => Some(
                match self.call_outcome(callee, templates, arguments, expr.span) {
                    super::calls::Outcome::Place(place) => place,
                    super::calls::Outcome::Value(value) => Place::Registers(value),
                },
            ),
            ExprKind::Prefix("++" | "--", inner) | ExprKind::Assign(_, inner, _) => {
                self.value(expr);
                // One inside another would be looked at twice at each level.
                let nested = matches!(
                    inner.kind,
                    ExprKind::Prefix("++" | "--", _) | ExprKind::Assign(..)
                );
                if nested { None } else { self.place(inner) }
            }
            ExprKind::Cast(of, inner)
                if matches!(of.kind, crate::source::syntax::TypeKind::Reference(_)) =>
            {
                let to = self.resolve(of);
                match self.place(inner)? {
                    Place::Memory(memory) => Some(Place::Memory(Memory { of: to, ..memory })),
                    registers @ Place::Registers(_) => Some(registers),
                }
            }
            _ => None,
        }
    }

    fn pointed_place(&mut self, inner: &Expr) -> Option<Place> {
        let pointer = self.value(inner);
        let Type::Pointer(of) = &pointer.of else {
            let found = pointer.of.shown();
            self.say(inner.span, DiagnosticKind::NotAPointer { found });
            return None;
        };
        let mut memory = through(of, pointer.regs[0]);
        memory.of = self.whole_type(&memory.of);
        Some(Place::Memory(memory))
    }

    fn index_place(&mut self, base: &Expr, index: &Expr, span: Span) -> Option<Place> {
        let may_be_place = matches!(
            base.kind,
            ExprKind::Name(_)
                | ExprKind::Index(..)
                | ExprKind::Member(..)
                | ExprKind::Prefix("*", _)
        ) && !self.is_builtin(base);
        let place = may_be_place.then(|| self.place(base)).flatten();
        let indices = std::slice::from_ref(index);
        if let Some(place) = &place
            && let Some(outcome) = self.call_method(place, "operator[]", &[], indices, span)
        {
            return Some(match outcome {
                super::calls::Outcome::Place(place) => place,
                super::calls::Outcome::Value(value) => Place::Registers(value),
            });
        }
        let array = match place {
            Some(Place::Memory(memory))
                if matches!(memory.of, Type::Array(..)) || memory.of.indexed().is_some() =>
            {
                Some(memory)
            }
            Some(Place::Memory(memory)) => {
                let pointer = self.load(&memory, base.span);
                return self.index_pointer(&pointer, index, span);
            }
            Some(Place::Registers(value)) if matches!(value.of, Type::Array(..)) => {
                return Some(Place::Registers(self.index_registers(&value, index)));
            }
            Some(Place::Registers(value)) => return self.index_pointer(&value, index, span),
            None => None,
        };
        let Some(memory) = array else {
            if let ExprKind::Name(name) = &base.kind
                && self.lookup(name).is_none()
                && self.builtin_name(name, base.span).is_none()
            {
                self.unknown_name(name, base.span);
                self.value(index);
                return None;
            }
            let value = if may_be_place {
                self.value_off_place(base)
            } else {
                self.value(base)
            };
            if matches!(value.of, Type::Scalar(_)) && matches!(base.kind, ExprKind::Missing) {
                return None;
            }
            return self.index_pointer(&value, index, span);
        };
        let index_value = self.value(index);
        let (scalar, reg) = self.scalar(&index_value, index.span);
        let reg = if scalar.is_float() {
            self.convert_reg(reg, scalar, Scalar::I32)
        } else {
            reg
        };
        Some(Place::Memory(self.index_array(memory, reg)))
    }

    /// Element `index` of an array that lies in registers, as one in a parameter does.
    fn index_registers(&mut self, value: &Value, index: &Expr) -> Value {
        let Type::Array(element, _) = &value.of else {
            return value.clone();
        };
        let element = (**element).clone();
        let index_value = self.value(index);
        let (scalar, index) = self.scalar(&index_value, index.span);
        let count = element.leaf_count().max(1);
        let mut chosen: Option<Vec<Reg>> = None;
        for (at, regs) in value.regs.chunks(count).enumerate() {
            let at = i64::try_from(at).unwrap_or(i64::MAX);
            let here = self.constant(at);
            let is = self.binary_reg(crate::source::code::Binary::Equal, scalar, index, here);
            chosen = Some(match (chosen, self.known(is)) {
                (_, Some(1)) | (None, _) => regs.to_vec(),
                (Some(before), Some(_)) => before,
                (Some(before), None) => {
                    let both = regs.iter().zip(before);
                    both.map(|(yes, no)| self.either(is, *yes, no)).collect()
                }
            });
        }
        let Some(regs) = chosen else {
            return self.zero(&element);
        };
        Value { of: element, regs }
    }

    fn either(&mut self, condition: Reg, yes: Reg, no: Reg) -> Reg {
        let dst = self.temp();
        self.emit(Inst::Select {
            dst,
            condition,
            yes,
            no,
        });
        dst
    }

    /// Element `index` of an array in memory.
    fn index_array(&mut self, mut memory: Memory, index: Reg) -> Memory {
        memory.aligned = Aligned::default();
        let (element, count) = match memory.of.clone() {
            Type::Array(element, count) => ((*element).clone(), count),
            other => match other.indexed() {
                Some((element, count)) => (element.clone(), count),
                None => return memory,
            },
        };
        let bytes = element.stride().cast_signed();
        if count > 0 {
            memory.bounds.push(Bound {
                index,
                extent: count,
                dimension: memory.dimension,
            });
        }
        memory.dimension = memory.dimension.saturating_add(1);
        match self.known(index) {
            Some(index) => memory.offset = memory.offset.wrapping_add(index.wrapping_mul(bytes)),
            None => memory.address = self.address(memory.address, index, bytes, 0),
        }
        memory.of = element;
        memory
    }

    fn index_pointer(&mut self, pointer: &Value, index: &Expr, span: Span) -> Option<Place> {
        let plain = self.plain(pointer, span);
        let pointer = plain.as_ref().unwrap_or(pointer);
        let index_value = self.value(index);
        let Type::Pointer(of) = &pointer.of else {
            let found = pointer.of.shown();
            self.say(span, DiagnosticKind::NotIndexable { found });
            return None;
        };
        let (_, reg) = self.scalar(&index_value, index.span);
        let mut memory = through(of, pointer.regs[0]);
        memory.of = self.whole_type(&memory.of);
        let bytes = memory.of.stride().cast_signed();
        match self.known(reg) {
            Some(index) => memory.offset = index.wrapping_mul(bytes),
            None => memory.address = self.address(pointer.regs[0], reg, bytes, 0),
        }
        Some(Place::Memory(memory))
    }

    /// Says so where an object with a field is a name that nothing declares.
    fn say_if_unknown(&mut self, object: &Expr) {
        if let ExprKind::Name(name) = &object.kind
            && self.lookup(name).is_none()
        {
            self.unknown_name(name, object.span);
        }
    }

    fn member_place(&mut self, object: &Expr, field: &str, span: Span) -> Option<Place> {
        if self.is_builtin(object) {
            return None;
        }
        let place = match self.place(object) {
            Some(place) => place,
            None if matches!(object.kind, ExprKind::Name(_) | ExprKind::Index(..)) => {
                self.say_if_unknown(object);
                return None;
            }
            None => Place::Registers(self.value_off_place(object)),
        };
        let Type::Struct(of) = place.of().clone() else {
            if !matches!(place.of(), Type::Group { .. }) {
                let of = place.of().shown();
                self.say(
                    span,
                    DiagnosticKind::UnknownField {
                        field: field.to_owned(),
                        of,
                        suggestion: None,
                    },
                );
            }
            return None;
        };
        if of.field(field).is_none()
            && let Some(super::Binding::Value(value)) = self.constant_of(place.of(), field)
        {
            return Some(Place::Registers(value.clone()));
        }
        let Some(found) = of.field(field) else {
            let shown = of.name.to_string();
            let at = Span {
                start: span
                    .end
                    .saturating_sub(u32::try_from(field.len()).unwrap_or(0)),
                end: span.end,
            };
            self.sink.unknown(
                at,
                field,
                of.fields.iter().map(|one| &*one.name),
                |field, suggestion| DiagnosticKind::UnknownField {
                    field,
                    of: shown,
                    suggestion,
                },
            );
            return None;
        };
        Some(part(&place, found))
    }

    /// The value of an expression that names no place. What is wrong with an element or a member is said by then; to
    /// look at it again would double the work at each level.
    pub(super) fn value_off_place(&mut self, expr: &Expr) -> Value {
        let built_in = match &expr.kind {
            ExprKind::Index(base, index) => self.builtin_index(base, index, expr.span),
            ExprKind::Member(object, field) => self.builtin_member(object, field, expr.span),
            _ => return self.value(expr),
        };
        built_in.unwrap_or_else(|| self.nothing())
    }

    /// The value at a place: an array is a pointer to its first element.
    pub(super) fn read(&mut self, place: &Place, span: Span) -> Value {
        match place {
            Place::Registers(value) => value.clone(),
            Place::Memory(memory) => match &memory.of {
                Type::Array(element, _) => {
                    let element = (**element).clone();
                    self.pointer_at(memory, element)
                }
                _ => self.load(memory, span),
            },
        }
    }

    /// A pointer to a place.
    pub(super) fn pointer_at(&mut self, memory: &Memory, to: Type) -> Value {
        let offset = self.constant(memory.offset);
        let reg = self.binary_reg(
            crate::source::code::Binary::Add,
            Scalar::I64,
            memory.address,
            offset,
        );
        let pointer = Pointer {
            to,
            volatile: memory.volatile,
            read_only: memory.read_only,
            restrict: memory.read_only,
            target: memory.target,
        };
        Value {
            of: Type::Pointer(Rc::new(pointer)),
            regs: vec![reg],
        }
    }

    /// Reads what is there: as few requests as its alignment allows.
    pub(super) fn load(&mut self, memory: &Memory, span: Span) -> Value {
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
    pub(super) fn store(&mut self, memory: &Memory, value: &Value, span: Span) {
        let whole = memory.bits.map(|_| self.bits_in(memory, value, span));
        let value = whole.as_ref().unwrap_or(value);
        self.requests(memory, Operation::Store, span);
        for (leaf, src) in memory.of.leaves().iter().zip(&value.regs) {
            let cell = cell(memory, leaf.offset, &leaf.of);
            self.emit(Inst::Write { src: *src, cell });
        }
    }

    /// The requests that reading or writing a place takes.
    pub(super) fn requests(&mut self, memory: &Memory, operation: Operation, span: Span) {
        if matches!(memory.target, Target::Local(_)) {
            return;
        }
        self.check(memory, span);
        if let Some(id) = self.constant_array(memory.target) {
            let (name, at) = (&self.arrays[id].name, self.arrays[id].span);
            let what = format!("constant memory (`{name}`)");
            self.say(at, DiagnosticKind::Ignored { what });
            return;
        }
        let whole = matches!(
            operation,
            Operation::MatrixLoad { .. } | Operation::MatrixStore { .. }
        );
        for (at, width) in pieces(&memory.of, whole) {
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
    pub(super) fn reachable(&mut self, address: Reg, offset: i64) -> (Reg, i32) {
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
    pub(super) fn check(&mut self, memory: &Memory, span: Span) {
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

    /// Gives a place a value of its own type.
    pub(super) fn assign(&mut self, place: &Place, value: &Value, span: Span) {
        match place {
            Place::Memory(memory) => self.store(memory, value, span),
            Place::Registers(kept) => {
                for (dst, src) in kept.regs.iter().zip(&value.regs) {
                    if self.known(*dst).is_some() {
                        self.say(span, DiagnosticKind::NotAssignable);
                    } else {
                        self.emit(Inst::Move {
                            dst: *dst,
                            src: *src,
                        });
                    }
                }
            }
        }
    }
}

/// What the compiler knows of a member of a structure in an aligned one: of its first 16 bytes all, behind them pairs of
/// words. Read off members of three structures, compiled: 17 of 21 choices of words are joined so.
fn aligned_to(to: u64, behind: u64) -> Aligned {
    let to = if behind < 16 { to } else { to.min(8) };
    Aligned {
        to: u16::try_from(to).unwrap_or(0),
        behind: u16::try_from(behind % to.max(1)).unwrap_or(0),
    }
}

/// A field of a structure in a place.
pub(super) fn part(place: &Place, field: &Field) -> Place {
    match place {
        Place::Memory(memory) => {
            let offset = memory.offset.wrapping_add(field.offset.cast_signed());
            let outer = memory.of.align();
            let aligned = if memory.aligned.to > 0 {
                aligned_to(
                    u64::from(memory.aligned.to),
                    u64::from(memory.aligned.behind) + field.offset,
                )
            } else if outer >= 8 && matches!(field.of, Type::Struct(_)) {
                aligned_to(outer.min(16), field.offset)
            } else if outer >= 8 {
                Aligned {
                    to: u16::try_from(outer.min(16)).unwrap_or(16),
                    behind: u16::try_from(field.offset % 16).unwrap_or(0),
                }
            } else {
                Aligned::default()
            };
            Place::Memory(Memory {
                of: field.of.clone(),
                offset,
                aligned,
                bits: field.bits,
                ..memory.clone()
            })
        }
        Place::Registers(value) => {
            let before = field.leaves_before;
            let regs = value.regs.get(before..before + field.of.leaf_count());
            Place::Registers(Value {
                of: field.of.clone(),
                regs: regs.map(<[Reg]>::to_vec).unwrap_or_default(),
            })
        }
    }
}

/// The most requests of one access.
const MOST_PIECES: usize = 256;

/// The accesses that reading or writing a value takes, the byte and the width of each: as wide as
/// its alignment allows, at most 16 bytes. A row of a matrix's `whole` is 16 bytes.
fn pieces(of: &Type, whole: bool) -> Vec<(u64, Width)> {
    if whole {
        return vec![(0, Width::Bytes16)];
    }
    let mut list = Vec::new();
    collect_pieces(of, 0, &mut list);
    list
}

fn collect_pieces(of: &Type, offset: u64, list: &mut Vec<(u64, Width)>) {
    if let Type::Array(element, count) = of {
        for i in 0..*count {
            if list.len() >= MOST_PIECES {
                return;
            }
            collect_pieces(element, offset + i * element.stride(), list);
        }
        return;
    }
    let widest = match of {
        Type::Struct(of) => of.align.min(16),
        _ => 16,
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

/// What a pointer points to.
fn through(of: &Pointer, address: Reg) -> Memory {
    Memory {
        of: of.to.clone(),
        address,
        offset: 0,
        target: of.target,
        volatile: of.volatile,
        read_only: of.read_only,
        bounds: Vec::new(),
        dimension: 0,
        bits: None,
        aligned: Default::default(),
    }
}

/// The scalar at `offset` of a place.
pub(super) fn cell(memory: &Memory, offset: u64, of: &Type) -> Cell {
    let scalar = match of {
        Type::Scalar(scalar) => *scalar,
        Type::Pointer(_) => Scalar::I64,
        _ => Scalar::I32,
    };
    let array = match memory.target {
        Target::Array(id) => Some(id),
        Target::Local(base) => base.map(ArrayId),
        _ => None,
    };
    let offset = i32::try_from(memory.offset.wrapping_add(offset.cast_signed())).unwrap_or(0);
    Cell {
        address: memory.address,
        offset,
        scalar,
        array,
        local: matches!(memory.target, Target::Local(_)),
    }
}
