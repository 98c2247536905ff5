//! Places that an index names, in arrays and behind pointers.

use super::through;
use crate::source::aligned::Aligned;
use crate::source::ctype::Type;
use crate::source::lower::registers::Reg;
use crate::source::lower::resolve::scalar_or_int;
use crate::source::lower::{Bound, Lower, Memory, Place, Value};
use lanescope_frontend::Span;
use lanescope_ir::Comparison;
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Expr, ExprKind},
};

impl Lower<'_> {
    pub(super) fn index_place(&mut self, base: &Expr, index: &Expr, span: Span) -> Option<Place> {
        let may_be_place = matches!(
            base.kind,
            ExprKind::Name(_)
                | ExprKind::Index(..)
                | ExprKind::Member(..)
                | ExprKind::Prefix("*", _)
        ) && !self.is_builtin(base);
        let place = match &base.kind {
            ExprKind::Text(_) => self.literal(base).map(Place::Memory),
            _ => may_be_place.then(|| self.place(base)).flatten(),
        };
        let indices = std::slice::from_ref(index);
        if let Some(place) = &place
            && matches!(place.of(), Type::Struct(_))
            && let object = (place, self.is_constant(base))
            && let Some(outcome) = self.call_method_of(object, "operator[]", &[], indices, span)
        {
            return Some(match outcome {
                crate::source::lower::calls::Outcome::Place(place) => place,
                crate::source::lower::calls::Outcome::Value(value) => Place::Registers(value),
            });
        }
        let array = match place {
            Some(Place::Memory(memory)) if matches!(memory.ty, Type::Array(..)) => Some(memory),
            Some(Place::Memory(memory)) => {
                let pointer = self.load(&memory, base.span);
                return self.index_pointer(&pointer, index, span);
            }
            Some(Place::Registers(value)) if matches!(value.ty, Type::Array(..)) => {
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
            if matches!(value.ty, Type::Scalar(_)) && matches!(base.kind, ExprKind::Missing) {
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
        let Type::Array(element, _) = &value.ty else {
            return value.clone();
        };
        let element = (**element).clone();
        let index_value = self.value(index);
        let (scalar, index) = self.scalar(&index_value, index.span);
        let count = element.leaf_count().max(1);
        let mut chosen: Option<Vec<Reg>> = None;
        let leaves = element.leaves();
        let scalars: Vec<Scalar> = leaves.iter().map(|leaf| scalar_or_int(&leaf.ty)).collect();
        for (at, regs) in value.regs.chunks(count).enumerate() {
            let at = i64::try_from(at).unwrap_or(i64::MAX);
            let here = self.constant(at);
            let is = self.compare_reg(Comparison::Equal, scalar, index, here);
            chosen = Some(match (chosen, self.known(is)) {
                (_, Some(1)) | (None, _) => regs.to_vec(),
                (Some(before), Some(_)) => before,
                (Some(before), None) => {
                    let both = regs.iter().zip(before).zip(&scalars);
                    both.map(|((yes, no), scalar)| self.select_reg(*scalar, is, (*yes, no)))
                        .collect()
                }
            });
        }
        let Some(regs) = chosen else {
            return self.zero(&element);
        };
        Value { ty: element, regs }
    }

    /// Element `index` of an array in memory.
    fn index_array(&mut self, mut memory: Memory, index: Reg) -> Memory {
        memory.aligned = Aligned::default();
        let (element, count) = match memory.ty.clone() {
            Type::Array(element, count) => ((*element).clone(), count),
            _ => return memory,
        };
        let bytes = element.stride().cast_signed();
        // An extent that could not be read stands as 1, which no index is held to.
        if count > 0 && self.unread_types == 0 {
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
        memory.ty = element;
        memory
    }

    fn index_pointer(&mut self, pointer: &Value, index: &Expr, span: Span) -> Option<Place> {
        let plain = self.plain(pointer, span);
        let pointer = plain.as_ref().unwrap_or(pointer);
        let index_value = self.value(index);
        let Type::Pointer(ty) = &pointer.ty else {
            let found = pointer.ty.shown();
            self.say(span, DiagnosticKind::NotIndexable { found });
            return None;
        };
        let (_, reg) = self.scalar(&index_value, index.span);
        let mut memory = through(ty, pointer.regs[0]);
        memory.ty = self.whole_type(&memory.ty);
        let bytes = memory.ty.stride().cast_signed();
        match self.known(reg) {
            Some(index) => memory.offset = index.wrapping_mul(bytes),
            None => memory.address = self.address(pointer.regs[0], reg, bytes, 0),
        }
        Some(Place::Memory(memory))
    }

    /// Says so where an object with a field is a name that nothing declares.
    pub(super) fn say_if_unknown(&mut self, object: &Expr) {
        if let ExprKind::Name(name) = &object.kind
            && self.lookup(name).is_none()
        {
            self.unknown_name(name, object.span);
        }
    }
}
