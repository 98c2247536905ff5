//! Instances of structures and templates.

use lanescope_frontend::Construct;
use std::collections::BTreeSet;
use std::rc::Rc;

use super::bases::Base;
use super::building::copies;
use super::{DEEPEST, DEEPEST_SCOPES, Instance, STEPS_OF_NAME};
use crate::source::ctype::{Struct, Target, Type};
use crate::source::lower::records::Record;
use crate::source::lower::{Binding, Call, Lower, Scope};
use lanescope_syntax::diagnostic::DiagnosticKind;
use lanescope_syntax::tree::{
    Declaration, Expr, ExprKind, Function, Name, Stmt, StmtKind, StructItem, TemplateArgument,
    TemplateParameter, TypeExpr, TypeKind,
};

/// Before the name of a base's member that a member of the structure hides.
const HIDDEN: &str = "hidden ";

/// What making, copying and ending an object runs.
struct Runs {
    is_built: bool,
    is_destroyed: bool,
    is_copied: bool,
    is_assigned: bool,
}

/// Whether a function is an operator that an expression may call by its sign.
pub(in crate::source::lower) fn is_operator(name: &str) -> bool {
    let sign = name.strip_prefix("operator");
    sign.is_some_and(|sign| !matches!(sign, "" | "()" | "[]"))
}

/// Structures that templates make, at most.
const MOST_INSTANCES: usize = 256;

