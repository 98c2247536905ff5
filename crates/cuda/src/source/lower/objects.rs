//! Structures with functions of their own, and functions written in place.

mod bases;
mod building;
mod copying;
mod destruction;
mod instances;
mod lambdas;
mod methods;
mod operators;

use std::rc::Rc;

use super::{Binding, Lower, Place, Scope, Value};
use crate::source::ctype::Type;
use lanescope_frontend::Span;
use lanescope_syntax::tree::{Expr, Function, Name, StructItem};

use bases::Base;
pub(super) use bases::WHOLE;
pub(super) use building::Start;
pub(super) use copying::is_moved;
pub(super) use destruction::Ending;
pub(super) use instances::is_operator;
use instances::{ANY_NUMBER, Bound};
pub(super) use lambdas::Closure;

/// What a name costs that a structure has of its base.
const STEPS_OF_NAME: usize = 4;

/// Structures that one structure needs before it is whole, at most.
const DEEPEST: usize = 24;

/// Scopes around an alias template, at most.
const DEEPEST_SCOPES: usize = 512;

/// A structure with what stands inside it.
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) ty: Type,
    /// Its types, its constants and the values of its template's parameters.
    pub(super) scope: Scope,
    /// Its own functions.
    methods: Vec<Rc<Function>>,
    bases: Vec<Base>,
    item: Rc<StructItem>,
    /// Whether making one runs something: constructors, or initialisers of its members, of its own or of its parts.
    is_built: bool,
    /// Whether one that ends runs something.
    is_destroyed: bool,
    /// Whether a copy runs something.
    is_copied: bool,
    /// Whether an assignment runs something.
    is_assigned: bool,
    /// Which of its members are references, and which parameter each constructor binds them to.
    references: Vec<Bound>,
}

impl Instance {
    /// Whether a function is one of its own.
    pub(super) fn has_function(&self, function: &Function) -> bool {
        self.methods.iter().any(|method| method.id == function.id)
    }

    /// The names that its functions may see.
    pub(super) fn names(&self) -> impl Iterator<Item = &Name> {
        let fields = match &self.ty {
            Type::Struct(ty) => &ty.fields[..],
            _ => &[],
        };
        let fields = fields.iter().map(|field| &field.name);
        fields.chain(self.scope.keys())
    }
}

impl Lower<'_> {
    /// A structure that is whole, for one whose name alone is known.
    pub(super) fn whole_type(&self, ty: &Type) -> Type {
        match ty {
            Type::Struct(part) if part.fields.is_empty() => self
                .instances
                .get(&part.name)
                .map_or_else(|| ty.clone(), |instance| instance.ty.clone()),
            _ => ty.clone(),
        }
    }

    /// A constant or type inside a structure or a namespace, as in `Tile::pitch`.
    pub(super) fn qualified(&self, name: &str) -> Option<&Binding> {
        let (around, last) = name.rsplit_once("::")?;
        let plain = around.rsplit("::").next().unwrap_or(around);
        if let Some(Binding::Type(Type::Struct(ty))) = self.lookup(plain)
            && let Some(instance) = self.instances.get(&ty.name)
        {
            return instance.scope.get(last);
        }
        // An enumerator has its enumeration's name before it.
        let inside = self.lookup(&format!("{plain}::{last}"));
        inside.or_else(|| self.lookup(last))
    }

    /// What a structure's constant stands for.
    pub(super) fn constant_of(&self, ty: &Type, name: &str) -> Option<&Binding> {
        let Type::Struct(ty) = ty else { return None };
        self.instances.get(&ty.name)?.scope.get(name)
    }

    /// A structure with what stands inside it.
    pub(super) fn inside_of(&self, ty: &Type) -> Option<Rc<Instance>> {
        let Type::Struct(ty) = ty else { return None };
        self.instances.get(&ty.name).cloned()
    }

    /// The type of an object whose references are bound to what its constructor is given: one of its own.
    pub(super) fn bound_type(&mut self, ty: &Type, arguments: &[Expr]) -> Type {
        let Type::Struct(plain) = ty else {
            return ty.clone();
        };
        let Some(instance) = self.instances.get(&plain.name).cloned() else {
            return ty.clone();
        };
        let wanted = instance.references.iter();
        let wanted: Vec<Bound> = wanted
            .filter(|one| one.parameters == arguments.len() || one.parameters == ANY_NUMBER)
            .cloned()
            .collect();
        if wanted.is_empty() || !self.spend(instance.scope.len()) {
            return ty.clone();
        }
        let mut scope = instance.scope.clone();
        for one in wanted {
            let place = arguments.get(one.parameter).and_then(|at| self.place(at));
            if let Some(place) = place {
                scope.insert(one.member, Binding::Place(place));
            }
        }
        let name: Name = format!("{} #{}", plain.name, self.instances.len()).into();
        let ty = Type::Struct(Rc::new(plain.renamed(name.clone())));
        let instance = Instance {
            ty: ty.clone(),
            scope,
            methods: instance.methods.clone(),
            bases: instance.bases.clone(),
            item: instance.item.clone(),
            is_built: instance.is_built,
            is_destroyed: instance.is_destroyed,
            is_copied: instance.is_copied,
            is_assigned: instance.is_assigned,
            references: instance.references.clone(),
        };
        self.instances.insert(name, Rc::new(instance));
        ty
    }

    /// What a structure's conversion makes of it.
    pub(super) fn converted(&mut self, value: &Value, to: &Type, span: Span) -> Option<Value> {
        let place = Place::Registers(value.clone());
        let list = self.functions_of(&place, "operator");
        let found = match &list[..] {
            [] => return None,
            [only] => only.clone(),
            several => {
                let mut fitting = Vec::new();
                for one in several {
                    let ty = self.returned_inside(&one.0, &one.1);
                    fitting.push((ty == *to, one));
                }
                let found = fitting.iter().find(|(fits, _)| *fits).or(fitting.first())?;
                found.1.clone()
            }
        };
        let (place, function) = found;
        let outcome = self.run_method(&place, &function, &[], Vec::new(), span);
        Some(self.outcome_value(outcome, span))
    }

    /// The type of what a structure's function returns.
    fn returned_inside(&mut self, place: &Place, function: &Function) -> Type {
        let inside = self.inside_of(place.of());
        let scope = inside.map(|one| one.scope.clone()).unwrap_or_default();
        if !self.spend(scope.len()) {
            return Type::Void;
        }
        self.scopes.push(scope);
        let ty = self.resolve(&function.returns);
        self.scopes.pop();
        ty
    }
}

/// Whether a type is that of an object of the structure `of` whose references are bound.
pub(super) fn is_bound_of(bound: &Type, ty: &Type) -> bool {
    match (bound, ty) {
        (Type::Struct(bound), Type::Struct(ty)) => bound
            .name
            .strip_prefix(&*ty.name)
            .is_some_and(|rest| rest.starts_with(" #")),
        _ => false,
    }
}
