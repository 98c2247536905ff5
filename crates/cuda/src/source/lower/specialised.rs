//! Templates' specialisations: functions and structures that stand for certain arguments alone.

use super::calls::Given;
use super::resolve::deduce;
use super::{Binding, Lower, Scope};
use crate::source::ctype::Type;
use lanescope_syntax::scalar::Scalar;
use lanescope_syntax::tree::{
    Expr, ExprKind, Function, Name, StructItem, TemplateArgument, TemplateParameter, TypeExpr,
    TypeKind,
};
use std::rc::Rc;

/// What it costs to look whether a specialisation is the one.
const STEPS_OF_CANDIDATE: usize = 4;

/// What the parameters of a pattern stand for so far.
struct Match<'a> {
    parameters: &'a [TemplateParameter],
    scope: Scope,
    /// How much the pattern says: the more, the more special it is.
    said: u32,
}

impl Lower<'_> {
    /// The function that stands for a template's, given these arguments.
    pub(super) fn specialised_for(
        &mut self,
        function: &Function,
        templates: &[TemplateArgument],
        given: &[Given],
    ) -> Option<Rc<Function>> {
        let list = self.specialised.get(&function.name)?.clone();
        let scope = self.template_scope(function, templates, given);
        let parameters = function.templates.iter();
        let wanted: Vec<String> = parameters
            .map(|parameter| {
                scope
                    .get(&parameter.name)
                    .map_or_else(String::new, |ty| self.shown(ty))
            })
            .collect();
        let count = function.parameters.len();
        let list: Vec<Rc<Function>> = list
            .into_iter()
            .filter(|one| {
                one.parameters.len() == count
                    && self.stands_for(one, &wanted)
                    && self.is_of(one, function, &wanted)
            })
            .collect();
        self.deduced_as(&list, &wanted).into_iter().next()
    }

    /// The functions of this name that stand for these arguments, of templates that are only declared; of those that
    /// take so many arguments, where there are any.
    pub(super) fn only_specialised(
        &mut self,
        name: &Name,
        templates: &[TemplateArgument],
        count: usize,
    ) -> Vec<Rc<Function>> {
        let Some(list) = self.specialised.get(name).cloned() else {
            return Vec::new();
        };
        let wanted = self.shown_arguments(templates);
        let list: Vec<Rc<Function>> = list
            .into_iter()
            .filter(|one| wanted.is_empty() || self.stands_for(one, &wanted))
            .collect();
        let taking = Self::taking(&list, count);
        let list = if taking.is_empty() { list } else { taking };
        self.deduced_as(&list, &wanted)
    }

    /// Of specialisations that name fewer arguments than are `wanted`, those whose function type says the others:
    /// C++ deduces what `template <> double zero<Sum>()` leaves out from its result or its parameters. A template's
    /// parameter stands where their types differ; where none does, anywhere.
    fn deduced_as(&mut self, list: &[Rc<Function>], wanted: &[String]) -> Vec<Rc<Function>> {
        if list.len() < 2 {
            return list.to_vec();
        }
        let types: Vec<Vec<Type>> = list.iter().map(|one| self.signature(one)).collect();
        let differs = |at: usize| {
            let mut all = types.iter().map(|types| types.get(at));
            let first = all.next();
            all.any(|one| Some(one) != first)
        };
        let most = types.iter().map(Vec::len).max().unwrap_or(0);
        let differing: Vec<usize> = (0..most).filter(|at| differs(*at)).collect();
        let places = match &differing[..] {
            [] => (0..most).collect(),
            _ => differing,
        };
        let says = |(one, types): (&Rc<Function>, &Vec<Type>)| {
            let named = one.specialised.as_ref().map_or(0, Vec::len);
            wanted.iter().skip(named).all(|wanted| {
                let mut types = places.iter().filter_map(|at| types.get(*at));
                types.any(|ty| match ty {
                    Type::Pointer(to) => to.to.shown() == *wanted,
                    ty => ty.shown() == *wanted,
                })
            })
        };
        let both = list.iter().zip(&types);
        let found: Vec<Rc<Function>> = both
            .filter(|both| says(*both))
            .map(|(one, _)| one.clone())
            .collect();
        if found.is_empty() {
            list.to_vec()
        } else {
            found
        }
    }

    /// Whether a specialisation that leaves arguments out is that of `template` for `wanted`: where a type of the
    /// template's signature is made of a parameter, the specialisation's has what is wanted.
    fn is_of(&mut self, function: &Function, template: &Function, wanted: &[String]) -> bool {
        let named = function.specialised.as_ref().map_or(0, Vec::len);
        let own = self.signature(function);
        let written = template.parameters.iter().map(|parameter| &parameter.ty);
        let written: Vec<&TypeExpr> = std::iter::once(&template.returns).chain(written).collect();
        let mut left = template.templates.iter().zip(wanted).skip(named);
        left.all(|(parameter, wanted)| {
            let mut both = written.iter().zip(&own);
            let found = both.find_map(|(written, own)| deduce(written, own, &parameter.name));
            found.is_none_or(|found| found.shown() == *wanted)
        })
    }

    /// The type of a function's result, and behind it those of its parameters.
    fn signature(&mut self, function: &Function) -> Vec<Type> {
        let mut types = vec![self.resolve(&function.returns)];
        types.extend(
            function
                .parameters
                .iter()
                .map(|parameter| self.resolve(&parameter.ty)),
        );
        types
    }

    fn stands_for(&mut self, function: &Function, wanted: &[String]) -> bool {
        let arguments = function.specialised.clone().unwrap_or_default();
        let own = self.shown_arguments(&arguments);
        wanted.starts_with(&own)
    }

    /// The structure that stands for a template's with these arguments as they are shown.
    pub(super) fn specialised_struct(
        &mut self,
        name: &Name,
        wanted: &[String],
    ) -> Option<Rc<StructItem>> {
        let list = self.specialised_structs.get(name)?.clone();
        list.into_iter()
            .filter(|one| one.templates.is_empty())
            .find(|one| {
                let arguments = one.specialised.clone().unwrap_or_default();
                self.shown_arguments(&arguments) == wanted
            })
    }

    /// Partial specialisation: the structure whose pattern of arguments `given` fits, the one that says most of them,
    /// with what its own parameters stand for.
    pub(super) fn partly_specialised(
        &mut self,
        name: &Name,
        given: &[Binding],
    ) -> Option<(Rc<StructItem>, Scope)> {
        let list = self.specialised_structs.get(name)?.clone();
        let mut best: Option<(u32, Rc<StructItem>, Scope)> = None;
        for template in list
            .iter()
            .filter(|template| !template.templates.is_empty())
        {
            if !self.spend(STEPS_OF_CANDIDATE) {
                return None;
            }
            let patterns = template.specialised.clone().unwrap_or_default();
            let mut found = Match {
                parameters: &template.templates,
                scope: Scope::new(),
                said: 0,
            };
            let fits = self.fits_patterns(&patterns, given, &mut found)
                && template.templates.iter().all(|parameter| {
                    parameter.is_pack || found.scope.contains_key(&parameter.name)
                });
            let says_more = best.as_ref().is_none_or(|(said, ..)| found.said > *said);
            if fits && says_more {
                best = Some((found.said, template.clone(), found.scope));
            }
        }
        best.map(|(_, item, scope)| (item, scope))
    }

    /// Whether each of a pattern's arguments fits what is given; a pack at its end takes what is left.
    fn fits_patterns(
        &mut self,
        patterns: &[TemplateArgument],
        given: &[Binding],
        found: &mut Match<'_>,
    ) -> bool {
        let (plain, pack) = match patterns.split_last() {
            Some((TemplateArgument::Expand(last), plain)) => (plain, Some(last)),
            _ => (patterns, None),
        };
        let fits_count = match pack {
            Some(_) => given.len() >= plain.len(),
            None => given.len() == plain.len(),
        };
        let fits = fits_count
            && plain
                .iter()
                .zip(given)
                .all(|(pattern, given)| self.fits_pattern(pattern, given, found));
        let name = pack.map(|pack| match &**pack {
            TemplateArgument::Type(TypeExpr {
                kind: TypeKind::Named(name, list),
                ..
            }) if list.is_empty() => Some(name.clone()),
            TemplateArgument::Value(Expr {
                kind: ExprKind::Name(name),
                ..
            }) => Some(name.clone()),
            TemplateArgument::Type(_)
            | TemplateArgument::Value(_)
            | TemplateArgument::Expand(_) => None,
        });
        match (fits, name) {
            (true, None) => true,
            (true, Some(Some(name))) => {
                let rest = given.get(plain.len()..).unwrap_or_default().to_vec();
                self.elements_in(&mut found.scope, &name, rest);
                true
            }
            (true, Some(None)) | (false, _) => false,
        }
    }

    fn fits_pattern(
        &mut self,
        pattern: &TemplateArgument,
        given: &Binding,
        found: &mut Match<'_>,
    ) -> bool {
        match (pattern, given) {
            (TemplateArgument::Type(ty), Binding::Type(given)) => {
                self.matches_type(ty, given, found)
            }
            (TemplateArgument::Value(expr), given) => {
                if let ExprKind::Name(name) = &expr.kind
                    && let Some(fits) = self.stands_for_parameter(name, given, found)
                {
                    return fits;
                }
                found.said += 2;
                let own = self.template_binding(pattern);
                own.is_some_and(|own| self.shown(&own) == self.shown(given))
            }
            (TemplateArgument::Type(_), Binding::Value(_) | Binding::Place(_))
            | (TemplateArgument::Expand(_), _) => false,
        }
    }

    /// Whether a parameter of the pattern, if this is one, can stand for what is given.
    fn stands_for_parameter(
        &mut self,
        name: &Name,
        given: &Binding,
        found: &mut Match<'_>,
    ) -> Option<bool> {
        if !found
            .parameters
            .iter()
            .any(|parameter| parameter.name == *name)
        {
            return None;
        }
        Some(match found.scope.get(name) {
            Some(bound) => self.shown(bound) == self.shown(given),
            None => {
                found.scope.insert(name.clone(), given.clone());
                true
            }
        })
    }

    fn matches_type(&mut self, pattern: &TypeExpr, given: &Type, found: &mut Match<'_>) -> bool {
        let binding = Binding::Type(given.clone());
        match (&pattern.kind, given) {
            (TypeKind::Named(name, list), _) if list.is_empty() => {
                if let Some(fits) = self.stands_for_parameter(name, &binding, found) {
                    return fits;
                }
            }
            (TypeKind::Named(name, list), Type::Struct(ty)) => {
                let template = self.structs.get(name).cloned();
                let ty = ty.name.clone();
                if let Some(template) = template
                    && let Some(instance) = self.instances.get(&ty).cloned()
                    && ty.split('<').next() == Some(&**name)
                {
                    found.said += 1;
                    return list
                        .iter()
                        .zip(&template.templates)
                        .all(|(pattern, parameter)| {
                            let given = instance.scope.get(&parameter.name).cloned();
                            given.is_some_and(|given| self.fits_pattern(pattern, &given, found))
                        });
                }
            }
            (TypeKind::Named(name, list), _) if !list.is_empty() => {
                // A pattern of a template's structure, which a number is not; an alias may stand for one.
                let template = self.structs.get(name);
                if template.is_some_and(|template| template.alias.is_none()) {
                    return false;
                }
            }
            (TypeKind::Pointer { to, .. }, Type::Pointer(pointer)) => {
                found.said += 1;
                return self.matches_type(to, &pointer.to, found);
            }
            (TypeKind::Array(to, extent), Type::Array(inner, count)) => {
                found.said += 1;
                let count = i64::try_from(*count).unwrap_or(i64::MAX);
                let count = Binding::Value(self.whole(count, Scalar::I64));
                let extent = extent
                    .as_ref()
                    .map(|extent| TemplateArgument::Value((**extent).clone()));
                return self.matches_type(to, inner, found)
                    && extent.is_none_or(|extent| self.fits_pattern(&extent, &count, found));
            }
            _ => {}
        }
        if matches!(
            pattern.kind,
            TypeKind::Pointer { .. } | TypeKind::Array(..) | TypeKind::Reference { .. }
        ) {
            return false;
        }
        found.said += 2;
        self.resolve(pattern) == *given
    }

    /// Arguments of a template, each as it is shown.
    pub(super) fn shown_arguments(&mut self, arguments: &[TemplateArgument]) -> Vec<String> {
        if !self.spend(STEPS_OF_CANDIDATE) {
            return Vec::new();
        }
        arguments
            .iter()
            .map(|argument| match self.template_binding(argument) {
                Some(binding) => self.shown(&binding),
                None => String::new(),
            })
            .collect()
    }

    /// What a template's parameter stands for, as it is shown.
    pub(super) fn shown(&self, binding: &Binding) -> String {
        match binding {
            Binding::Type(ty) => ty.shown(),
            Binding::Value(value) => {
                let known = value.regs.first().and_then(|reg| self.known(*reg));
                known.map_or_else(String::new, |known| known.to_string())
            }
            Binding::Place(_) => String::new(),
        }
    }
}