/// In place of a constructor's parameters: a list of any length binds the member.
pub(super) const ANY_NUMBER: usize = usize::MAX;

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
        let arguments = &*self.expanded_arguments(arguments);
        let mut scope = Scope::new();
        let mut shown = Vec::new();
        let mut given = Vec::new();
        for (at, parameter) in item.templates.iter().enumerate() {
            if parameter.is_pack {
                let rest = arguments.get(at..).unwrap_or_default();
                let elements: Vec<Binding> = rest
                    .iter()
                    .filter_map(|one| self.template_binding(one))
                    .collect();
                shown.extend(elements.iter().map(|element| self.shown(element)));
                given.extend(elements.iter().cloned());
                self.elements_in(&mut scope, &parameter.name, elements);
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
            return known.ty.clone();
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
    fn aliased(&mut self, ty: &TypeExpr, scope: Scope) -> Type {
        if self.scopes.len() >= DEEPEST_SCOPES {
            let limit = DEEPEST_SCOPES as u64;
            self.stop(DiagnosticKind::TooDeep { limit });
            return Type::INT;
        }
        self.scopes.push(scope);
        let ty = self.resolve(ty);
        self.scopes.pop();
        ty
    }

    /// A structure that stands for these arguments of a template that is only declared.
    pub(crate) fn specialised_alone(
        &mut self,
        name: &Name,
        arguments: &[TemplateArgument],
    ) -> Option<Type> {
        self.specialised_structs.get(name)?;
        let arguments = &*self.expanded_arguments(arguments);
        let shown = self.shown_arguments(arguments);
        let whole: Name = format!("{name}<{}>", shown.join(", ")).into();
        if let Some(known) = self.instances.get(&whole) {
            return Some(known.ty.clone());
        }
        if let Some(special) = self.specialised_struct(name, &shown) {
            return Some(self.instance(&special, whole, Scope::new()));
        }
        let given: Option<Vec<Binding>> = arguments
            .iter()
            .map(|argument| self.template_binding(argument))
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
            self.assumed(&parameter.name, parameter.span, parameter.ty.is_none())
        })
    }

    /// The type of a structure by this name, with what stands inside it.
    pub(crate) fn instance(&mut self, item: &Rc<StructItem>, name: Name, bindings: Scope) -> Type {
        // Inside itself only its name is known: a pointer needs no more.
        let unfinished = Type::Struct(Rc::new(Struct::new(name.clone(), Vec::new(), 1)));
        if self.resolving.contains(&name) {
            return unfinished;
        }
        if self.resolving.len() >= DEEPEST {
            let limit = DEEPEST as u64;
            self.stop(DiagnosticKind::TooDeep { limit });
            return unfinished;
        }
        self.resolving.insert(name.clone());
        let base = self.scopes.len();
        self.scopes.push(bindings);
        self.bind(&item.name, Binding::Type(unfinished));
        self.calls.push(Call::around(base));
        let ((record, bases), is_unread) = self.reading_types(|this| this.inside(item, &name));
        let references = references(item);
        let align = item.align.as_ref().and_then(|align| self.fold(align));
        self.calls.pop();
        let mut scope = self.scopes.pop().unwrap_or_default();
        self.scopes.truncate(base);
        let align = alignment(align);
        let mut ty = record.laid_out(item, name.clone(), align);
        ty.is_unread |= is_unread;
        let ty = self.shallow(Type::Struct(Rc::new(ty)));
        scope.insert(item.name.clone(), Binding::Type(ty.clone()));
        self.resolving.remove(&name);
        let runs = self.runs(item, &ty, &bases);
        self.copies_objects |= runs.is_copied || runs.is_destroyed;
        let mut methods = item.methods.iter();
        self.has_operators |= methods.any(|method| is_operator(&method.name));
        let instance = Instance {
            ty: ty.clone(),
            scope,
            methods: item.methods.clone(),
            bases,
            item: item.clone(),
            is_built: runs.is_built,
            is_destroyed: runs.is_destroyed,
            is_copied: runs.is_copied,
            is_assigned: runs.is_assigned,
            references,
        };
        self.instances.insert(name, Rc::new(instance));
        ty
    }

    /// The fields of a structure and its functions; its types and constants are bound.
    fn inside(&mut self, item: &StructItem, name: &Name) -> (Record, Vec<Base>) {
        let mut record = Record::default();
        let mut bases = Vec::new();
        for base in &item.bases {
            let Type::Struct(ty) = self.resolve(base) else {
                continue;
            };
            let instance = self.instances.get(&ty.name).cloned();
            let bound = instance.as_ref().map_or(0, |one| one.names().count());
            if !self.spend(STEPS_OF_NAME * bound) {
                continue;
            }
            bases.push(Base {
                ty: ty.clone(),
                fields_before: record.fields.len(),
            });
            record.base(&ty);
            if let Some(instance) = instance {
                for (name, binding) in &instance.scope {
                    self.bind(name, binding.clone());
                }
            }
        }
        // The structure's own names hide those of its bases.
        self.scopes.push(Scope::new());
        for member in &item.members {
            self.declares_inside(member, name);
        }
        let own = self.scopes.pop().unwrap_or_default();
        if let Some(all) = self.scopes.last_mut() {
            all.extend(own);
        }
        let own: BTreeSet<&Name> = item.fields.iter().map(|field| &field.name).collect();
        for field in &mut record.fields {
            // A member hides those of its name in bases, which are reached as the base's.
            if own.contains(&field.name) {
                field.name = format!("{HIDDEN}{}", field.name).into();
            }
        }
        let mut known: BTreeSet<Name> = BTreeSet::new();
        for field in &item.fields {
            if !known.insert(field.name.clone()) {
                let name = field.name.to_string();
                self.say(field.span, DiagnosticKind::Redeclared { name });
                continue;
            }
            let mut ty = self.resolve(&field.ty);
            if matches!(field.ty.kind, TypeKind::Reference { .. }) {
                ty = Type::pointer_to(ty, Target::Unknown);
                record.is_special = true;
            }
            let least = field.align.as_ref().and_then(|align| self.fold(align));
            let bits = field.bits.as_ref().map(|bits| self.fold(bits));
            let bits = bits.map(|bits| bits.and_then(|bits| u64::try_from(bits).ok()));
            let most = ty.bytes().saturating_mul(8);
            if bits.is_some_and(|bits| bits.is_none_or(|bits| bits > most)) {
                let what = Construct::BitFieldWidth;
                self.say(field.span, DiagnosticKind::NotConstant { what });
            }
            let bits = bits.map(|bits| bits.unwrap_or(most).min(most));
            record.field(field.name.clone(), ty, alignment(least), bits);
            if field.storage.is_packed {
                record.pack_last();
            }
        }
        (record, bases)
    }

    /// What making, copying and ending an object of a structure runs.
    fn runs(&self, item: &StructItem, ty: &Type, bases: &[Base]) -> Runs {
        let fields = match ty {
            Type::Struct(ty) => &ty.fields[..],
            _ => &[],
        };
        let parts: Vec<Type> = fields
            .iter()
            .map(|field| field.ty.clone())
            .chain(bases.iter().map(|base| Type::Struct(base.ty.clone())))
            .collect();
        let has =
            |wanted: &dyn Fn(&Function) -> bool| item.methods.iter().any(|method| wanted(method));
        let initialises = |declaration: &Declaration| {
            declaration.init.is_some() || matches!(declaration.ty.kind, TypeKind::Reference { .. })
        };
        let inherits = !bases.is_empty() && !item.reveals.is_empty();
        Runs {
            is_built: has(&|one| one.name == item.name)
                || inherits
                || item.is_union && item.fields.len() > 1
                || bases.iter().any(|base| !base.ty.fields.is_empty())
                || item.fields.iter().any(initialises)
                || parts.iter().any(|ty| self.is_built(ty)),
            is_destroyed: has(&|one| one.name.starts_with('~'))
                || parts.iter().any(|ty| self.is_destroyed(ty)),
            is_copied: has(&|one| one.name == item.name && copies(one, &item.name))
                || parts.iter().any(|ty| self.is_copied(ty)),
            is_assigned: has(&|one| &*one.name == "operator=")
                || parts
                    .iter()
                    .any(|ty| self.instance_flag(ty, |one| one.is_assigned)),
        }
    }

    /// What a structure declares inside besides fields and functions.
    fn declares_inside(&mut self, member: &Stmt, outer: &Name) {
        if let StmtKind::Several(list) = &member.kind {
            return self.statements(list);
        }
        let StmtKind::Struct(inner) = &member.kind else {
            return self.statement(member);
        };
        if inner.templates.is_empty() {
            self.inner_structure(inner, outer);
        } else if inner.specialised.is_some() {
            let list = self.specialised_structs.entry(inner.name.clone());
            list.or_default().push(inner.clone());
        } else {
            self.structs.insert(inner.name.clone(), inner.clone());
        }
    }

    /// A structure inside another, which sees the types and constants around it.
    fn inner_structure(&mut self, inner: &Rc<StructItem>, outer: &Name) {
        let around = self.scopes.iter().rev().take(2);
        let count = around.clone().map(Scope::len).sum();
        let around = around.rev().flatten();
        let around = around.map(|(name, one)| (name.clone(), one.clone()));
        let around: Scope = around.collect();
        if !self.spend(count) {
            return;
        }
        let name: Name = format!("{outer}::{}", inner.name).into();
        let ty = self.instance(inner, name, around);
        self.bind(&inner.name, Binding::Type(ty));
    }
}

