//! Instances of structures and templates.

use lanescope_frontend::Construct;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::{DEEPEST, DEEPEST_SCOPES, Instance, STEPS_OF_NAME};
use crate::source::ctype::{Struct, Target, Type};
use crate::source::lower::records::Record;
use crate::source::lower::{Binding, Call, Lower, Scope};
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    tree::{
        ExprKind, Function, Name, StmtKind, StructItem, TemplateArgument, TemplateParameter,
        TypeExpr, TypeKind,
    },
};

/// Structures that templates make, at most.
const MOST_INSTANCES: usize = 256;

/// A member that is a reference: bound to a parameter of the constructor with so many parameters.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) member: Name,
    pub(super) parameters: usize,
    pub(super) parameter: usize,
}

impl Lower<'_> {
    /// A template's structure with its arguments.
    pub(crate) fn templated(
        &mut self,
        item: &Rc<StructItem>,
        arguments: &[TemplateArgument],
    ) -> Type {
        let mut scope = Scope::new();
        let mut shown = Vec::new();
        let mut given = Vec::new();
        for (at, parameter) in item.templates.iter().enumerate() {
            if parameter.is_pack {
                let what = Construct::ParameterPack;
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
    pub(crate) fn specialised_alone(
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
    pub(crate) fn instance(&mut self, item: &Rc<StructItem>, name: Name, bindings: Scope) -> Type {
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
                let what = Construct::BitFieldWidth;
                self.say(field.span, DiagnosticKind::NotConstant { what });
            }
            let bits = bits.map(|bits| bits.unwrap_or(most).min(most));
            record.field(field.name.clone(), of, alignment(least), bits);
            if field.storage.is_packed {
                record.pack_last();
            }
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
}

/// What an `alignas` says; 1 where it says nothing that can be.
fn alignment(align: Option<i64>) -> u64 {
    align
        .and_then(|align| u64::try_from(align).ok())
        .filter(|align| align.is_power_of_two() && *align <= 4096)
        .unwrap_or(1)
}

/// The references among a structure's members; constructors no longer bind them by statements.
pub(super) fn references(item: &StructItem, methods: &mut [Rc<Function>]) -> Vec<Bound> {
    let is_reference = |field: &&lanescope_syntax::tree::Declaration| {
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
            let named = |one: &lanescope_syntax::tree::Declaration| one.name == *given;
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
fn binding_of(statement: &lanescope_syntax::tree::Stmt) -> Option<(&Name, &Name)> {
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
