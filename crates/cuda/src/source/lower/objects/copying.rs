//! Copies and assignments of objects: by constructors and operators of theirs, or part by part.

use super::Instance;
use super::building::copies;
use crate::source::ctype::Type;
use crate::source::lower::calls::{Given, Outcome};
use crate::source::lower::places::part;
use crate::source::lower::{Lower, Memory, Place, Value};
use lanescope_frontend::Construct;
use lanescope_frontend::Span;
use lanescope_syntax::diagnostic::DiagnosticKind;
use lanescope_syntax::tree::{Expr, ExprKind, Function, Name, TypeKind};
use std::rc::Rc;

/// Elements of an array that are copied one by one, at most.
const MOST_ELEMENTS: u64 = 256;

impl Lower<'_> {
    /// Makes a copy, where one value is given and it is of this type; whether that is so.
    pub(super) fn copies_from(
        &mut self,
        place: &Place,
        expr: &Expr,
        instance: &Rc<Instance>,
    ) -> bool {
        let found = self.type_of(expr);
        let is_same = self
            .bytes_to_base(&found, &struct_name(&instance.ty))
            .is_some()
            || super::is_bound_of(&found, &instance.ty);
        if !is_same {
            return false;
        }
        if is_moved(expr) && self.moves(instance) {
            let what = Construct::code("std::move");
            self.say(expr.span, DiagnosticKind::Unsupported { what });
        }
        match self.given_whole(expr) {
            Given::Place(source) | Given::Constant(source) => {
                self.copy_object(place, &source, expr.span)
            }
            Given::Value(value, span) => {
                self.elide(&value);
                let value = self.convert(value, place.of(), span);
                self.assign(place, &value, span);
            }
        }
        true
    }

    /// An expression as what it is: the object that it names, or a value of its own.
    pub(in crate::source::lower) fn given_whole(&mut self, expr: &Expr) -> Given {
        match &expr.kind {
            ExprKind::Call {
                callee,
                templates,
                arguments,
            } => match self.call_outcome(callee, templates, arguments, expr.span) {
                Outcome::Place(place) => Given::Place(place),
                Outcome::Value(value) => Given::Value(value, expr.span),
            },
            _ if is_place(expr) => match self.place(expr) {
                Some(place) if self.is_constant(expr) => Given::Constant(place),
                Some(place) => Given::Place(place),
                None => Given::Value(self.value_off_place(expr), expr.span),
            },
            _ => Given::Value(self.value(expr), expr.span),
        }
    }

    /// Whether a structure has a constructor that moves besides the one that copies, or either alone.
    fn moves(&self, instance: &Instance) -> bool {
        instance.is_copied || self.copy_constructor(instance).is_some()
    }

    /// Copies an object: by its copy constructor, or part by part.
    pub(in crate::source::lower) fn copy_object(&mut self, to: &Place, from: &Place, span: Span) {
        let ty = to.of().clone();
        let from = self.referred(from.clone(), &ty);
        if !self.spend(1) {
            return;
        }
        match &ty {
            Type::Struct(_) if self.is_copied(&ty) => {}
            Type::Array(element, count) if self.is_copied(element) => {
                for at in 0..(*count).min(MOST_ELEMENTS) {
                    let (to, from) = (element_of(to, element, at), element_of(&from, element, at));
                    self.copy_object(&to, &from, span);
                }
                return;
            }
            _ => {
                let value = self.whole_value(&from, span);
                let value = self.convert(value, &ty, span);
                self.assign(to, &value, span);
                return;
            }
        }
        let Some(instance) = self.inside_of(&ty) else {
            return;
        };
        if let Some(function) = self.copy_constructor(&instance) {
            self.run_method(to, &function, &[], vec![Given::Place(from)], span);
            return;
        }
        for base in &instance.bases {
            let (to, from) = (self.base_place(to, base), self.base_place(&from, base));
            self.copy_object(&to, &from, span);
        }
        for field in instance.own_fields() {
            self.copy_object(&part(to, field), &part(&from, field), span);
        }
    }

    /// The constructor that takes another object of the structure.
    pub(super) fn copy_constructor(&self, instance: &Instance) -> Option<Rc<Function>> {
        let mut found = instance
            .constructors()
            .filter(|one| copies(one, &instance.item.name));
        let first = found.next()?;
        // Of two the other one moves.
        let is_constant = |function: &&Rc<Function>| match function
            .parameters
            .first()
            .map(|function| &function.ty.kind)
        {
            Some(TypeKind::Reference { to, .. }) => to.is_const,
            _ => false,
        };
        let constant = std::iter::once(first).chain(found).find(is_constant);
        Some(constant.unwrap_or(first).clone())
    }

    /// Assigns an object part by part: each part by its own operator, where it has one.
    pub(in crate::source::lower) fn assign_object(&mut self, to: &Place, from: &Place, span: Span) {
        let ty = to.of().clone();
        if !self.instance_flag(&ty, |one| one.is_assigned) || !self.spend(1) {
            let value = self.whole_value(from, span);
            self.assign(to, &value, span);
            return;
        }
        if let Type::Array(element, count) = &ty {
            for at in 0..(*count).min(MOST_ELEMENTS) {
                let (to, from) = (element_of(to, element, at), element_of(from, element, at));
                self.assign_object(&to, &from, span);
            }
            return;
        }
        if let Some((place, function)) = self.own_assignment(to) {
            let given = self.given_as(&function, &[], vec![Given::Place(from.clone())]);
            self.run_method(&place, &function, &[], given, span);
            return;
        }
        let Some(instance) = self.inside_of(&ty) else {
            return;
        };
        for base in &instance.bases {
            let (to, from) = (self.base_place(to, base), self.base_place(from, base));
            self.assign_object(&to, &from, span);
        }
        for field in instance.own_fields() {
            self.assign_object(&part(to, field), &part(from, field), span);
        }
    }
}

