//! How an object ends: destructors.

use super::bases::Base;
use super::copying::element_of;
use crate::source::ctype::{Field, Type};
use crate::source::lower::places::part;
use crate::source::lower::{Binding, Lower, Memory, Place, Value};
use lanescope_frontend::{Construct, Span};
use lanescope_syntax::diagnostic::DiagnosticKind;
use lanescope_syntax::tree::{Expr, ExprKind};

/// An object that ends with the scope around it.
#[derive(Clone, Debug)]
pub(in crate::source::lower) struct Ending {
    /// How many scopes there are where it lives.
    scopes: usize,
    place: Place,
    span: Span,
}

/// Elements of an array that end one by one, at most.
const MOST_ELEMENTS: u64 = 256;

impl Lower<'_> {
    /// Whether something runs where an object of a type ends.
    pub(in crate::source::lower) fn is_destroyed(&self, ty: &Type) -> bool {
        self.instance_flag(ty, |instance| instance.is_destroyed)
    }

    /// From here on an object lives up to the end of the innermost scope.
    pub(in crate::source::lower) fn ends_with_scope(&mut self, place: &Place, span: Span) {
        if self.is_destroyed(place.of()) {
            self.endings.push(Ending {
                scopes: self.scopes.len(),
                place: place.clone(),
                span,
            });
        }
    }

    /// A value of a call or of a constructor: an object that ends with the statement.
    pub(in crate::source::lower) fn ends_with_statement(&mut self, value: &Value, span: Span) {
        if self.is_destroyed(&value.ty) {
            self.temporaries.push(Ending {
                scopes: self.scopes.len(),
                place: Place::Registers(value.clone()),
                span,
            });
        }
    }

    /// A parameter's object ends with the statement that calls the function, as the Itanium ABI has it.
    pub(in crate::source::lower) fn parameter_ends(&mut self, place: &Place, span: Span) {
        if self.is_destroyed(place.of()) {
            self.temporaries.push(Ending {
                scopes: self.scopes.len(),
                place: place.clone(),
                span,
            });
        }
    }

    /// The value of a full expression, behind which the objects end that it makes.
    pub(in crate::source::lower) fn full_value(&mut self, expr: &Expr) -> Value {
        let before = self.temporaries_before();
        let value = self.value(expr);
        if self.temporaries.len() == before {
            return value;
        }
        let kept = self.copied(&value);
        self.end_temporaries(before);
        kept
    }

    /// Says that objects since there were so many end only where a condition made them, which is not modelled.
    pub(in crate::source::lower) fn refuse_temporaries(&mut self, before: usize) {
        while self.temporaries.len() > before {
            if let Some(last) = self.temporaries.pop() {
                let what = Construct::code(&format!("~{}", last.place.of().shown()));
                self.say(last.span, DiagnosticKind::Unsupported { what });
            }
        }
    }

    /// A value is the object that it begins: it does not end with the statement.
    pub(in crate::source::lower) fn elide(&mut self, value: &Value) {
        let is_it = |one: &Ending| matches!(&one.place, Place::Registers(kept) if kept.regs == value.regs && kept.ty == value.ty);
        if self.temporaries.last().is_some_and(is_it) {
            self.temporaries.pop();
        }
    }

    /// The objects of the scopes that are left end, the last first.
    pub(in crate::source::lower) fn end_scope_objects(&mut self, scopes: usize) {
        while let Some(last) = self.endings.pop_if(|last| last.scopes > scopes) {
            self.destroy(&last.place, last.span);
        }
    }

    /// The objects since there were so many end, the last first.
    pub(in crate::source::lower) fn end_objects_since(&mut self, count: usize) {
        while self.endings.len() > count {
            if let Some(last) = self.endings.pop() {
                self.destroy(&last.place, last.span);
            }
        }
    }

    /// What ends where control leaves the scopes above so many; they go on for the lanes that stay.
    pub(in crate::source::lower) fn leave_scope_objects(&mut self, scopes: usize) {
        let left: Vec<Ending> = self.endings.clone();
        for scope in left.iter().rev().take_while(|scope| scope.scopes > scopes) {
            self.destroy(&scope.place, scope.span);
        }
    }

    /// How many objects end with the statement so far.
    pub(in crate::source::lower) fn temporaries_before(&self) -> usize {
        self.temporaries.len()
    }

    /// The objects of a statement end, the last first.
    pub(in crate::source::lower) fn end_temporaries(&mut self, before: usize) {
        while self.temporaries.len() > before {
            if let Some(last) = self.temporaries.pop() {
                self.destroy(&last.place, last.span);
            }
        }
    }

    /// Takes off an object that a function returns, if it returns one: it lives on as what is returned.
    pub(in crate::source::lower) fn returns_object(&mut self, value: &Value) -> bool {
        let base = self.calls.last().map_or(0, |call| call.base);
        let at = self.endings.iter().rposition(|ending| {
            ending.scopes > base
                && matches!(&ending.place, Place::Registers(kept) if kept.regs == value.regs)
        });
        if let Some(at) = at {
            self.endings.remove(at);
        }
        at.is_some()
    }

    /// Takes off an object in memory that a function returns by its name, if it does: it lives on as what is returned.
    pub(in crate::source::lower) fn returns_variable(&mut self, expr: &Expr) -> bool {
        let ExprKind::Name(name) = &expr.kind else {
            return false;
        };
        let Some(Binding::Place(Place::Memory(memory))) = self.lookup(name) else {
            return false;
        };
        let base = self.calls.last().map_or(0, |call| call.base);
        let at = self.endings.iter().rposition(|ending| {
            let is_it =
                |kept: &Memory| (kept.address, kept.offset) == (memory.address, memory.offset);
            ending.scopes > base && matches!(&ending.place, Place::Memory(kept) if is_it(kept))
        });
        if let Some(at) = at {
            self.endings.remove(at);
        }
        at.is_some()
    }

    /// Runs what ends an object: its destructor, then those of its members and bases, the last first.
    fn destroy(&mut self, place: &Place, span: Span) {
        let ty = place.of().clone();
        if !self.is_destroyed(&ty) || !self.spend(1) {
            return;
        }
        if let Type::Array(element, count) = &ty {
            for at in (0..(*count).min(MOST_ELEMENTS)).rev() {
                self.destroy(&element_of(place, element, at), span);
            }
            return;
        }
        let Some(instance) = self.inside_of(&ty) else {
            return;
        };
        let name = format!("~{}", instance.item.name);
        let own = instance.methods.iter().find(|method| *method.name == *name);
        if let Some(own) = own.cloned() {
            self.run_method(place, &own, &[], Vec::new(), span);
        }
        let fields: Vec<&Field> = instance.own_fields().iter().rev().collect();
        for field in fields {
            self.destroy(&part(place, field), span);
        }
        let bases: Vec<&Base> = instance.bases.iter().rev().collect();
        for base in bases {
            let at = self.base_place(place, base);
            self.destroy(&at, span);
        }
    }
}
