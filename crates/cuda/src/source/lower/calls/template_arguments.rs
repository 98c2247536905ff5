//! Template arguments of a call: given, deduced and assumed.

use lanescope_frontend::{Construct, Span};
use std::rc::Rc;

use super::arguments::Given;
use crate::source::ctype::Type;
use crate::source::lower::deduction::expands;
use crate::source::lower::resolve::{deduce, deduce_extent};
use crate::source::lower::{Binding, Lower, Scope};
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    tree::{ExprKind, Function, Name, TemplateArgument, TypeExpr, TypeKind},
};

impl Lower<'_> {
    pub(crate) fn template_scope(
        &mut self,
        function: &Function,
        templates: &[TemplateArgument],
        given: &[Given],
    ) -> Scope {
        let mut scope = Scope::new();
        let templates = &*self.expanded_arguments(templates);
        for (at, parameter) in function.templates.iter().enumerate() {
            if parameter.is_pack {
                let rest = templates.get(at..).unwrap_or_default();
                let elements = self.pack_of(function, &parameter.name, rest, given);
                self.elements_in(&mut scope, &parameter.name, elements);
                continue;
            }
            if let Some(TemplateArgument::Value(written)) = templates.get(at)
                && let Some(value) = self.fold(written)
            {
                self.agree(function, &parameter.name, value, given);
            }
            let binding = templates
                .get(at)
                .and_then(|argument| match self.template_name(argument) {
                    Some(name) if parameter.is_template => Some(name),
                    _ => self.template_binding(argument),
                })
                .or_else(|| {
                    deduced(function, &parameter.name, given).map(|found| match found {
                        Deduced::Type(ty) => Binding::Type(ty),
                        Deduced::Extent(value) => {
                            self.agree(function, &parameter.name, value, given);
                            Binding::Value(self.whole(value, lanescope_syntax::scalar::Scalar::I32))
                        }
                    })
                })
                .or_else(|| self.deduced_of_parameters(function, &parameter.name, given))
                .or_else(|| {
                    let default = parameter.default.as_ref()?;
                    self.default_binding(default, &scope)
                });
            let binding = binding.unwrap_or_else(|| {
                self.assumed(&parameter.name, parameter.span, parameter.ty.is_none())
            });
            scope.insert(parameter.name.clone(), binding);
        }
        scope
    }

    /// Says so where references to arrays tell another `value` of a template's parameter: no function fits then.
    fn agree(&mut self, function: &Function, parameter: &str, value: i64, given: &[Given]) {
        let mut pairs = function.parameters.iter().zip(given);
        let other = pairs.find(|(pair, given)| match &pair.ty.kind {
            TypeKind::Reference { to, .. } => {
                let told = extents_told(to, given.of(), parameter);
                told.iter().any(|told| *told != value)
            }
            _ => false,
        });
        if let Some((one, _)) = other {
            let what = Construct::Overload(function.name.to_string());
            self.say(one.span, DiagnosticKind::Unsupported { what });
        }
    }

    /// What a function template's pack stands for: what is written between `<` and `>`, else the types of what the
    /// function's own pack is given.
    fn pack_of(
        &mut self,
        function: &Function,
        name: &Name,
        written: &[TemplateArgument],
        given: &[Given],
    ) -> Vec<Binding> {
        let mut pairs = function.parameters.iter().zip(given);
        if written.is_empty()
            && let Some((parameter, given)) = pairs.find(|(pair, _)| expands(&pair.ty, name))
        {
            // Told by the arguments of another template, or by nothing.
            let ty = given.of().clone();
            let elements = self.pack_inside(&parameter.ty, &ty, name, 0);
            return elements.unwrap_or_else(|| {
                let what = Construct::ParameterPack;
                self.say(parameter.span, DiagnosticKind::Unsupported { what });
                Vec::new()
            });
        }
        let last = function.parameters.last();
        let parameter = last.filter(|one| one.storage.is_pack);
        let Some(parameter) = parameter else {
            let list = written.iter();
            return list.filter_map(|one| self.template_binding(one)).collect();
        };
        let before = function.parameters.len() - 1;
        let rest = given.get(before..).unwrap_or_default();
        let mut elements = Vec::new();
        for (at, one) in rest.iter().enumerate() {
            let said = written.get(at).and_then(|one| self.template_binding(one));
            let found = said.or_else(|| {
                let ty = one.of().clone();
                self.deduced_inside(&parameter.ty, &ty, name, 0)
            });
            elements.extend(found);
        }
        elements
    }

    /// What a function template's parameter stands for where it stands inside another template's arguments.
    fn deduced_of_parameters(
        &mut self,
        function: &Function,
        name: &Name,
        given: &[Given],
    ) -> Option<Binding> {
        let mut pairs = function.parameters.iter().zip(given);
        pairs.find_map(|(parameter, given)| {
            let ty = given.of().clone();
            self.deduced_inside(&parameter.ty, &ty, name, 0)
        })
    }

    pub(crate) fn assumed(&mut self, name: &Name, span: Span, is_type: bool) -> Binding {
        let assumed = if is_type { "float" } else { "32" };
        self.say(
            span,
            DiagnosticKind::MissingTemplateArgument {
                name: name.to_string(),
                assumed: assumed.to_owned(),
            },
        );
        if is_type {
            Binding::Type(Type::Scalar(lanescope_syntax::scalar::Scalar::F32))
        } else {
            Binding::Value(self.whole(32, lanescope_syntax::scalar::Scalar::I32))
        }
    }

    /// A template given by its name alone, as a structure without fields of that name.
    pub(crate) fn template_name(&self, argument: &TemplateArgument) -> Option<Binding> {
        let name = match argument {
            TemplateArgument::Type(ty) => match &ty.kind {
                TypeKind::Named(name, list) if list.is_empty() => name,
                _ => return None,
            },
            TemplateArgument::Value(value) => match &value.kind {
                ExprKind::Name(name) => name,
                _ => return None,
            },
            TemplateArgument::Expand(_) => return None,
        };
        if let Some(Binding::Type(passed)) = self.lookup(name) {
            return Some(Binding::Type(passed.clone()));
        }
        let plain = name.rsplit("::").next().unwrap_or(name);
        let item = self.structs.get(name).or_else(|| self.structs.get(plain))?;
        let ty = crate::source::ctype::Struct::new(item.name.clone(), Vec::new(), 1);
        Some(Binding::Type(Type::Struct(Rc::new(ty))))
    }

    /// What a default argument of a template gives, which sees the parameters before its own.
    pub(crate) fn default_binding(
        &mut self,
        default: &TemplateArgument,
        before: &Scope,
    ) -> Option<Binding> {
        self.scopes.push(before.clone());
        let found = self.template_binding(default);
        self.scopes.pop();
        found
    }

    pub(crate) fn template_binding(&mut self, argument: &TemplateArgument) -> Option<Binding> {
        match argument {
            TemplateArgument::Expand(_) => None,
            TemplateArgument::Type(ty) => Some(Binding::Type(self.resolve(ty))),
            TemplateArgument::Value(value) => {
                if let ExprKind::Name(name) = &value.kind
                    && let Some(Binding::Type(ty)) = self.lookup(name)
                {
                    return Some(Binding::Type(ty.clone()));
                }
                if let Some(function) = self.function_argument(value) {
                    return Some(Binding::Value(function));
                }
                match self.fold(value) {
                    Some(known) => Some(Binding::Value(
                        self.whole(known, lanescope_syntax::scalar::Scalar::I32),
                    )),
                    None => {
                        self.say(
                            value.span,
                            DiagnosticKind::NotConstant {
                                what: Construct::TemplateArgument,
                            },
                        );
                        None
                    }
                }
            }
        }
    }
}

/// Every size that the array behind a reference tells a template's parameter, as twice in `T (&a)[N][N]`.
fn extents_told(written: &TypeExpr, given: &Type, parameter: &str) -> Vec<i64> {
    let (TypeKind::Array(to, extent), Type::Array(inner, count)) = (&written.kind, given) else {
        return Vec::new();
    };
    let mut told = extents_told(to, inner, parameter);
    let is_named = extent
        .as_deref()
        .is_some_and(|extent| matches!(&extent.kind, ExprKind::Name(name) if **name == *parameter));
    if is_named {
        told.extend(i64::try_from(*count));
    }
    told
}

pub(super) enum Deduced {
    Type(Type),
    Extent(i64),
}

pub(super) fn deduced(function: &Function, name: &str, given: &[Given]) -> Option<Deduced> {
    function
        .parameters
        .iter()
        .zip(given)
        .find_map(|(parameter, given)| {
            let ty = given.of();
            deduce(&parameter.ty, ty, name)
                .map(Deduced::Type)
                .or_else(|| deduce_extent(&parameter.ty, ty, name).map(Deduced::Extent))
        })
}