/// What an `alignas` says; 1 where it says nothing that can be.
fn alignment(align: Option<i64>) -> u64 {
    align
        .and_then(|align| u64::try_from(align).ok())
        .filter(|align| align.is_power_of_two() && *align <= 4096)
        .unwrap_or(1)
}

/// The references among a structure's members, and what binds them: a parameter of a constructor, or where there is none
/// an element of a list.
pub(super) fn references(item: &StructItem) -> Vec<Bound> {
    let mut bound = Vec::new();
    let mut constructors = item
        .methods
        .iter()
        .filter(|method| method.name == item.name)
        .peekable();
    let is_plain = constructors.peek().is_none();
    let members = item.fields.iter().enumerate();
    let members: Vec<(usize, &Name)> = members
        .filter(|(_, field)| matches!(field.ty.kind, TypeKind::Reference { .. }))
        .map(|(at, field)| (at, &field.name))
        .collect();
    if is_plain && item.bases.is_empty() {
        bound.extend(members.iter().map(|(at, name)| Bound {
            member: (*name).clone(),
            parameters: ANY_NUMBER,
            parameter: *at,
        }));
    }
    for constructor in constructors {
        for (_, member) in &members {
            let mut list = constructor.initialisers.iter();
            let given = list.find(|one| one.name == **member);
            let Some(
                [
                    Expr {
                        kind: ExprKind::Name(given),
                        ..
                    },
                ],
            ) = given.map(|one| &one.arguments[..])
            else {
                continue;
            };
            let named = |declaration: &Declaration| declaration.name == *given;
            if let Some(parameter) = constructor.parameters.iter().position(named) {
                bound.push(Bound {
                    member: (*member).clone(),
                    parameters: constructor.parameters.len(),
                    parameter,
                });
            }
        }
    }
    bound
}
