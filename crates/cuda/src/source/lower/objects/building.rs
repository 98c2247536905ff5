//! How an object begins: constructors, initialisers of members, lists, copies.

use super::Instance;
use super::bases::Base;
use super::copying::element_of;
use crate::source::ctype::{Field, Type, UNNAMED};
use crate::source::lower::places::part;
use crate::source::lower::values::DEEPEST;
use crate::source::lower::{Binding, Call, Lower, Place, Scope, entry};
use lanescope_frontend::Construct;
use lanescope_frontend::Span;
use lanescope_syntax::diagnostic::DiagnosticKind;
use lanescope_syntax::tree::{
    Declaration, Expr, ExprKind, Function, Initialiser, Name, Stmt, StmtKind, TypeKind,
};
use std::rc::Rc;

/// Expressions inside one another that an object inside another weighs as much as.
const OBJECT: u32 = 8;

/// Elements of an array that are made one by one, at most.
const MOST_ELEMENTS: u64 = 256;

/// What an object begins with.
#[derive(Clone, Copy, Debug)]
pub(in crate::source::lower) enum Start<'a> {
    /// Nothing: `T x;`.
    Default,
    /// `T x{a, b}`.
    List(&'a [Expr]),
    /// `T x(a, b)`.
    Arguments(&'a [Expr]),
}

impl<'a> Start<'a> {
    /// What an initialiser as it is written gives.
    pub(in crate::source::lower) fn of(init: &'a Expr) -> Self {
        match &init.kind {
            ExprKind::List(list) => Self::List(list),
            _ => Self::Arguments(std::slice::from_ref(init)),
        }
    }

    fn of_initialiser(initialiser: &'a Initialiser) -> Self {
        match initialiser.is_list {
            true => Self::List(&initialiser.arguments),
            false => Self::Arguments(&initialiser.arguments),
        }
    }
}

impl Lower<'_> {
    /// Whether making an object of a type runs something.
    pub(in crate::source::lower) fn is_built(&self, ty: &Type) -> bool {
        self.instance_flag(ty, |instance| instance.is_built)
    }

    /// Whether a copy of an object of a type runs something.
    pub(in crate::source::lower) fn is_copied(&self, ty: &Type) -> bool {
        self.instance_flag(ty, |instance| instance.is_copied)
    }

    pub(super) fn instance_flag(&self, ty: &Type, flag: impl Fn(&Instance) -> bool) -> bool {
        match ty {
            Type::Struct(ty) => self.instances.get(&ty.name).is_some_and(|one| flag(one)),
            Type::Array(element, _) => self.instance_flag(element, flag),
            Type::Void
            | Type::Scalar(_)
            | Type::Pointer(_)
            | Type::Closure(_)
            | Type::Group { .. } => false,
        }
    }

    /// Makes the object at a place.
    pub(in crate::source::lower) fn build(&mut self, place: &Place, start: Start<'_>, span: Span) {
        if self.depth > DEEPEST {
            let limit = u64::from(DEEPEST);
            self.stop(DiagnosticKind::TooDeep { limit });
        }
        if !self.spend(1) {
            return;
        }
        self.depth += OBJECT;
        self.build_inner(place, start, span);
        self.depth -= OBJECT;
    }

    fn build_inner(&mut self, place: &Place, start: Start<'_>, span: Span) {
        let ty = place.of().clone();
        match (&ty, start) {
            (Type::Struct(_), _) if self.is_built(&ty) || self.is_copied(&ty) => {
                self.build_object(place, start, span);
            }
            (Type::Array(element, count), _) => {
                self.build_array(place, (element, *count), start, span);
            }
            (_, Start::Default) => {}
            (_, Start::Arguments([one])) if !matches!(one.kind, ExprKind::List(_)) => {
                let value = self.value(one);
                let value = self.convert(value, &ty, one.span);
                self.assign(place, &value, span);
            }
            (_, Start::List(list) | Start::Arguments(list)) => {
                let value = self.listed(&ty, list, span);
                self.assign(place, &value, span);
            }
        }
    }

    fn build_array(
        &mut self,
        place: &Place,
        (element, count): (&Type, u64),
        start: Start<'_>,
        span: Span,
    ) {
        if matches!(start, Start::Default) && !self.is_built(element) {
            return;
        }
        let list = match start {
            Start::Default => None,
            Start::List(list) | Start::Arguments(list) => Some(self.braced(place.of(), list)),
        };
        if count > MOST_ELEMENTS && self.is_built(element) {
            let what = Construct::code("[]");
            self.say(span, DiagnosticKind::Unsupported { what });
        }
        for at in 0..count.min(MOST_ELEMENTS) {
            let element = element_of(place, element, at);
            let given = list.as_ref().map(|list| {
                let one = usize::try_from(at).ok().and_then(|at| list.get(at));
                one.map_or(Start::List(&[]), Start::of)
            });
            self.build(&element, given.unwrap_or(Start::Default), span);
        }
    }

    fn build_object(&mut self, place: &Place, start: Start<'_>, span: Span) {
        let ty = place.of().clone();
        let Some(instance) = self.inside_of(&ty) else {
            return;
        };
        let list = match start {
            Start::Default => &[][..],
            Start::List(list) | Start::Arguments(list) => list,
        };
        if let ([one], false) = (list, matches!(start, Start::Default))
            && !matches!(one.kind, ExprKind::List(_) | ExprKind::Designated(..))
            && self.copies_from(place, one, &instance)
        {
            return;
        }
        if instance.has_constructors() {
            if !self.constructs(place, list, span) && !list.is_empty() {
                self.mismatch(span, &ty, &Type::Void);
            }
            return;
        }
        if list.is_empty() {
            if !matches!(start, Start::Default) {
                let zero = self.zero(&ty);
                self.assign(place, &zero, span);
            }
            self.build_parts(place, &instance, &[], span);
            return;
        }
        self.aggregate(place, &instance, list, span);
    }

    /// Runs the constructor that takes these arguments, if there is one.
    pub(in crate::source::lower) fn constructs(
        &mut self,
        place: &Place,
        arguments: &[Expr],
        span: Span,
    ) -> bool {
        let Some(name) = self.constructor(place.of(), arguments.len()) else {
            return self.constructs_base(place, arguments, span);
        };
        self.call_method(place, &name, &[], arguments, span)
            .is_some()
    }

    /// Runs a constructor that `using Base::Base` gives the structure too.
    fn constructs_base(&mut self, place: &Place, arguments: &[Expr], span: Span) -> bool {
        let Some(instance) = self.inside_of(place.of()) else {
            return false;
        };
        let inherited = |base: &&Base| {
            let name = plain_name(&base.ty.name);
            instance.item.reveals.iter().any(|reveal| **reveal == *name)
        };
        let Some(base) = instance.bases.iter().find(inherited) else {
            return false;
        };
        let at = self.base_place(place, base);
        let done = self.constructs(&at, arguments, span);
        for field in instance.own_fields() {
            self.build_default(place, &instance, &field.name, span);
        }
        done
    }

    /// The name of the constructor that takes so many arguments.
    pub(in crate::source::lower) fn constructor(&self, ty: &Type, count: usize) -> Option<Name> {
        let instance = self.inside_of(ty)?;
        let mut taking = instance.constructors();
        taking
            .any(|one| crate::source::lower::overloads::takes(one, count))
            .then(|| instance.item.name.clone())
    }

    /// What a constructor does before its body.
    pub(in crate::source::lower) fn make_parts(
        &mut self,
        place: &Place,
        function: &Function,
        span: Span,
    ) {
        let Some(instance) = self.inside_of(place.of()) else {
            return;
        };
        if let [one] = &function.initialisers[..]
            && *plain_name(&one.name) == *instance.item.name
        {
            // Another constructor does it.
            if !self.constructs(place, &one.arguments, one.span) {
                self.mismatch(one.span, place.of(), &Type::Void);
            }
            return;
        }
        self.build_parts(place, &instance, &function.initialisers, span);
        self.refuse_unknown(place, &instance, &function.initialisers);
    }

    /// Makes the bases and the members of an object in their order.
    fn build_parts(
        &mut self,
        place: &Place,
        instance: &Rc<Instance>,
        list: &[Initialiser],
        span: Span,
    ) {
        for base in &instance.bases {
            let name = plain_name(&base.ty.name).to_owned();
            let given = list.iter().find(|one| *plain_name(&one.name) == *name);
            let start = given.map_or(Start::Default, Start::of_initialiser);
            let at = self.base_place(place, base);
            self.build(&at, start, given.map_or(span, |one| one.span));
        }
        for field in instance.own_fields() {
            match list.iter().find(|one| one.name == field.name) {
                Some(one) if !self.is_bound(instance, &field.name, one.span) => {
                    let at = part(place, field);
                    self.build(&at, Start::of_initialiser(one), one.span);
                }
                Some(_) => {}
                None => self.build_default(place, instance, &field.name, span),
            }
        }
    }

    /// What is initialised besides the structure's bases and members: those of its members without a name.
    fn refuse_unknown(&mut self, place: &Place, instance: &Rc<Instance>, list: &[Initialiser]) {
        let is_own = |name: &str| instance.own_fields().iter().any(|one| *one.name == *name);
        let mut bases = instance.bases.iter();
        for one in list {
            let name = plain_name(&one.name);
            if is_own(&one.name) || bases.any(|base| *plain_name(&base.ty.name) == *name) {
                continue;
            }
            let found = match place.of() {
                Type::Struct(ty) => ty.field(&one.name).map(|field| part(place, field)),
                _ => None,
            };
            match found {
                Some(at) => self.build(&at, Start::of_initialiser(one), one.span),
                None if instance.scope.contains_key(&one.name) => {}
                None => {
                    let what = Construct::code(&one.name);
                    self.say(one.span, DiagnosticKind::Unsupported { what });
                }
            }
        }
    }

    /// Whether a member is a reference, which a type of its own binds; one that is not bound is not known.
    fn is_bound(&mut self, instance: &Instance, name: &str, span: Span) -> bool {
        let fields = instance.item.fields.iter();
        let mut fields = fields.filter(|field| *field.name == *name);
        let is_reference = fields.any(|field| matches!(field.ty.kind, TypeKind::Reference { .. }));
        if is_reference && !matches!(instance.scope.get(name), Some(Binding::Place(_))) {
            let what = Construct::code(&format!("&{name}"));
            self.say(span, DiagnosticKind::Unsupported { what });
        }
        is_reference
    }

    /// Makes a member that is given nothing: as its own initialiser says.
    fn build_default(&mut self, place: &Place, instance: &Rc<Instance>, name: &str, span: Span) {
        let mut fields = instance.item.fields.iter();
        let declared = fields.find(|field| *field.name == *name);
        let Type::Struct(ty) = place.of().clone() else {
            return;
        };
        let Some(field) = ty.field(name) else { return };
        let at = part(place, field);
        if self.is_bound(instance, name, span) {
            return;
        }
        match declared.and_then(|one| one.init.as_ref()) {
            Some(init) => {
                let (names, start) = (names_of(init), Start::of(init));
                self.inside_object(place, instance, &names, |lower| {
                    lower.build(&at, start, init.span);
                });
            }
            None => self.build(&at, Start::Default, span),
        }
    }

    /// Does something where an object's members are seen, and no variable is.
    fn inside_object(
        &mut self,
        place: &Place,
        instance: &Instance,
        names: &[Name],
        inner: impl FnOnce(&mut Self),
    ) {
        if !self.spend(instance.scope.len()) {
            return;
        }
        let mut scope: Scope = instance.scope.clone();
        for name in names {
            if let Some(binding) = self.member_binding(place, name) {
                scope.insert(name.clone(), binding);
            }
        }
        scope.insert("this".into(), Binding::Place(place.clone()));
        let base = self.scopes.len();
        self.scopes.push(scope);
        self.calls.push(Call::around(base));
        inner(self);
        self.calls.pop();
        self.scopes.truncate(base);
    }

    /// Makes an object without constructors from a list.
    fn aggregate(&mut self, place: &Place, instance: &Rc<Instance>, list: &[Expr], span: Span) {
        let Type::Struct(ty) = place.of().clone() else {
            return;
        };
        let mut rest = list;
        let is_whole = match (instance.bases.first(), list.first()) {
            (Some(base), Some(first)) => self.is_for_base(first, base),
            (_, _) => false,
        };
        let elided;
        if is_whole {
            for base in &instance.bases {
                let given = rest.first().map_or(Start::List(&[]), Start::of);
                rest = rest.get(1..).unwrap_or_default();
                let at = self.base_place(place, base);
                self.build(&at, given, span);
            }
        } else {
            elided = self.braced(place.of(), list);
            rest = &elided;
            let before = ty.fields.len().saturating_sub(instance.own_fields().len());
            for field in &ty.fields[..before] {
                let given = rest.first().map_or(Start::List(&[]), Start::of);
                rest = rest.get(1..).unwrap_or_default();
                self.build(&part(place, field), given, span);
            }
        }
        self.list_members(place, instance, rest, span);
    }

    /// Whether the first element of a list is all that the first base is given.
    fn is_for_base(&mut self, first: &Expr, base: &Base) -> bool {
        match first.kind {
            ExprKind::List(_) => true,
            ExprKind::Designated(..) => false,
            _ => {
                let ty = self.type_of(first);
                self.bytes_to_base(&ty, &base.ty.name).is_some()
            }
        }
    }

    /// Makes the members that an object has besides its bases from a list.
    fn list_members(&mut self, place: &Place, instance: &Rc<Instance>, list: &[Expr], span: Span) {
        let mut rest = list.iter();
        let is_designated = list
            .first()
            .is_some_and(|one| matches!(one.kind, ExprKind::Designated(..)));
        for field in instance.own_fields() {
            let inside = match is_designated {
                true => designated_inside(list, field, span),
                false => None,
            };
            let given = match is_designated {
                true => inside.as_ref().or_else(|| {
                    list.iter().find_map(|one| match &one.kind {
                        ExprKind::Designated(name, value) if *name == field.name => Some(&**value),
                        _ => None,
                    })
                }),
                false => rest.next(),
            };
            if self.is_bound(instance, &field.name, span) {
                continue;
            }
            let at = part(place, field);
            match given {
                Some(one) => self.build(&at, Start::of(one), one.span),
                None if instance.item.is_union => {}
                None if has_initialiser(instance, &field.name) => {
                    self.build_default(place, instance, &field.name, span);
                }
                None => self.build(&at, Start::List(&[]), span),
            }
            if instance.item.is_union && given.is_some() {
                return;
            }
        }
    }
}

