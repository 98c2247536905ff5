//! Template argument deduction through templates' structures: `T f(Span<T>)`, and of a class from its constructor's
//! arguments.

use super::packs::{count_of, element_of};
use super::resolve::{deduce, deduce_extent};
use super::{Binding, Lower, Scope};
use crate::source::ctype::Type;
use lanescope_syntax::{
    scalar::Scalar,
    tree::{Declaration, Expr, ExprKind, Name, StructItem, TemplateArgument, TypeExpr, TypeKind},
};
use std::rc::Rc;

/// Types inside one another that are looked through.
const DEEPEST: u32 = 16;

impl Lower<'_> {
    /// What a template's parameter stands for where a type that is written with it is `given`.
    pub(super) fn deduced_inside(
        &mut self,
        written: &TypeExpr,
        given: &Type,
        parameter: &Name,
        depth: u32,
    ) -> Option<Binding> {
        if depth >= DEEPEST || !self.spend(1) {
            return None;
        }
        if let Some(ty) = deduce(written, given, parameter) {
            return Some(Binding::Type(ty));
        }
        if let Some(extent) = deduce_extent(written, given, parameter) {
            return Some(Binding::Value(self.whole(extent, Scalar::I32)));
        }
        match (&written.kind, given) {
            (TypeKind::Reference { to, .. }, _) => {
                self.deduced_inside(to, given, parameter, depth + 1)
            }
            (TypeKind::Pointer { to, .. }, Type::Pointer(pointer)) => {
                let to_what = pointer.to.clone();
                self.deduced_inside(to, &to_what, parameter, depth + 1)
            }
            (TypeKind::Array(to, _), Type::Array(inner, _)) => {
                self.deduced_inside(to, inner, parameter, depth + 1)
            }
            (TypeKind::Named(name, list), Type::Struct(ty)) if !list.is_empty() => {
                self.deduced_of_instance(name, list, &ty.name.clone(), parameter, depth)
            }
            _ => None,
        }
    }

    /// The same of `name<list>` where an instance of that template is given.
    fn deduced_of_instance(
        &mut self,
        name: &Name,
        list: &[TemplateArgument],
        given: &Name,
        parameter: &Name,
        depth: u32,
    ) -> Option<Binding> {
        let last = name.rsplit("::").next().unwrap_or(name);
        let template = self.structs.get(name).or_else(|| self.structs.get(last))?;
        let template = template.clone();
        if given.split('<').next() != Some(&*template.name) {
            return None;
        }
        let instance = self.instances.get(given)?.clone();
        list.iter().zip(&template.templates).find_map(|(one, own)| {
            let value = instance.scope.get(&own.name)?.clone();
            match (one, &value) {
                (TemplateArgument::Value(expr), _)
                    if matches!(&expr.kind, ExprKind::Name(name) if name == parameter) =>
                {
                    Some(value)
                }
                (TemplateArgument::Type(ty), Binding::Type(inner)) => {
                    self.deduced_inside(ty, inner, parameter, depth + 1)
                }
                (TemplateArgument::Type(ty), _)
                    if matches!(&ty.kind, TypeKind::Named(name, _) if name == parameter) =>
                {
                    Some(value)
                }
                (
                    TemplateArgument::Type(_)
                    | TemplateArgument::Value(_)
                    | TemplateArgument::Expand(_),
                    _,
                ) => None,
            }
        })
    }

    /// The elements of a pack that is expanded among the arguments of a template whose instance is given: `f(List<I...>)`.
    /// `None` where they are not told.
    pub(super) fn pack_inside(
        &mut self,
        written: &TypeExpr,
        given: &Type,
        pack: &Name,
        depth: u32,
    ) -> Option<Vec<Binding>> {
        if depth >= DEEPEST || !self.spend(1) {
            return None;
        }
        let (name, list, ty) = match (&written.kind, given) {
            (TypeKind::Reference { to, .. }, _) => {
                return self.pack_inside(to, given, pack, depth + 1);
            }
            (TypeKind::Pointer { to, .. }, Type::Pointer(pointer)) => {
                let to_what = pointer.to.clone();
                return self.pack_inside(to, &to_what, pack, depth + 1);
            }
            (TypeKind::Named(name, list), Type::Struct(ty)) => (name, list, ty),
            _ => return None,
        };
        let last = name.rsplit("::").next().unwrap_or(name);
        let template = self.structs.get(name).or_else(|| self.structs.get(last))?;
        let template = template.clone();
        if ty.name.split('<').next() != Some(&*template.name) {
            return None;
        }
        let instance = self.instances.get(&ty.name)?.clone();
        let mut pairs = list.iter().zip(&template.templates);
        pairs.find_map(|(pair, own)| match pair {
            TemplateArgument::Expand(inner) if own.is_pack && is_named(inner, pack) => {
                let count = instance.scope.get(&count_of(&own.name))?;
                let count = usize::try_from(self.known_binding(count)?).ok()?;
                let element = |at| instance.scope.get(&element_of(&own.name, at)).cloned();
                (0..count).map(element).collect()
            }
            TemplateArgument::Type(inner) => {
                let Binding::Type(given) = instance.scope.get(&own.name)?.clone() else {
                    return None;
                };
                self.pack_inside(inner, &given, pack, depth + 1)
            }
            TemplateArgument::Expand(_) | TemplateArgument::Value(_) => None,
        })
    }

    fn known_binding(&self, binding: &Binding) -> Option<i64> {
        match binding {
            Binding::Value(value) => self.known(*value.regs.first()?),
            Binding::Type(_) | Binding::Place(_) => None,
        }
    }

    /// Class template argument deduction: the structure that `of` names without its template's arguments, made from
    /// `arguments`. `None` where `of` is no such name, or where they do not tell.
    pub(super) fn deduced_class(&mut self, ty: &TypeExpr, arguments: &[Expr]) -> Option<Type> {
        let TypeKind::Named(name, given) = &ty.kind else {
            return None;
        };
        let last = name.rsplit("::").next().unwrap_or(name);
        let item = self.structs.get(name).or_else(|| self.structs.get(last))?;
        let item = item.clone();
        let needs = |item: &StructItem| {
            item.templates
                .iter()
                .any(|template| template.default.is_none())
        };
        if !given.is_empty() || item.alias.is_some() || !needs(&item) || self.lookup(name).is_some()
        {
            return None;
        }
        let types: Vec<Type> = arguments
            .iter()
            .map(|argument| self.type_of(argument))
            .collect();
        if let [Type::Struct(copied)] = &types[..]
            && copied.name.split('<').next() == Some(&*item.name)
        {
            return types.first().cloned();
        }
        let constructors = item
            .methods
            .iter()
            .filter(|method| method.name == item.name);
        let constructors: Vec<_> = constructors.cloned().collect();
        let lists = constructors
            .iter()
            .map(|constructor| &constructor.parameters[..]);
        let lists: Vec<&[Declaration]> = if constructors.is_empty() {
            vec![&item.fields]
        } else {
            lists.collect()
        };
        let scope = lists
            .iter()
            .find_map(|list| self.class_scope(&item, list, &types))?;
        let wanted: Vec<TemplateArgument> = item.templates.iter().map(parameter_itself).collect();
        self.scopes.push(scope);
        let made = self.templated(&item, &wanted);
        self.scopes.pop();
        Some(made)
    }

    /// What the parameters of a class template stand for, given a constructor's parameters and its arguments' types.
    fn class_scope(
        &mut self,
        item: &Rc<StructItem>,
        parameters: &[Declaration],
        types: &[Type],
    ) -> Option<Scope> {
        let required = parameters
            .iter()
            .filter(|parameter| parameter.init.is_none())
            .count();
        if types.len() > parameters.len() || types.len() < required {
            return None;
        }
        let mut scope = Scope::new();
        for parameter in item.templates.iter().filter(|template| !template.is_pack) {
            let mut pairs = parameters.iter().zip(types);
            let found =
                pairs.find_map(|(pair, ty)| self.deduced_inside(&pair.ty, ty, &parameter.name, 0));
            let found = found.or_else(|| {
                let default = parameter.default.as_ref()?;
                self.default_binding(default, &scope)
            });
            scope.insert(parameter.name.clone(), found?);
        }
        Some(scope)
    }
}

