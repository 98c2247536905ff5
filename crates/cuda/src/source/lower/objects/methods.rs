//! Member functions: found, called, and run on objects in registers or memory.

use std::rc::Rc;

use crate::source::ctype::{Struct, Type};
use crate::source::lower::calls::{Given, Outcome, Setting};
use crate::source::lower::objects::WHOLE;
use crate::source::lower::overloads::takes;
use crate::source::lower::{Binding, Lower, Memory, Place, Scope, Value, constant_mark};
use lanescope_frontend::Span;
use lanescope_syntax::tree::{Expr, ExprKind, Function, TemplateArgument, TypeKind};

impl Lower<'_> {
    /// Whether an object has a function by this name.
    pub(super) fn has_method(&self, ty: &Type, name: &str) -> bool {
        let nowhere = Place::Registers(Value {
            ty: ty.clone(),
            regs: Vec::new(),
        });
        !self.functions_of(&nowhere, name).is_empty()
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
        self.call_method_of((place, false), name, templates, arguments, span)
    }

    /// The same of an object that may be a constant.
    pub(crate) fn call_method_of(
        &mut self,
        (place, is_constant): (&Place, bool),
        name: &str,
        templates: &[TemplateArgument],
        arguments: &[Expr],
        span: Span,
    ) -> Option<Outcome> {
        let named = self.functions_of(place, name);
        let taking: Vec<(Place, Rc<Function>)> = named
            .iter()
            .filter(|(_, one)| takes(one, arguments.len()))
            .cloned()
            .collect();
        if taking.len() > 1 {
            let given = self.given_to_any(arguments);
            let best = self.best_method(&taking, &given, is_constant, span);
            let (at, function) = best.or_else(|| taking.first().cloned())?;
            let given = self.given_as(&function, arguments, given);
            return Some(self.run_method_of((place, &at), &function, templates, given, span));
        }
        let (at, function) = taking.first().or(named.first())?;
        let given = self.given_inside(at, function, arguments, span)?;
        Some(self.run_method_of((place, at), function, templates, given, span))
    }

    /// The arguments of a structure's function, whose parameters' types are found inside the structure where a list
    /// needs them.
    fn given_inside(
        &mut self,
        place: &Place,
        function: &Rc<Function>,
        arguments: &[Expr],
        span: Span,
    ) -> Option<Vec<Given>> {
        let is_list = |expr: &Expr| matches!(expr.kind, ExprKind::List(_));
        if !arguments.iter().any(is_list) {
            return self.given_to(function, arguments, span);
        }
        let inside = self.inside_of(place.of())?;
        if !self.spend(inside.scope.len()) {
            return None;
        }
        for (name, binding) in &inside.scope {
            if matches!(binding, Binding::Type(_)) && self.lookup(name).is_none() {
                self.bind(name, binding.clone());
            }
        }
        self.given_to(function, arguments, span)
    }

    pub(in crate::source::lower) fn run_method(
        &mut self,
        place: &Place,
        function: &Rc<Function>,
        templates: &[TemplateArgument],
        given: Vec<Given>,
        span: Span,
    ) -> Outcome {
        self.run_method_of((place, place), function, templates, given, span)
    }

    /// The same of a base of an object, or of the object itself.
    fn run_method_of(
        &mut self,
        (object, place): (&Place, &Place),
        function: &Rc<Function>,
        templates: &[TemplateArgument],
        given: Vec<Given>,
        span: Span,
    ) -> Outcome {
        let Type::Struct(ty) = place.of().clone() else {
            return Outcome::Value(Value::void());
        };
        if let Place::Registers(value) = place
            && self.needs_memory(&ty, function)
            && let Some(memory) = self.room(place.of().clone(), span)
        {
            return self.run_in_memory(value, memory, function, templates, given, span);
        }
        let mut scope = Scope::new();
        for name in &function.names {
            if let Some(binding) = self.member_binding(place, name) {
                if function.is_const && matches!(binding, Binding::Place(_)) {
                    scope.insert(constant_mark(name), Binding::Value(Value::void()));
                }
                scope.insert(name.clone(), binding);
            }
            self.pack_members(place, name, &mut scope);
        }
        if function.is_const {
            scope.insert(constant_mark("this"), Binding::Value(Value::void()));
        }
        // A base's function finds the object that the base is of, as where it casts `*this`.
        if object.of() != place.of() {
            scope.insert(WHOLE.into(), Binding::Place(object.clone()));
        } else if let Some(Binding::Place(this)) = self.lookup("this")
            && this.of() != place.of()
            && self.as_base(this, &ty.name).is_some()
        {
            let whole = match self.lookup(WHOLE) {
                Some(whole) => whole.clone(),
                None => Binding::Place(this.clone()),
            };
            scope.insert(WHOLE.into(), whole);
        }
        let is_constructor = self
            .inside_of(place.of())
            .is_some_and(|one| one.item.name == function.name);
        scope.insert("this".into(), Binding::Place(place.clone()));
        let setting = Setting {
            scope,
            seen: Vec::new(),
            made: is_constructor.then(|| place.clone()),
        };
        self.run_function(function, templates, given, span, setting)
    }

    /// Whether a function of a structure makes a pointer to the structure or into it, or chooses an element of it to
    /// write: it needs the structure in memory, where registers have no address.
    fn needs_memory(&mut self, ty: &Struct, function: &Rc<Function>) -> bool {
        let function_effects = self.function_effects(function);
        ty.shares_bytes
            || function_effects.given.contains("this")
            || function_effects.addressed.contains("this")
            || ty.fields.iter().any(|field| {
                let is_array = matches!(field.ty, Type::Array(..));
                function_effects.addressed.contains(&field.name)
                    || is_array && function_effects.given.contains(&field.name)
            })
    }

    /// Whether a function of a structure returns a reference into it that needs it in memory: a variable of this type
    /// lies there from the start, as what the reference names may be written after the call.
    /// So does one that holds such a structure, or derives from it.
    pub(crate) fn lies_in_memory(&mut self, ty: &Type) -> bool {
        let plain = match ty {
            Type::Struct(plain) => plain,
            Type::Array(element, _) => return self.lies_in_memory(element),
            Type::Void
            | Type::Scalar(_)
            | Type::Pointer(_)
            | Type::Closure(_)
            | Type::Group { .. } => return false,
        };
        let Some(instance) = self.instances.get(&plain.name).cloned() else {
            return false;
        };
        if !self.spend(instance.methods.len() + plain.fields.len()) {
            return false;
        }
        let mut methods = instance.methods.iter();
        let mut parts = plain.fields.iter();
        methods
            .by_ref()
            .filter(|method| matches!(method.returns.kind, TypeKind::Reference { .. }))
            .any(|method| self.needs_memory(plain, method))
            || instance
                .bases
                .iter()
                .any(|base| self.lies_in_memory(&Type::Struct(base.ty.clone())))
            || parts.any(|field| self.lies_in_memory(&field.ty))
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

    fn is_callable(&self, ty: &Type) -> bool {
        matches!(ty, Type::Closure(_)) || self.has_method(ty, "operator()")
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
            made: None,
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
        let ty = match found {
            Some(Binding::Type(ty @ Type::Struct(_))) => ty.clone(),
            _ => return None,
        };
        if !self.has_method(&ty, last) {
            return None;
        }
        // A base's function by its name is called for the object itself.
        let this = match (self.lookup("this"), &ty) {
            (Some(Binding::Place(this)), Type::Struct(ty)) => self.as_base(this, &ty.name),
            _ => None,
        };
        let place = this.unwrap_or_else(|| Place::Registers(self.variable(&ty, None)));
        self.call_method(&place, last, templates, arguments, span)
    }
}