impl Instance {
    /// Its constructors.
    pub(super) fn constructors(&self) -> impl Iterator<Item = &Rc<Function>> {
        let named = |function: &&Rc<Function>| function.name == self.item.name;
        self.methods.iter().filter(named)
    }

    pub(super) fn has_constructors(&self) -> bool {
        let name = &self.item.name;
        let inherits = self.bases.iter().any(|base| {
            let base = plain_name(&base.ty.name);
            self.item.reveals.iter().any(|reveal| **reveal == *base)
        });
        inherits || self.constructors().any(|one| !copies(one, name))
    }
}

/// Whether a constructor takes another object of the structure alone.
pub(super) fn copies(function: &Function, name: &str) -> bool {
    let Some((first, rest)) = function.parameters.split_first() else {
        return false;
    };
    let TypeKind::Reference { to, .. } = &first.ty.kind else {
        return false;
    };
    let is_own = matches!(&to.kind, TypeKind::Named(found, _) if *plain_name(found) == *name);
    is_own && rest.iter().all(|one| one.init.is_some())
}

/// What a list names of the members of a member without a name, as the list that this member is given.
fn designated_inside(list: &[Expr], field: &Field, span: Span) -> Option<Expr> {
    let Type::Struct(ty) = &field.ty else {
        return None;
    };
    if !field.name.starts_with(UNNAMED) {
        return None;
    }
    let is_inside = |expr: &&Expr| matches!(&expr.kind, ExprKind::Designated(name, _) if ty.field(name).is_some());
    let named: Vec<Expr> = list.iter().filter(is_inside).cloned().collect();
    (!named.is_empty()).then(|| Expr::new(span, ExprKind::List(named)))
}

fn has_initialiser(instance: &Instance, name: &str) -> bool {
    let mut fields = instance.item.fields.iter();
    fields.any(|declaration: &Declaration| *declaration.name == *name && declaration.init.is_some())
}

/// A name without the namespaces around it and without a template's arguments.
pub(super) fn plain_name(name: &str) -> &str {
    let head = name.split('<').next().unwrap_or(name);
    let head = head.split(" #").next().unwrap_or(head);
    head.rsplit("::").next().unwrap_or(head)
}

/// The names in an expression.
fn names_of(expr: &Expr) -> Vec<Name> {
    let statement = Stmt {
        span: expr.span,
        kind: StmtKind::Expr(expr.clone()),
    };
    let mut names = Vec::new();
    entry::walk_expressions(&statement, &mut |one| {
        if let ExprKind::Name(name) = &one.kind {
            names.push(name.clone());
        }
    });
    names
}
