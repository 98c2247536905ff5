//! Structures with functions of their own, and functions written in place.

mod instances;
mod methods;

use std::collections::BTreeSet;
use std::rc::Rc;

use super::calls::{Given, Outcome, Setting};
use super::{Binding, Lower, Place, Scope, Value};
use crate::source::ctype::Type;
use lanescope_frontend::Span;
use lanescope_syntax::tree::{Expr, ExprKind, Function, Name};

use instances::Bound;

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

    fn fits(&mut self, wanted: &lanescope_syntax::tree::TypeExpr, given: &Type) -> bool {
        match (self.resolve(wanted), given) {
            (Type::Struct(a), Type::Struct(b)) => a.name == b.name,
            (Type::Scalar(_), Type::Scalar(_)) => true,
            _ => false,
        }
    }
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