/// Whether a type that is written expands a pack among the arguments of a template.
pub(super) fn expands(ty: &TypeExpr, pack: &Name) -> bool {
    match &ty.kind {
        TypeKind::Reference { to, .. } | TypeKind::Pointer { to, .. } | TypeKind::Array(to, _) => {
            expands(to, pack)
        }
        TypeKind::Named(_, list) => list.iter().any(|one| match one {
            TemplateArgument::Expand(inner) => is_named(inner, pack),
            TemplateArgument::Type(ty) => expands(ty, pack),
            TemplateArgument::Value(_) => false,
        }),
        TypeKind::Inside(..)
        | TypeKind::Decltype(_)
        | TypeKind::Void
        | TypeKind::Auto
        | TypeKind::Scalar(_) => false,
    }
}

/// Whether an argument is this name alone.
fn is_named(argument: &TemplateArgument, wanted: &Name) -> bool {
    match argument {
        TemplateArgument::Type(ty) => {
            matches!(&ty.kind, TypeKind::Named(name, list) if name == wanted && list.is_empty())
        }
        TemplateArgument::Value(value) => {
            matches!(&value.kind, ExprKind::Name(name) if name == wanted)
        }
        TemplateArgument::Expand(_) => false,
    }
}

/// A template's parameter as the argument that names it.
fn parameter_itself(parameter: &lanescope_syntax::tree::TemplateParameter) -> TemplateArgument {
    match parameter.ty {
        None => TemplateArgument::Type(TypeExpr {
            span: parameter.span,
            kind: TypeKind::Named(parameter.name.clone(), Vec::new()),
            is_const: false,
            is_volatile: false,
        }),
        Some(_) => TemplateArgument::Value(Expr::new(
            parameter.span,
            ExprKind::Name(parameter.name.clone()),
        )),
    }
}