impl Lower<'_> {
    /// The `operator=` of a structure: not that of a base, which the one hides that C++ declares itself, unless a `using`
    /// reveals it.
    pub(super) fn own_assignment(&self, place: &Place) -> Option<(Place, Rc<Function>)> {
        let instance = self.inside_of(place.of())?;
        let is_revealed = instance
            .item
            .reveals
            .iter()
            .any(|reveal| **reveal == *"operator=");
        let mut found = self.functions_of(place, "operator=").into_iter();
        found.find(|(at, _)| is_revealed || at.of() == place.of())
    }
}

fn struct_name(ty: &Type) -> Name {
    match ty {
        Type::Struct(ty) => ty.name.clone(),
        _ => "".into(),
    }
}

/// Whether an expression is what `std::move` or a cast to `T&&` makes of an object.
pub(in crate::source::lower) fn is_moved(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call { callee, .. } => {
            let is_move = |name: &str| matches!(name.rsplit("::").next(), Some("move" | "forward"));
            matches!(&callee.kind, ExprKind::Name(name) if is_move(name))
        }
        ExprKind::Cast(ty, _) => matches!(
            ty.kind,
            TypeKind::Reference {
                is_rvalue: true,
                ..
            }
        ),
        _ => false,
    }
}

/// An element of an array.
pub(super) fn element_of(place: &Place, element: &Type, at: u64) -> Place {
    match place {
        Place::Memory(memory) => {
            let by = at.saturating_mul(element.stride()).cast_signed();
            Place::Memory(Memory {
                ty: element.clone(),
                offset: memory.offset.wrapping_add(by),
                ..memory.clone()
            })
        }
        Place::Registers(value) => {
            let count = element.leaf_count();
            let from = usize::try_from(at)
                .unwrap_or(usize::MAX)
                .saturating_mul(count);
            let regs = value.regs.get(from..from.saturating_add(count));
            Place::Registers(Value {
                ty: element.clone(),
                regs: regs.map(<[_]>::to_vec).unwrap_or_default(),
            })
        }
    }
}

/// Whether an expression names a place, and is no call.
fn is_place(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_)
        | ExprKind::Index(..)
        | ExprKind::Member(..)
        | ExprKind::Prefix("*" | "++" | "--", _)
        | ExprKind::Assign(..) => true,
        ExprKind::Cast(ty, _) => matches!(ty.kind, TypeKind::Reference { .. }),
        _ => false,
    }
}
