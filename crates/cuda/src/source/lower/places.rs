//! Places in memory and in registers: indexing, fields, loads and stores.

mod access;
mod bit_fields;
mod index;

pub(crate) use bit_fields::OpenUnits;

use std::rc::Rc;

use super::registers::Reg;
use super::{Lower, Memory, Place, Value};
use crate::source::aligned::Aligned;
use crate::source::ctype::{Field, Pointer, Type};
use lanescope_frontend::{Construct, Span};
use lanescope_ir::BinaryOp;
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Expr, ExprKind},
};

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
            ExprKind::Prefix("*", inner) if let Some(place) = self.cast_object(inner) => {
                Some(place)
            }
            ExprKind::Prefix("*", inner)
                if self.has_operators
                    && let Some(outcome) = self.dereferenced(inner, expr.span) =>
            {
                Some(match outcome {
                    super::calls::Outcome::Place(place) => place,
                    super::calls::Outcome::Value(value) => Place::Registers(value),
                })
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
                if let Some(outcome) = self.changed_object(expr) {
                    return Some(match outcome {
                        super::calls::Outcome::Place(place) => place,
                        super::calls::Outcome::Value(value) => Place::Registers(value),
                    });
                }
                self.value(expr);
                // One inside another would be looked at twice at each level.
                let nested = matches!(
                    inner.kind,
                    ExprKind::Prefix("++" | "--", _) | ExprKind::Assign(..)
                );
                if nested { None } else { self.place(inner) }
            }
            ExprKind::Cast(ty, inner)
                if matches!(ty.kind, lanescope_syntax::tree::TypeKind::Reference { .. }) =>
            {
                let to = self.resolve(ty);
                match self.place(inner)? {
                    place
                        if matches!(place.of(), Type::Struct(_))
                            && matches!(to, Type::Struct(_)) =>
                    {
                        Some(self.referred(place, &to))
                    }
                    Place::Memory(memory) => Some(Place::Memory(Memory { ty: to, ..memory })),
                    registers @ Place::Registers(_) => {
                        if *registers.of() != to {
                            let what = Construct::Cast;
                            self.say(expr.span, DiagnosticKind::Unsupported { what });
                        }
                        Some(registers)
                    }
                }
            }
            _ => None,
        }
    }

    /// `*static_cast<T*>(this)`: the object as what it is a base of, or as its base.
    fn cast_object(&mut self, inner: &Expr) -> Option<Place> {
        let ExprKind::Cast(ty, from) = &inner.kind else {
            return None;
        };
        let lanescope_syntax::tree::TypeKind::Pointer { to, .. } = &ty.kind else {
            return None;
        };
        if !matches!(&from.kind, ExprKind::Name(name) if &**name == "this") {
            return None;
        }
        let Some(super::Binding::Place(this)) = self.lookup("this").cloned() else {
            return None;
        };
        let to = self.resolve(to);
        matches!(to, Type::Struct(_)).then(|| self.referred(this, &to))
    }

    fn pointed_place(&mut self, inner: &Expr) -> Option<Place> {
        let pointer = self.value(inner);
        let Type::Pointer(ty) = &pointer.ty else {
            let found = pointer.ty.shown();
            self.say(inner.span, DiagnosticKind::NotAPointer { found });
            return None;
        };
        let mut memory = through(ty, pointer.regs[0]);
        memory.ty = self.whole_type(&memory.ty);
        Some(Place::Memory(memory))
    }

    /// A value whose parts share bytes lies in memory.
    fn shared_bytes_in_memory(&mut self, place: Place, span: Span) -> Place {
        match &place {
            Place::Registers(value)
                if value.ty.shares_bytes()
                    && let Some(room) = self.room(value.ty.clone(), span) =>
            {
                self.store(&room, value, span);
                Place::Memory(room)
            }
            Place::Registers(_) | Place::Memory(_) => place,
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
        let place = self.shared_bytes_in_memory(place, span);
        let Type::Struct(ty) = place.of().clone() else {
            if !matches!(place.of(), Type::Group { .. }) {
                let ty = place.of().shown();
                self.say(
                    span,
                    DiagnosticKind::UnknownField {
                        field: field.to_owned(),
                        ty,
                        suggestion: None,
                    },
                );
            }
            return None;
        };
        if ty.field(field).is_none()
            && let Some(super::Binding::Value(value)) = self.constant_of(place.of(), field)
        {
            return Some(Place::Registers(value.clone()));
        }
        let Some(found) = ty.field(field) else {
            let shown = ty.name.to_string();
            let at = Span {
                start: span
                    .end
                    .saturating_sub(u32::try_from(field.len()).unwrap_or(0)),
                end: span.end,
            };
            self.sink.unknown(
                at,
                field,
                ty.fields.iter().map(|field| &*field.name),
                |field, suggestion| DiagnosticKind::UnknownField {
                    field,
                    ty: shown,
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
            Place::Registers(value) => self.copy_of_closure(value.clone(), span),
            Place::Memory(memory) => match &memory.ty {
                Type::Array(element, _) => {
                    let element = (**element).clone();
                    self.pointer_at(memory, element)
                }
                _ => self.load(memory, span),
            },
        }
    }

    /// The value at a place, of an array too.
    pub(super) fn whole_value(&mut self, place: &Place, span: Span) -> Value {
        match place {
            Place::Memory(memory) => self.load(memory, span),
            Place::Registers(value) => value.clone(),
        }
    }

    /// A pointer to a place.
    pub(super) fn pointer_at(&mut self, memory: &Memory, to: Type) -> Value {
        let offset = self.constant(memory.offset);
        let reg = self.binary_reg(BinaryOp::Add, Scalar::I64, memory.address, offset);
        let pointer = Pointer {
            to,
            volatile: memory.volatile,
            constant: false,
            read_only: memory.read_only,
            restrict: memory.read_only,
            target: memory.target,
        };
        Value {
            ty: Type::Pointer(Rc::new(pointer)),
            regs: vec![reg],
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
                        self.give(*dst, *src);
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

/// What the address of a field is known to be a multiple of, where that is less than its type's alignment; else 0.
fn packed_to(memory: &Memory, field: &Field) -> u64 {
    let outer = match memory.packed_to {
        0 => memory.ty.align(),
        known => known,
    };
    let known = match field.offset {
        0 => outer,
        offset => outer.min(1 << offset.trailing_zeros().min(16)),
    };
    if known < field.ty.align() { known } else { 0 }
}

/// A field of a structure in a place.
pub(super) fn part(place: &Place, field: &Field) -> Place {
    match place {
        Place::Memory(memory) => {
            let offset = memory.offset.wrapping_add(field.offset.cast_signed());
            let outer = memory.ty.align();
            let aligned = if memory.aligned.to > 0 {
                aligned_to(
                    u64::from(memory.aligned.to),
                    u64::from(memory.aligned.behind) + field.offset,
                )
            } else if outer >= 8 && matches!(field.ty, Type::Struct(_)) {
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
                ty: field.ty.clone(),
                offset,
                aligned,
                bits: field.bits,
                packed_to: packed_to(memory, field),
                ..memory.clone()
            })
        }
        Place::Registers(value) => {
            let before = field.leaves_before;
            let regs = value.regs.get(before..before + field.ty.leaf_count());
            Place::Registers(Value {
                ty: field.ty.clone(),
                regs: regs.map(<[Reg]>::to_vec).unwrap_or_default(),
            })
        }
    }
}

/// What a pointer points to.
pub(super) fn through(ty: &Pointer, address: Reg) -> Memory {
    Memory {
        volatile: ty.volatile,
        read_only: ty.read_only,
        ..Memory::at(ty.to.clone(), address, ty.target)
    }
}
