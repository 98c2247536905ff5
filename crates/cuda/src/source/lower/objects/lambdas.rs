//! Functions as values: lambdas with what they capture, and functions given by name.

use crate::source::ctype::{Target, Type};
use crate::source::lower::calls::Given;
use crate::source::lower::{Binding, Lower, Place, Scope, Value, constant_mark, entry};
use lanescope_frontend::{Construct, Span};
use lanescope_syntax::diagnostic::DiagnosticKind;
use lanescope_syntax::tree::{Capture, Captures, Expr, ExprKind, Function, Name};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A function written in place.
#[derive(Debug)]
pub(in crate::source::lower) struct Closure {
    pub(super) function: Rc<Function>,
    /// The scopes around it.
    pub(super) seen: Vec<(usize, usize)>,
    /// What it captures.
    pub(super) captured: Scope,
    /// What of that it holds copies of, which a copy of the lambda copies.
    copies: BTreeSet<Name>,
}

impl Lower<'_> {
    /// A function of the source as a value, as where it is given to another function.
    pub(in crate::source::lower) fn function_value(&mut self, name: &str) -> Option<Value> {
        let plain = name.rsplit("::").next().unwrap_or(name);
        let list = self
            .functions
            .get(name)
            .or_else(|| self.functions.get(plain));
        let function = list?.first()?.clone();
        Some(self.closure(Closure {
            function,
            seen: Vec::new(),
            captured: Scope::new(),
            copies: BTreeSet::new(),
        }))
    }

    /// A copy of a value; a lambda's copy has variables of its own where they may come to differ, by what copies them or
    /// by what a `mutable` one does.
    pub(in crate::source::lower) fn copy_of_closure(&mut self, value: Value, span: Span) -> Value {
        let Type::Closure(id) = value.ty else {
            return value;
        };
        let Some(closure) = self.closures.get(id as usize).cloned() else {
            return value;
        };
        let is_alike = closure.function.is_const
            && !closure.copies.iter().any(|name| {
                closure
                    .captured
                    .get(name)
                    .is_some_and(|one| self.copy_runs(one))
            });
        if is_alike || !self.spend(closure.copies.len()) {
            return value;
        }
        let mut captured = closure.captured.clone();
        for name in &closure.copies {
            if let Some(found) = captured.remove(name)
                && let Some(copy) = self.copy_of(found, span)
            {
                captured.insert(name.clone(), copy);
            }
        }
        self.closure(Closure {
            function: closure.function.clone(),
            seen: closure.seen.clone(),
            captured,
            copies: closure.copies.clone(),
        })
    }

    /// Whether a copy of what a name stands for runs something, or is a lambda's.
    fn copy_runs(&self, found: &Binding) -> bool {
        let ty = match found {
            Binding::Place(place) => place.of(),
            Binding::Value(value) => &value.ty,
            Binding::Type(_) => return false,
        };
        matches!(ty, Type::Closure(_)) || self.is_copied(ty)
    }

    /// The lambda that a function returns by its name: no copy of it.
    pub(in crate::source::lower) fn returned_closure(&self, expr: &Expr) -> Option<Value> {
        let ExprKind::Name(name) = &expr.kind else {
            return None;
        };
        match self.lookup(name)? {
            Binding::Value(value) | Binding::Place(Place::Registers(value))
                if matches!(value.ty, Type::Closure(_)) =>
            {
                Some(value.clone())
            }
            Binding::Value(_) | Binding::Place(_) | Binding::Type(_) => None,
        }
    }

    fn closure(&mut self, closure: Closure) -> Value {
        let id = u32::try_from(self.closures.len()).unwrap_or(u32::MAX);
        self.closures.push(Rc::new(closure));
        Value {
            ty: Type::Closure(id),
            regs: Vec::new(),
        }
    }

    /// A function written in place, as a value.
    pub(in crate::source::lower) fn lambda(
        &mut self,
        function: &Rc<Function>,
        captures: &Captures,
    ) -> Value {
        let mut captured = match captures.copies {
            true => self.copies(function),
            false => Scope::new(),
        };
        let mut copies: BTreeSet<Name> = captured.keys().cloned().collect();
        if captures.references {
            self.named(function, &mut captured);
        }
        for capture in &captures.list {
            self.capture(capture, function.is_const, &mut captured);
            match capture.is_reference {
                true => copies.remove(&capture.name),
                false => copies.insert(capture.name.clone()),
            };
        }
        // Without a default it sees what it captures and what lies in no thread's own memory.
        let mut seen = self
            .calls
            .last()
            .map_or_else(Vec::new, |call| call.seen.clone());
        let base = self.calls.last().map_or(0, |call| call.base);
        seen.push((base, self.scopes.len()));
        self.closure(Closure {
            function: function.clone(),
            seen,
            captured,
            copies,
        })
    }

    /// What one of the names between the brackets stands for inside; a copy is a constant unless the lambda is `mutable`.
    fn capture(&mut self, capture: &Capture, is_const: bool, captured: &mut Scope) {
        let binding = match &capture.init {
            None => match self.lookup(&capture.name).cloned() {
                Some(found) if capture.is_reference => Some(found),
                Some(found) if self.refuses_copy(&found, capture.span) => Some(found),
                Some(found) => self.copy_of(found, capture.span),
                None => {
                    self.unknown_name(&capture.name, capture.span);
                    None
                }
            },
            Some(init) if capture.is_reference => match self.place(init) {
                Some(place) => Some(Binding::Place(place)),
                None => Some(Binding::Value(self.value(init))),
            },
            Some(init) => {
                let init = match &init.kind {
                    ExprKind::List(list) => list.first().unwrap_or(init),
                    _ => init,
                };
                self.capture_of(init, capture.span)
            }
        };
        if &*capture.name == "this"
            && let Some(Binding::Place(object)) = &binding
        {
            self.members_of(object, captured);
        }
        if let Some(binding) = binding {
            let is_same = capture.is_reference && capture.init.is_none();
            if is_const && !capture.is_reference || is_same && self.is_constant_name(&capture.name)
            {
                mark_constant(&capture.name, captured);
            } else {
                captured.remove(&constant_mark(&capture.name));
            }
            captured.insert(capture.name.clone(), binding);
        }
    }

    /// A variable of a lambda that begins as `init`.
    fn capture_of(&mut self, init: &Expr, span: Span) -> Option<Binding> {
        let found = match self.given_whole(init) {
            Given::Place(place) | Given::Constant(place) => Binding::Place(place),
            Given::Value(value, _) => Binding::Value(value),
        };
        if self.refuses_copy(&found, span) {
            return Some(found);
        }
        match found {
            // An object is made there: it is no copy of another.
            Binding::Value(value) => {
                let kept = self.variable(&value.ty.clone(), Some(&value));
                Some(Binding::Place(Place::Registers(kept)))
            }
            found @ (Binding::Place(_) | Binding::Type(_)) => self.copy_of(found, span),
        }
    }

    /// The members of the object that a lambda captures.
    fn members_of(&mut self, object: &Place, captured: &mut Scope) {
        let Some(instance) = self.inside_of(object.of()) else {
            return;
        };
        if !self.spend(instance.scope.len()) {
            return;
        }
        let names: Vec<Name> = instance.names().cloned().collect();
        for name in names {
            if let Some(binding) = self.member_binding(object, &name) {
                captured.entry(name).or_insert(binding);
            }
        }
    }

    /// Copies of the variables that a function names; of an object the function sees itself.
    fn copies(&mut self, function: &Function) -> Scope {
        let mut scope = Scope::new();
        let members = self.members_here();
        for name in names_in(function) {
            if members.contains(&name) || &*name == "this" {
                continue;
            }
            if let Some(found) = self.lookup(&name).cloned()
                && !self.refuses_copy(&found, function.span)
                && let Some(copy) = self.copy_of(found, function.span)
            {
                if function.is_const || self.is_constant_name(&name) {
                    mark_constant(&name, &mut scope);
                }
                scope.insert(name, copy);
            }
        }
        self.named(function, &mut scope);
        scope
    }

    /// The variables themselves that a function names, which it sees also where their scopes have ended.
    fn named(&mut self, function: &Function, scope: &mut Scope) {
        for name in names_in(function).into_iter().chain(["this".into()]) {
            if let Some(found @ (Binding::Place(_) | Binding::Value(_))) = self.lookup(&name) {
                let found = found.clone();
                if !scope.contains_key(&name) && self.is_constant_name(&name) {
                    mark_constant(&name, scope);
                }
                scope.entry(name).or_insert(found);
            }
        }
    }

    /// The members of the object whose function is run.
    fn members_here(&self) -> BTreeSet<Name> {
        let Some(Binding::Place(this)) = self.lookup("this") else {
            return BTreeSet::new();
        };
        let instance = self.inside_of(this.of());
        let names = instance.iter().flat_map(|one| one.names().cloned());
        names.collect()
    }

    /// Whether a copy that a lambda would hold ends with it, by a destructor: when that is, is not followed.
    fn refuses_copy(&mut self, found: &Binding, span: Span) -> bool {
        let is_destroyed = match found {
            Binding::Place(place) => self.is_destroyed(place.of()),
            Binding::Value(value) => self.is_destroyed(&value.ty),
            Binding::Type(_) => false,
        };
        if is_destroyed {
            let what = Construct::Lambda;
            self.say(span, DiagnosticKind::Unsupported { what });
        }
        is_destroyed
    }

    /// A copy of a variable; what lies in no thread's own memory is not copied.
    fn copy_of(&mut self, found: Binding, span: Span) -> Option<Binding> {
        match found {
            Binding::Place(Place::Registers(value)) => {
                let value = self.copy_of_closure(value, span);
                let place = Place::Registers(value.clone());
                if !self.is_copied(&value.ty) {
                    let kept = self.variable(&value.ty.clone(), Some(&value));
                    return Some(Binding::Place(Place::Registers(kept)));
                }
                let kept = Place::Registers(self.variable(&value.ty.clone(), None));
                self.copy_object(&kept, &place, span);
                Some(Binding::Place(kept))
            }
            Binding::Place(Place::Memory(memory)) if matches!(memory.target, Target::Local(_)) => {
                let room = self.room(memory.ty.clone(), span)?;
                let kept = Place::Memory(room);
                self.copy_object(&kept, &Place::Memory(memory), span);
                Some(Binding::Place(kept))
            }
            Binding::Place(place) => Some(Binding::Place(place)),
            Binding::Value(value) => Some(Binding::Value(self.copy_of_closure(value, span))),
            Binding::Type(_) => None,
        }
    }
}

fn mark_constant(name: &str, scope: &mut Scope) {
    scope.insert(constant_mark(name), Binding::Value(Value::void()));
}

/// The names in a function's body, each once.
fn names_in(function: &Function) -> Vec<Name> {
    let mut names: Vec<Name> = Vec::new();
    let mut known: BTreeSet<Name> = BTreeSet::new();
    for statement in &function.body {
        entry::walk_expressions(statement, &mut |expr| {
            if let ExprKind::Name(name) = &expr.kind
                && known.insert(name.clone())
            {
                names.push(name.clone());
            }
        });
    }
    names
}
