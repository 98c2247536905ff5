//! Structures with functions of their own, and functions written in place.

use super::calls::{Given, Outcome, Setting};
use super::places::part;
use super::records::Record;
use super::{Binding, Call, Lower, Memory, Place, Scope, Value};
use crate::source::Span;
use crate::source::ctype::{Struct, Target, Type};
use crate::source::diagnostic::DiagnosticKind;
use crate::source::syntax::{
    Expr, ExprKind, Function, Name, StmtKind, StructItem, TemplateArgument, TemplateParameter,
    TypeExpr, TypeKind,
};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Structures that templates make, at most.
const MOST_INSTANCES: usize = 256;
/// What a name costs that a structure has of its base.
const STEPS_OF_NAME: usize = 4;
/// Structures that one structure needs before it is whole, at most.
const DEEPEST: usize = 24;
/// Scopes around an alias template, at most.
const DEEPEST_SCOPES: usize = 512;

/// A structure with what stands inside it.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) of: Type,
    /// Its types, its constants and the values of its template's parameters.
    pub(super) scope: Scope,
    methods: Vec<Rc<Function>>,
    /// The name of its constructors.
    constructor: Name,
    /// Which of its members are references, and which parameter each constructor binds them to.
    references: Vec<Bound>,
}

/// A member that is a reference: bound to a parameter of the constructor with so many parameters.
#[derive(Clone, Debug)]
struct Bound {
    member: Name,
    parameters: usize,
    parameter: usize,
}

impl Instance {
    /// The names that its functions may see.
    pub(super) fn names(&self) -> impl Iterator<Item = &Name> {
        let fields = match &self.of {
            Type::Struct(of) => &of.fields[..],
            _ => &[],
        };
        let fields = fields.iter().map(|field| &field.name);
        fields.chain(self.scope.keys())
    }
}

/// A function written in place.
#[derive(Debug)]
pub(super) struct Closure {
    function: Rc<Function>,
    /// The scopes around it.
    seen: Vec<(usize, usize)>,
    /// Copies of the variables that it names.
    captured: Scope,
}

