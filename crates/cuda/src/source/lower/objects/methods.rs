//! Member functions: found, called, and run on objects in registers or memory.

use std::rc::Rc;

use crate::source::ctype::{Struct, Type};
use crate::source::lower::calls::{Given, Outcome, Setting};
use crate::source::lower::places::part;
use crate::source::lower::{Binding, Lower, Memory, Place, Scope, Value};
use lanescope_frontend::Span;
use lanescope_syntax::tree::{Expr, Function, TemplateArgument, TypeKind};

impl Lower<'_> {
    pub(super) fn find_method(&self, of: &Type, name: &str, count: usize) -> Option<Rc<Function>> {
        let Type::Struct(of) = of else { return None };
        let instance = self.instances.get(&of.name)?;
        let named = || instance.methods.iter().filter(|one| *one.name == *name);
        let fits = |one: &&Rc<Function>| {
            let least = one
                .parameters
                .iter()
                .filter(|one| one.init.is_none())
                .count();
            (least..=one.parameters.len()).contains(&count)
        };
        named().find(fits).or_else(|| named().next()).cloned()
    }

    /// The functions of a structure by this name that take so many arguments.
    fn methods_named(&self, of: &Type, name: &str, count: usize) -> Vec<Rc<Function>> {
        let Type::Struct(of) = of else {
            return Vec::new();
        };
        let Some(instance) = self.instances.get(&of.name) else {
            return Vec::new();
        };
        let named = instance.methods.iter().filter(|one| *one.name == *name);
        Self::taking(&named.cloned().collect::<Vec<_>>(), count)
    }

    /// A call of a structure's own function, if it has one by this name.
    pub(crate) fn call_method(
        &mut self,
        place: &Place,
        name: &str,
        templates: &[TemplateArgument],
        arguments: &[Expr],
        span: Span,
    ) -> Option<Outcome> {
        let named = self.methods_named(place.of(), name, arguments.len());
        if named.len() > 1 {
            let given = self.given_to_any(arguments);
            // The types of the parameters are found inside the structure.
            let inside = self.inside_of(place.of());
            let scope = inside.map(|one| one.scope.clone()).unwrap_or_default();
            if !self.spend(scope.len()) {
                return None;
            }
            self.scopes.push(scope);
            let best = self.best(&named, &given);
            self.scopes.pop();
            let function = best.or_else(|| named.first().cloned())?;
            let given = self.given_as(&function, arguments, given);
            return Some(self.run_method(place, &function, templates, given, span));
        }
        let function = self.find_method(place.of(), name, arguments.len())?;
        let given = self.given_to(&function, arguments, span)?;
        Some(self.run_method(place, &function, templates, given, span))
    }

    pub(super) fn run_method(
        &mut self,
        place: &Place,
        function: &Rc<Function>,
        templates: &[TemplateArgument],
        given: Vec<Given>,
        span: Span,
    ) -> Outcome {
        let Type::Struct(of) = place.of().clone() else {
            return Outcome::Value(Value::void());
        };
        if let Place::Registers(value) = place
            && self.needs_memory(&of, function)
            && let Some(memory) = self.room(place.of().clone(), span)
        {
            return self.run_in_memory(value, memory, function, templates, given, span);
        }
        let instance = self.instances.get(&of.name);
        let mut scope = Scope::new();
        for name in &function.names {
            let field = || {
                let field = of.field(name)?;
                Some(Binding::Place(part(place, field)))
            };
            let inside = instance.and_then(|one| one.scope.get(name).cloned());
            // A reference stands for what it was bound to.
            let binding = match inside {
                Some(Binding::Place(bound)) => Some(Binding::Place(bound)),
                other => field().or(other),
            };
            if let Some(binding) = binding {
                scope.insert(name.clone(), binding);
            }
        }
        scope.insert("this".into(), Binding::Place(place.clone()));
        let setting = Setting {
            scope,
            seen: Vec::new(),
        };
        self.run_function(function, templates, given, span, setting)
    }

    /// Whether a function of a structure makes a pointer to the structure or into it, or chooses an element of it to
    /// write: it needs the structure in memory, where registers have no address.
    fn needs_memory(&mut self, of: &Struct, function: &Rc<Function>) -> bool {
        let habits = self.habits(function);
        habits.given.contains("this")
            || habits.addressed.contains("this")
            || of.fields.iter().any(|field| {
                let is_array = matches!(field.of, Type::Array(..));
                habits.addressed.contains(&field.name)
                    || is_array && habits.given.contains(&field.name)
            })
    }

    /// Whether a function of a structure returns a reference into it that needs it in memory: a variable of this type
    /// lies there from the start, as what the reference names may be written after the call.
    pub(crate) fn lies_in_memory(&mut self, of: &Type) -> bool {
        let Type::Struct(plain) = of else {
            return false;
        };
        let Some(instance) = self.instances.get(&plain.name).cloned() else {
            return false;
        };
        self.spend(instance.methods.len())
            && instance
                .methods
                .iter()
                .filter(|method| matches!(method.returns.kind, TypeKind::Reference(_)))
                .any(|method| self.needs_memory(plain, method))
    }

    /// Runs a structure's own function on a copy in memory of an object that lies in registers, and copies it back.
    fn run_in_memory(
        &mut self,
        object: &Value,
        memory: Memory,
        function: &Rc<Function>,
        templates: &[TemplateArgument],
        given: Vec<Given>,
        span: Span,
    ) -> Outcome {
        self.store(&memory, object, span);
        let place = Place::Memory(memory.clone());
        let outcome = self.run_method(&place, function, templates, given, span);
        // A value that nothing may assign to stays.
        if object.regs.iter().all(|reg| self.is_variable(*reg)) {
            let changed = self.load(&memory, span);
            self.assign(&Place::Registers(object.clone()), &changed, span);
        }
        outcome
    }

    /// What is called by a variable's name: a lambda, or a structure with `operator()`.
    pub(crate) fn callable(&self, name: &str) -> Option<Place> {
        let place = match self.lookup(name)? {
            Binding::Place(place) => place.clone(),
            Binding::Value(value) => Place::Registers(value.clone()),
            Binding::Type(_) => return None,
        };
        self.is_callable(place.of()).then_some(place)
    }

    fn is_callable(&self, of: &Type) -> bool {
        matches!(of, Type::Closure(_)) || self.find_method(of, "operator()", 0).is_some()
    }

    /// A call of what stands in a place.
    pub(crate) fn call_object(
        &mut self,
        place: &Place,
        arguments: &[Expr],
        span: Span,
    ) -> Option<Outcome> {
        let Type::Closure(id) = place.of() else {
            return self.call_method(place, "operator()", &[], arguments, span);
        };
        let closure = self.closures.get(*id as usize).cloned()?;
        let given = self.given_to(&closure.function, arguments, span)?;
        let setting = Setting {
            scope: closure.captured.clone(),
            seen: closure.seen.clone(),
        };
        Some(self.run_function(&closure.function, &[], given, span, setting))
    }

    /// A call of a structure's function by the structure's name, as `Pack::zeros()`.
    pub(crate) fn call_static(
        &mut self,
        name: &str,
        templates: &[TemplateArgument],
        arguments: &[Expr],
        span: Span,
    ) -> Option<Outcome> {
        let (around, last) = name.rsplit_once("::")?;
        let found = self.lookup(around).or_else(|| self.qualified(around));
        let of = match found {
            Some(Binding::Type(of @ Type::Struct(_))) => of.clone(),
            _ => return None,
        };
        self.find_method(&of, last, arguments.len())?;
        let place = Place::Registers(self.variable(&of, None));
        self.call_method(&place, last, templates, arguments, span)
    }
}
