//! Declarations.

mod local;
mod statics;

use super::tables::initial_bytes;
use super::{Binding, Lower, Memory, Place, Value};
use crate::source::ctype::{Target, Type};
use crate::source::lower::calls::Given;
use crate::source::lower::registers::BuiltinValue;
use lanescope_frontend::ArrayId;
use lanescope_ir::{AddressSpace, Array};
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    tree::{Declaration, Expr, ExprKind, Name, TypeExpr, TypeKind},
};

/// Buffers begin where an allocation does.
pub(super) const BUFFER_ALIGNMENT: u64 = 256;

/// The most numbers that an initialiser gives.
const MOST_INITIAL: usize = 1 << 16;

impl Lower<'_> {
    pub(super) fn typedef(&mut self, name: &Name, ty: &TypeExpr) {
        let (said, unread) = (self.sink.len(), self.unread_types);
        let found = self.resolve(ty);
        let names = |ty: &TypeExpr| matches!(ty.kind, TypeKind::Named(..));
        let may_come = match &ty.kind {
            TypeKind::Pointer { to, .. } => names(to),
            _ => names(ty),
        };
        if self.unread_types > unread && may_come {
            // `typedef struct node *list;` declares `node`, which may be defined below or in no file that is here.
            self.sink.truncate(said);
            self.unread_types = unread;
            self.incomplete.insert(name.clone(), ty.clone());
            return;
        }
        let found = self.shallow(found);
        self.bind(name, Binding::Type(found));
    }

    /// What a name stands for that was given to a structure without a definition, or to a pointer to one: what it was
    /// given to, once that is defined, and before then an opaque pointer.
    pub(super) fn of_incomplete(&mut self, name: &str) -> Option<Type> {
        let ty = self.incomplete.remove(name)?;
        let (said, unread) = (self.sink.len(), self.unread_types);
        let found = self.resolve(&ty);
        if self.unread_types == unread {
            self.scopes[0].insert(name.into(), Binding::Type(found.clone()));
            return Some(found);
        }
        let is_pointer = matches!(ty.kind, TypeKind::Pointer { .. });
        self.incomplete.insert(name.into(), ty);
        if !is_pointer {
            return Some(found);
        }
        self.sink.truncate(said);
        self.unread_types = unread;
        Some(Type::pointer_to(Type::Void, Target::Unknown))
    }

    pub(super) fn declare(&mut self, declaration: &Declaration) {
        if declaration.name.is_empty() {
            return;
        }
        if let Some(Expr {
            kind: ExprKind::List(list),
            span,
            ..
        }) = &declaration.init
            && let std::borrow::Cow::Owned(list) = self.expanded(list)
        {
            let init = Some(Expr::new(*span, ExprKind::List(list)));
            return self.declare(&Declaration {
                init,
                ..declaration.clone()
            });
        }
        if let Some(spelled) = self.spelled(declaration) {
            return self.declare(&spelled);
        }
        let again = self
            .scopes
            .last()
            .is_some_and(|scope| scope.contains_key(&declaration.name));
        if again && !self.calls.iter().any(|call| call.base == self.scopes.len()) {
            self.say(
                declaration.span,
                DiagnosticKind::Redeclared {
                    name: declaration.name.to_string(),
                },
            );
        }
        if self.is_shared(declaration) {
            self.declare_shared(declaration);
        } else if declaration.storage.device
            || (self.bare.is_some()
                && matches!(declaration.ty.kind, TypeKind::Pointer { .. })
                && declaration.init.is_none())
        {
            self.declare_global(declaration);
        } else if declaration.storage.is_static && self.lies_in_module(declaration) {
            self.declare_static(declaration);
        } else if matches!(declaration.ty.kind, TypeKind::Reference { .. }) {
            self.declare_reference(declaration);
        } else {
            self.declare_local(declaration);
        }
    }

    /// In an expression an array lies in shared memory unless it says otherwise.
    fn is_shared(&self, declaration: &Declaration) -> bool {
        let plain_array = self.bare.is_some()
            && matches!(declaration.ty.kind, TypeKind::Array(..))
            && !declaration.storage.device;
        (declaration.storage.shared || plain_array) && declaration.base_offset.is_none()
    }

    fn declare_shared(&mut self, declaration: &Declaration) {
        let (ty, is_unread) = self.reading_types(|this| this.resolve(&declaration.ty));
        let stated = declaration
            .align
            .as_ref()
            .and_then(|align| self.fold(align))
            .and_then(|align| u64::try_from(align).ok())
            .filter(|align| align.is_power_of_two() && *align <= 4096);
        let dynamic = matches!(&ty, Type::Array(_, 0));
        if dynamic && let Some(id) = self.declared_before(declaration, &ty) {
            return self.bind_array(declaration, ty, id, is_unread);
        }
        let align = if dynamic {
            1024
        } else {
            // In a kernel arrays follow one another as closely as their types allow.
            let apart = self.bare.is_some() && matches!(ty, Type::Array(..));
            ty.align()
                .max(stated.unwrap_or(1))
                .max(if apart { 16 } else { 1 })
        };
        let base = if dynamic && self.dynamic.is_some() {
            self.dynamic.map_or(0, |id| self.arrays[id.0 as usize].base)
        } else {
            self.shared_bytes.div_ceil(align).saturating_mul(align)
        };
        let bytes = ty.bytes();
        if bytes > 1 << 40 {
            self.say(
                declaration.span,
                DiagnosticKind::TooManyBytes { limit: 1 << 40 },
            );
            return;
        }
        let id = self.array(
            declaration,
            &ty,
            AddressSpace::Shared,
            base,
            if dynamic { None } else { Some(bytes) },
        );
        self.arrays[id.0 as usize].alignment = ty.align().max(stated.unwrap_or(1));
        if dynamic {
            self.dynamic.get_or_insert(id);
        } else {
            self.shared_bytes = base.saturating_add(bytes);
        }
        self.bind_array(declaration, ty, id, is_unread);
    }

    /// The dynamic array that another declaration of the same name and type declared, as a function does each time it is
    /// called: it is one variable.
    fn declared_before(&self, declaration: &Declaration, ty: &Type) -> Option<ArrayId> {
        let Type::Array(element, _) = ty else {
            return None;
        };
        let shown = element.shown();
        let is_same = |array: &Array| {
            array.space == AddressSpace::Shared
                && array.bytes.is_none()
                && *array.name == *declaration.name
                && array.element == shown
        };
        let at = self.arrays.iter().position(is_same)?;
        u32::try_from(at).ok().map(ArrayId)
    }

    /// A buffer that the source declares, as with `__device__`.
    fn declare_global(&mut self, declaration: &Declaration) {
        let (ty, is_unread) = self.reading_types(|this| this.resolve(&declaration.ty));
        let ty = counted(ty, declaration.init.as_ref());
        if declaration.init.is_some() && declaration.ty.is_const && !matches!(ty, Type::Array(..)) {
            self.declare_local(declaration);
            return;
        }
        let (bytes, element) = match &ty {
            Type::Pointer(pointer) => (None, pointer.to.clone()),
            _ => (Some(ty.bytes()), ty.clone()),
        };
        let offset = declaration
            .base_offset
            .as_ref()
            .and_then(|offset| self.fold(offset))
            .and_then(|offset| u64::try_from(offset).ok())
            .unwrap_or(0);
        let (space, base) = match declaration.storage.constant {
            true => (AddressSpace::Constant, offset.min(1 << 32)),
            false => (AddressSpace::Global, offset.min(1 << 32)),
        };
        let id = self.array(declaration, &element, space, base, bytes);
        if let Some(init) = &declaration.init {
            let mut values = Vec::new();
            self.initial_values(&ty, init, 0, &mut values);
            self.arrays[id.0 as usize].initial = values;
        }
        if !declaration.storage.constant || declaration.init.is_none() {
            self.parameter(declaration, id);
        }
        if let Type::Pointer(pointer) = &ty {
            self.arrays[id.0 as usize].is_restrict = pointer.restrict;
            let reg = if is_unread || ty.is_unread() {
                self.unread_address(&declaration.name, declaration.span)
            } else {
                self.builtin_value(BuiltinValue::Array(id))
            };
            let mut pointer = (**pointer).clone();
            pointer.target = Target::Array(id);
            self.bind(
                &declaration.name,
                Binding::Place(Place::Registers(Value {
                    ty: Type::Pointer(std::rc::Rc::new(pointer)),
                    regs: vec![reg],
                })),
            );
        } else {
            self.bind_array(declaration, ty, id, is_unread);
        }
    }

    /// The numbers that an initialiser puts into memory from byte `offset` on.
    fn initial_values(
        &mut self,
        ty: &Type,
        init: &Expr,
        offset: i64,
        list: &mut Vec<(u64, Vec<u8>)>,
    ) {
        if list.len() >= MOST_INITIAL {
            return;
        }
        let ExprKind::List(parts) = &init.kind else {
            let Type::Scalar(scalar) = ty else { return };
            let value = self.value(init);
            let value = self.convert(value, ty, init.span);
            if let Some(value) = value.regs.first().and_then(|reg| self.known(*reg)) {
                list.extend(initial_bytes(offset, *scalar, value));
            }
            return;
        };
        let parts = &*self.braced(ty, parts);
        match ty {
            Type::Array(element, count) => {
                let count = usize::try_from(*count).unwrap_or(usize::MAX);
                let mut at = offset;
                for part in parts.iter().take(count) {
                    self.initial_values(element, part, at, list);
                    at = at.saturating_add(element.stride().cast_signed());
                }
            }
            Type::Struct(structure) => {
                for (field, part) in structure.fields.iter().zip(parts) {
                    let at = offset.saturating_add(field.offset.cast_signed());
                    self.initial_values(&field.ty, part, at, list);
                }
            }
            _ => {
                if let Some(first) = parts.first() {
                    self.initial_values(ty, first, offset, list);
                }
            }
        }
    }

    /// The launch may say what a buffer of an expression holds and where it begins.
    fn parameter(&mut self, declaration: &Declaration, id: ArrayId) {
        let ty = self.arrays[id.0 as usize].element.clone();
        self.add_buffer(declaration, ty, id, (0, 0));
    }

    pub(super) fn array(
        &mut self,
        declaration: &Declaration,
        ty: &Type,
        space: AddressSpace,
        base: u64,
        bytes: Option<u64>,
    ) -> ArrayId {
        let id = ArrayId(u32::try_from(self.arrays.len()).unwrap_or(u32::MAX));
        let (mut element, mut extents) = (ty, Vec::new());
        while let Type::Array(inner, count) = element {
            extents.push(*count);
            element = inner;
        }
        if bytes.is_none() && space == AddressSpace::Shared {
            extents.clear();
        }
        let (header_bytes, element_bytes) = match element.tail() {
            Some((offset, tail)) => (offset, tail.stride()),
            None => (0, element.stride()),
        };
        let place = self.place_id(declaration.span);
        let is_shared = space == AddressSpace::Shared;
        self.arrays.push(Array {
            name: declaration.name.to_string(),
            place,
            space,
            element: element.shown(),
            element_bytes,
            header_bytes,
            extents,
            bytes,
            alignment: if is_shared { 1 } else { BUFFER_ALIGNMENT },
            base,
            is_restrict: false,
            initial: Vec::new(),
        });
        id
    }

    fn bind_array(&mut self, declaration: &Declaration, ty: Type, id: ArrayId, is_unread: bool) {
        let address = if is_unread || ty.is_unread() {
            self.unread_address(&declaration.name, declaration.span)
        } else {
            self.builtin_value(BuiltinValue::Array(id))
        };
        let memory = Memory {
            volatile: declaration.ty.is_volatile,
            read_only: declaration.storage.device && declaration.ty.is_const,
            ..Memory::at(ty, address, Target::Array(id))
        };
        self.bind(&declaration.name, Binding::Place(Place::Memory(memory)));
    }

    fn declare_reference(&mut self, declaration: &Declaration) {
        let Some(init) = &declaration.init else {
            return self.declare_local(declaration);
        };
        if matches!(&declaration.ty.kind, TypeKind::Reference { to, .. } if to.is_const) {
            self.bind_constant(&declaration.name);
        }
        match self.given_whole(init) {
            Given::Place(place) | Given::Constant(place) => {
                let place = self.referred_to(place, &declaration.ty);
                self.bind(&declaration.name, Binding::Place(place));
            }
            Given::Value(value, span) => {
                // It lives as long as the reference.
                self.elide(&value);
                let place = Place::Registers(value.clone());
                self.ends_with_scope(&place, span);
                let is_object = matches!(value.ty, Type::Struct(_));
                self.bind(
                    &declaration.name,
                    match is_object {
                        true => Binding::Place(place),
                        false => Binding::Value(value),
                    },
                );
            }
        }
    }
}

/// An array without a size has as many elements as its list of values.
fn counted(ty: Type, init: Option<&Expr>) -> Type {
    match (&ty, init.map(|init| &init.kind)) {
        (Type::Array(inner, 0), Some(ExprKind::List(list))) => {
            Type::Array(inner.clone(), list.len() as u64)
        }
        _ => ty,
    }
}
