//! Functions as values: lambdas with what they capture, and functions given by name.

use crate::source::ctype::{Target, Type};
use crate::source::lower::{Binding, Lower, Place, Scope, Value, constant_mark, entry};
use lanescope_frontend::{Construct, Span};
use lanescope_syntax::diagnostic::DiagnosticKind;
use lanescope_syntax::tree::{Capture, Captures, ExprKind, Function, Name};
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
        }))
    }

    fn closure(&mut self, closure: Closure) -> Value {
        let id = u32::try_from(self.closures.len()).unwrap_or(u32::MAX);
        self.closures.push(Rc::new(closure));
        Value {
            of: Type::Closure(id),
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
        if captures.references {
            self.named(function, &mut captured);
        }
        for one in &captures.list {
            self.capture(one, function.is_const, &mut captured);
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
        })
    }

    /// What one of the names between the brackets stands for inside; a copy is a constant unless the lambda is `mutable`.
    fn capture(&mut self, one: &Capture, is_const: bool, captured: &mut Scope) {
        let binding = match &one.init {
            None => match self.lookup(&one.name).cloned() {
                Some(found) if one.is_reference => Some(found),
                Some(found) if self.refuses_copy(&found, one.span) => Some(found),
                Some(found) => self.copy_of(found, one.span),
                None => {
                    self.unknown_name(&one.name, one.span);
                    None
                }
            },
            Some(init) if one.is_reference => match self.place(init) {
                Some(place) => Some(Binding::Place(place)),
                None => Some(Binding::Value(self.value(init))),
            },
            Some(init) => {
                let init = match &init.kind {
                    ExprKind::List(list) => list.first().unwrap_or(init),
                    _ => init,
                };
                let value = self.value(init);
                let kept = self.variable(&value.of.clone(), Some(&value));
                Some(Binding::Place(Place::Registers(kept)))
            }
        };
        if &*one.name == "this"
            && let Some(Binding::Place(object)) = &binding
        {
            self.members_of(object, captured);
        }
        if let Some(binding) = binding {
            let is_same = one.is_reference && one.init.is_none();
            if is_const && !one.is_reference || is_same && self.is_constant_name(&one.name) {
                mark_constant(&one.name, captured);
            } else {
                captured.remove(&constant_mark(&one.name));
            }
            captured.insert(one.name.clone(), binding);
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
            Binding::Value(value) => self.is_destroyed(&value.of),
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
                let place = Place::Registers(value.clone());
                if !self.is_copied(&value.of) {
                    let kept = self.variable(&value.of.clone(), Some(&value));
                    return Some(Binding::Place(Place::Registers(kept)));
                }
                let kept = Place::Registers(self.variable(&value.of.clone(), None));
                self.copy_object(&kept, &place, span);
                Some(Binding::Place(kept))
            }
            Binding::Place(Place::Memory(memory)) if matches!(memory.target, Target::Local(_)) => {
                let room = self.room(memory.of.clone(), span)?;
                let kept = Place::Memory(room);
                self.copy_object(&kept, &Place::Memory(memory), span);
                Some(Binding::Place(kept))
            }
            Binding::Place(place) => Some(Binding::Place(place)),
            Binding::Value(value) => Some(Binding::Value(value)),
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