impl Lower<'_> {
    /// A template's structure with its arguments.
    pub(super) fn templated(
        &mut self,
        item: &Rc<StructItem>,
        arguments: &[TemplateArgument],
    ) -> Type {
        let mut scope = Scope::new();
        let mut shown = Vec::new();
        let mut given = Vec::new();
        for (at, parameter) in item.templates.iter().enumerate() {
            if parameter.is_pack {
                let what = "a template's parameter pack".to_owned();
                self.say(item.span, DiagnosticKind::Unsupported { what });
                continue;
            }
            let binding = self.parameter_value(parameter, arguments.get(at), &scope);
            shown.push(self.shown(&binding));
            given.push(binding.clone());
            scope.insert(parameter.name.clone(), binding);
        }
        if let Some(alias) = &item.alias {
            return self.aliased(alias, scope);
        }
        let name: Name = format!("{}<{}>", item.name, shown.join(", ")).into();
        if let Some(known) = self.instances.get(&name) {
            return known.of.clone();
        }
        if self.instances.len() >= MOST_INSTANCES {
            let limit = MOST_INSTANCES as u64;
            self.stop(DiagnosticKind::TooManyTypes { limit });
            return Type::INT;
        }
        if let Some(special) = self.specialised_struct(&item.name, &shown) {
            return self.instance(&special, name, Scope::new());
        }
        if let Some((special, scope)) = self.partly_specialised(&item.name, &given) {
            return self.instance(&special, name, scope);
        }
        self.instance(item, name, scope)
    }

    /// What an alias template stands for, given its arguments.
    fn aliased(&mut self, of: &TypeExpr, scope: Scope) -> Type {
        if self.scopes.len() >= DEEPEST_SCOPES {
            let limit = DEEPEST_SCOPES as u64;
            self.stop(DiagnosticKind::TooDeep { limit });
            return Type::INT;
        }
        self.scopes.push(scope);
        let of = self.resolve(of);
        self.scopes.pop();
        of
    }

    /// A structure that stands for these arguments of a template that is only declared.
    pub(super) fn specialised_alone(
        &mut self,
        name: &Name,
        arguments: &[TemplateArgument],
    ) -> Option<Type> {
        self.specialised_structs.get(name)?;
        let shown = self.shown_arguments(arguments);
        let whole: Name = format!("{name}<{}>", shown.join(", ")).into();
        if let Some(known) = self.instances.get(&whole) {
            return Some(known.of.clone());
        }
        if let Some(special) = self.specialised_struct(name, &shown) {
            return Some(self.instance(&special, whole, Scope::new()));
        }
        let given: Option<Vec<Binding>> = arguments
            .iter()
            .map(|one| self.template_binding(one))
            .collect();
        let (special, scope) = self.partly_specialised(name, &given?)?;
        Some(self.instance(&special, whole, scope))
    }

    fn parameter_value(
        &mut self,
        parameter: &TemplateParameter,
        argument: Option<&TemplateArgument>,
        scope: &Scope,
    ) -> Binding {
        let given = argument.and_then(|argument| match self.template_name(argument) {
            Some(name) if parameter.is_template => Some(name),
            _ => self.template_binding(argument),
        });
        let found = given.or_else(|| {
            let default = parameter.default.as_ref()?;
            self.scopes.push(scope.clone());
            let found = self.template_binding(default);
            self.scopes.pop();
            found
        });
        found.unwrap_or_else(|| {
            self.assumed(&parameter.name, parameter.span, parameter.of.is_none())
        })
    }

    /// The type of a structure by this name, with what stands inside it.
    pub(super) fn instance(&mut self, item: &Rc<StructItem>, name: Name, bindings: Scope) -> Type {
        // Inside itself only its name is known: a pointer needs no more.
        let unfinished = Type::Struct(Rc::new(Struct::new(name.clone(), Vec::new(), 1)));
        if self.resolving.len() >= DEEPEST || !self.resolving.insert(name.clone()) {
            return unfinished;
        }
        let base = self.scopes.len();
        self.scopes.push(bindings);
        self.bind(&item.name, Binding::Type(unfinished));
        self.calls.push(Call::around(base));
        let (record, mut methods) = self.inside(item, &name);
        let references = references(item, &mut methods);
        let align = item.align.as_ref().and_then(|align| self.fold(align));
        self.calls.pop();
        let mut scope = self.scopes.pop().unwrap_or_default();
        self.scopes.truncate(base);
        let align = alignment(align);
        let of = match &item.placed {
            Some(placed) => {
                let fields = record.fields.into_iter().map(|one| (one.name, one.of));
                Struct::new(name.clone(), fields.collect(), align).placed(placed)
            }
            None => record.laid_out(item, name.clone(), align),
        };
        let of = self.shallow(Type::Struct(Rc::new(of)));
        scope.insert(item.name.clone(), Binding::Type(of.clone()));
        self.resolving.remove(&name);
        let instance = Instance {
            of: of.clone(),
            scope,
            methods,
            constructor: item.name.clone(),
            references,
        };
        self.instances.insert(name, Rc::new(instance));
        of
    }

    /// The fields of a structure and its functions; its types and constants are bound.
    fn inside(&mut self, item: &StructItem, name: &Name) -> (Record, Vec<Rc<Function>>) {
        let mut record = Record::default();
        let mut methods = item.methods.clone();
        for base in &item.bases {
            let Type::Struct(of) = self.resolve(base) else {
                continue;
            };
            let instance = self.instances.get(&of.name).cloned();
            let bound = instance.as_ref().map_or(0, |one| one.names().count());
            if !self.spend(STEPS_OF_NAME * bound) {
                continue;
            }
            record.base(&of);
            if let Some(instance) = instance {
                methods.extend(instance.methods.iter().cloned());
                for (name, binding) in &instance.scope {
                    self.bind(name, binding.clone());
                }
            }
        }
        for member in &item.members {
            match &member.kind {
                StmtKind::Struct(inner) if inner.templates.is_empty() => {
                    self.inner_structure(inner, name);
                }
                StmtKind::Struct(inner) => {
                    let list = match inner.specialised {
                        Some(_) => self
                            .specialised_structs
                            .entry(inner.name.clone())
                            .or_default(),
                        None => {
                            self.structs.insert(inner.name.clone(), inner.clone());
                            continue;
                        }
                    };
                    list.push(inner.clone());
                }
                StmtKind::Several(list) => self.statements(list),
                _ => self.statement(member),
            }
        }
        let known = record.fields.iter().map(|field| field.name.clone());
        let mut known: BTreeSet<Name> = known.collect();
        for field in &item.fields {
            if !known.insert(field.name.clone()) {
                let name = field.name.to_string();
                self.say(field.span, DiagnosticKind::Redeclared { name });
                continue;
            }
            let mut of = self.resolve(&field.of);
            if matches!(field.of.kind, TypeKind::Reference(_)) {
                of = Type::pointer_to(of, Target::Unknown);
                record.is_special = true;
            }
            let least = field.align.as_ref().and_then(|align| self.fold(align));
            let bits = field.bits.as_ref().map(|bits| self.fold(bits));
            let bits = bits.map(|bits| bits.and_then(|bits| u64::try_from(bits).ok()));
            let most = of.bytes().saturating_mul(8);
            if bits.is_some_and(|bits| bits.is_none_or(|bits| bits > most)) {
                let what = "the number of a bit-field's bits";
                self.say(field.span, DiagnosticKind::NotConstant { what });
            }
            let bits = bits.map(|bits| bits.unwrap_or(most).min(most));
            record.field(field.name.clone(), of, alignment(least), bits);
        }
        (record, methods)
    }

    /// A structure inside another, which sees the types and constants around it.
    fn inner_structure(&mut self, inner: &Rc<StructItem>, outer: &Name) {
        let around = self.scopes.last().cloned().unwrap_or_default();
        if !self.spend(around.len()) {
            return;
        }
        let name: Name = format!("{outer}::{}", inner.name).into();
        let of = self.instance(inner, name, around);
        self.bind(&inner.name, Binding::Type(of));
    }

    /// A structure that is whole, for one whose name alone is known.
    pub(super) fn whole_type(&self, of: &Type) -> Type {
        match of {
            Type::Struct(part) if part.fields.is_empty() => self
                .instances
                .get(&part.name)
                .map_or_else(|| of.clone(), |instance| instance.of.clone()),
            _ => of.clone(),
        }
    }

    /// A constant or type inside a structure or a namespace, as in `Tile::pitch`.
    pub(super) fn qualified(&self, name: &str) -> Option<&Binding> {
        let (around, last) = name.rsplit_once("::")?;
        let plain = around.rsplit("::").next().unwrap_or(around);
        if let Some(Binding::Type(Type::Struct(of))) = self.lookup(plain)
            && let Some(instance) = self.instances.get(&of.name)
        {
            return instance.scope.get(last);
        }
        self.lookup(last)
    }

    /// What a structure's constant stands for.
    pub(super) fn constant_of(&self, of: &Type, name: &str) -> Option<&Binding> {
        let Type::Struct(of) = of else { return None };
        self.instances.get(&of.name)?.scope.get(name)
    }

    /// A structure with what stands inside it.
    pub(super) fn inside_of(&self, of: &Type) -> Option<Rc<Instance>> {
        let Type::Struct(of) = of else { return None };
        self.instances.get(&of.name).cloned()
    }

    fn find_method(&self, of: &Type, name: &str, count: usize) -> Option<Rc<Function>> {
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
    pub(super) fn call_method(
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

    fn run_method(
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
    pub(super) fn lies_in_memory(&mut self, of: &Type) -> bool {
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
    pub(super) fn callable(&self, name: &str) -> Option<Place> {
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
    pub(super) fn call_object(
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

    /// A function of the source as a value, as where it is given to another function.
    pub(super) fn function_value(&mut self, name: &str) -> Option<Value> {
        let plain = name.rsplit("::").next().unwrap_or(name);
        let list = self
            .functions
            .get(name)
            .or_else(|| self.functions.get(plain));
        let function = list?.first()?.clone();
        let id = u32::try_from(self.closures.len()).unwrap_or(u32::MAX);
        self.closures.push(Rc::new(Closure {
            function,
            seen: Vec::new(),
            captured: Scope::new(),
        }));
        Some(Value {
            of: Type::Closure(id),
            regs: Vec::new(),
        })
    }

    /// A call of a structure's function by the structure's name, as `Pack::zeros()`.
    pub(super) fn call_static(
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

    /// A function written in place, as a value.
    pub(super) fn lambda(&mut self, function: &Rc<Function>, copies: bool) -> Value {
        let mut seen = self
            .calls
            .last()
            .map_or_else(Vec::new, |call| call.seen.clone());
        let base = self.calls.last().map_or(0, |call| call.base);
        seen.push((base, self.scopes.len()));
        let captured = if copies {
            self.copies(function)
        } else {
            Scope::new()
        };
        let id = u32::try_from(self.closures.len()).unwrap_or(u32::MAX);
        self.closures.push(Rc::new(Closure {
            function: function.clone(),
            seen,
            captured,
        }));
        Value {
            of: Type::Closure(id),
            regs: Vec::new(),
        }
    }

    /// Copies of the variables that a function names.
    fn copies(&mut self, function: &Function) -> Scope {
        let mut names: Vec<Name> = Vec::new();
        let mut known: BTreeSet<Name> = BTreeSet::new();
        for statement in &function.body {
            super::entry::walk_expressions(statement, &mut |expr| {
                if let ExprKind::Name(name) = &expr.kind
                    && known.insert(name.clone())
                {
                    names.push(name.clone());
                }
            });
        }
        let mut scope = Scope::new();
        for name in names {
            if let Some(Binding::Place(Place::Registers(value))) = self.lookup(&name).cloned() {
                let copy = self.variable(&value.of.clone(), Some(&value));
                scope.insert(name, Binding::Place(Place::Registers(copy)));
            }
        }
        scope
    }

    /// The type of an object whose references are bound to what its constructor is given: one of its own.
    pub(super) fn bound_type(&mut self, of: &Type, arguments: &[Expr]) -> Type {
        let Type::Struct(plain) = of else {
            return of.clone();
        };
        let Some(instance) = self.instances.get(&plain.name).cloned() else {
            return of.clone();
        };
        let wanted = instance.references.iter();
        let wanted: Vec<Bound> = wanted
            .filter(|one| one.parameters == arguments.len())
            .cloned()
            .collect();
        if wanted.is_empty() || !self.spend(instance.scope.len()) {
            return of.clone();
        }
        let mut scope = instance.scope.clone();
        for one in wanted {
            let place = arguments.get(one.parameter).and_then(|at| self.place(at));
            if let Some(place) = place {
                scope.insert(one.member, Binding::Place(place));
            }
        }
        let name: Name = format!("{} #{}", plain.name, self.instances.len()).into();
        let of = Type::Struct(Rc::new(plain.renamed(name.clone())));
        let instance = Instance {
            of: of.clone(),
            scope,
            methods: instance.methods.clone(),
            constructor: instance.constructor.clone(),
            references: instance.references.clone(),
        };
        self.instances.insert(name, Rc::new(instance));
        of
    }

    /// Runs the constructor that takes these arguments, if there is one.
    pub(super) fn constructs(&mut self, place: &Place, arguments: &[Expr], span: Span) -> bool {
        let Some(name) = self.constructor(place.of(), arguments.len()) else {
            return false;
        };
        self.call_method(place, &name, &[], arguments, span)
            .is_some()
    }

    /// The name of the constructor that takes so many arguments.
    pub(super) fn constructor(&self, of: &Type, count: usize) -> Option<Name> {
        let Type::Struct(plain) = of else { return None };
        let name = self.instances.get(&plain.name)?.constructor.clone();
        let function = self.find_method(of, &name, count)?;
        let least = function
            .parameters
            .iter()
            .filter(|one| one.init.is_none())
            .count();
        (least..=function.parameters.len())
            .contains(&count)
            .then_some(name)
    }

    /// What a structure's conversion makes of it.
    pub(super) fn converted(&mut self, value: &Value, span: Span) -> Option<Value> {
        let function = self.find_method(&value.of, "operator", 0)?;
        let place = Place::Registers(value.clone());
        Some(
            match self.run_method(&place, &function, &[], Vec::new(), span) {
                Outcome::Value(value) => value,
                Outcome::Place(place) => self.read(&place, span),
            },
        )
    }

    /// An operator that the source gives two values, as in `operator+(float4, float4)`.
    pub(super) fn overloaded(
        &mut self,
        op: &str,
        a: &Value,
        b: &Value,
        span: Span,
    ) -> Option<Value> {
        let name: Name = format!("operator{op}").into();
        let given = |value: &Value| Given::Value(value.clone(), span);
        let own = self
            .find_method(&a.of, &name, 1)
            .filter(|one| one.parameters.len() == 1);
        let outcome = if let Some(function) = own {
            let place = Place::Registers(a.clone());
            self.run_method(&place, &function, &[], vec![given(b)], span)
        } else {
            let list = self.functions.get(&name)?.clone();
            if !self.spend(list.len()) {
                return None;
            }
            let function = list.iter().find(|one| {
                one.parameters.len() == 2
                    && one.templates.is_empty()
                    && self.fits(&one.parameters[0].of, &a.of)
                    && self.fits(&one.parameters[1].of, &b.of)
            })?;
            let both = vec![given(a), given(b)];
            self.run_function(function, &[], both, span, Setting::default())
        };
        Some(match outcome {
            Outcome::Value(value) => value,
            Outcome::Place(place) => self.read(&place, span),
        })
    }

    fn fits(&mut self, wanted: &crate::source::syntax::TypeExpr, given: &Type) -> bool {
        match (self.resolve(wanted), given) {
            (Type::Struct(a), Type::Struct(b)) => a.name == b.name,
            (Type::Scalar(_), Type::Scalar(_)) => true,
            _ => false,
        }
    }
}

/// What an `alignas` says; 1 where it says nothing that can be.
fn alignment(align: Option<i64>) -> u64 {
    align
        .and_then(|align| u64::try_from(align).ok())
        .filter(|align| align.is_power_of_two() && *align <= 4096)
        .unwrap_or(1)
}

/// Whether a type is that of an object of the structure `of` whose references are bound.
pub(super) fn is_bound_of(bound: &Type, of: &Type) -> bool {
    match (bound, of) {
        (Type::Struct(bound), Type::Struct(of)) => bound
            .name
            .strip_prefix(&*of.name)
            .is_some_and(|rest| rest.starts_with(" #")),
        _ => false,
    }
}

/// The references among a structure's members; constructors no longer bind them by statements.
fn references(item: &StructItem, methods: &mut [Rc<Function>]) -> Vec<Bound> {
    let is_reference = |field: &&crate::source::syntax::Declaration| {
        matches!(field.of.kind, TypeKind::Reference(_))
    };
    let members: BTreeSet<&Name> = item
        .fields
        .iter()
        .filter(is_reference)
        .map(|field| &field.name)
        .collect();
    let mut bound = Vec::new();
    if members.is_empty() {
        return bound;
    }
    for method in methods.iter_mut().filter(|one| one.name == item.name) {
        let parameters = method.parameters.len();
        let mut constructor = (**method).clone();
        constructor.body.retain(|statement| {
            let Some((member, given)) = binding_of(statement) else {
                return true;
            };
            if !members.contains(member) {
                return true;
            }
            let named = |one: &crate::source::syntax::Declaration| one.name == *given;
            if let Some(parameter) = constructor.parameters.iter().position(named) {
                bound.push(Bound {
                    member: member.clone(),
                    parameters,
                    parameter,
                });
            }
            false
        });
        *method = Rc::new(constructor);
    }
    bound
}

/// The member and the name in `this->member = name`.
fn binding_of(statement: &crate::source::syntax::Stmt) -> Option<(&Name, &Name)> {
    let StmtKind::Expr(expr) = &statement.kind else {
        return None;
    };
    let ExprKind::Assign("=", target, source) = &expr.kind else {
        return None;
    };
    match (&target.kind, &source.kind) {
        (ExprKind::Member(_, member), ExprKind::Name(given)) => Some((member, given)),
        _ => None,
    }
}
