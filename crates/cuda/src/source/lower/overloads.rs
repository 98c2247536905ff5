//! Overload resolution: which of several functions of one name a call means.

use super::calls::{Given, Outcome};
use super::resolve::{deduce, deduce_extent};
use super::{Lower, Place, Value};
use crate::source::ctype::Type;
use lanescope_frontend::{Construct, Span};
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Declaration, Expr, ExprKind, Function, Name, TypeExpr, TypeKind},
};
use std::rc::Rc;

/// What a conversion costs that there is none of.
const NOT_VIABLE: u32 = 1 << 16;
/// What it costs to take a structure for an instance of another template, which may be its base.
const OF_A_BASE: u32 = 4;
/// What a candidate costs to look at.
const STEPS_OF_CANDIDATE: usize = 2;

impl Lower<'_> {
    /// Candidates that take so many arguments, those of one number of parameters alone where there are any.
    pub(super) fn taking(list: &[Rc<Function>], count: usize) -> Vec<Rc<Function>> {
        let takes = |function: &&Rc<Function>| takes(function, count);
        list.iter().filter(takes).cloned().collect()
    }

    /// The arguments of a call before it is known whom they are given to: places where they name one.
    pub(super) fn given_to_any(&mut self, arguments: &[Expr]) -> Vec<Given> {
        let given = |lower: &mut Self, expr: &Expr| {
            let names_place = matches!(
                expr.kind,
                ExprKind::Name(_)
                    | ExprKind::Index(..)
                    | ExprKind::Member(..)
                    | ExprKind::Prefix("*" | "++" | "--", _)
                    | ExprKind::Assign(..)
            );
            if matches!(expr.kind, ExprKind::List(_)) {
                // It has the type of the parameter.
                return Given::Value(Value::void(), expr.span);
            }
            if let ExprKind::Call {
                callee,
                templates,
                arguments,
            } = &expr.kind
            {
                return match lower.call_outcome(callee, templates, arguments, expr.span) {
                    Outcome::Place(place) => Given::Place(place),
                    Outcome::Value(value) => Given::Value(value, expr.span),
                };
            }
            match names_place.then(|| lower.place(expr)).flatten() {
                Some(place) if lower.is_constant(expr) => Given::Constant(place),
                Some(place) => Given::Place(place),
                None if names_place => Given::Value(lower.value_off_place(expr), expr.span),
                None => Given::Value(lower.value(expr), expr.span),
            }
        };
        arguments.iter().map(|expr| given(self, expr)).collect()
    }

    /// The arguments as the parameters of `function` take them: values but for references.
    pub(super) fn given_as(
        &mut self,
        function: &Function,
        arguments: &[Expr],
        given: Vec<Given>,
    ) -> Vec<Given> {
        let count = given.len();
        let pack = function.parameters.last().filter(|one| one.storage.is_pack);
        let parameters = function
            .parameters
            .iter()
            .filter(|parameter| !parameter.storage.is_pack);
        let parameters = parameters.chain(pack.into_iter().cycle());
        let taken = parameters.zip(given).enumerate();
        let mut list: Vec<Given> = taken
            .map(|(at, (parameter, given))| match given {
                Given::Value(..)
                    if let Some(list) = arguments.get(at)
                        && matches!(list.kind, ExprKind::List(_)) =>
                {
                    self.given(parameter, list)
                }
                Given::Place(place) | Given::Constant(place)
                    if self.is_copied_to(&place, parameter) =>
                {
                    let span = arguments.get(at).map(|one| one.span).unwrap_or_default();
                    let place = self.sliced(place, parameter);
                    Given::Value(self.copy_of_object(&place, span), span)
                }
                Given::Place(place) | Given::Constant(place) if !is_reference(&parameter.ty) => {
                    let span = arguments.get(at).map(|one| one.span).unwrap_or_default();
                    Given::Value(self.read(&place, span), span)
                }
                given => given,
            })
            .collect();
        let more = function.parameters.iter().skip(count);
        for parameter in more.filter(|one| !one.storage.is_pack) {
            if let Some(init) = &parameter.init {
                let value = self.where_it_stands(function, |lower| lower.value(init));
                list.push(Given::Value(value, init.span));
            }
        }
        list
    }

    /// The viable candidate whose parameters the arguments fit best; of equal templates the first.
    ///
    /// Of two functions that are no templates one always fits better in C++: where neither does here, they differ in what
    /// is not told apart, such as `long` and `long long`, and that the choice was not read is said.
    pub(super) fn best(
        &mut self,
        list: &[Rc<Function>],
        given: &[Given],
        span: Span,
    ) -> Option<Rc<Function>> {
        let mut best: Option<(u32, &Rc<Function>)> = None;
        let mut is_open = false;
        for one in list {
            if !self.spend(STEPS_OF_CANDIDATE) {
                break;
            }
            let Some(cost) = self.cost_of(one, given) else {
                continue;
            };
            match best {
                Some((least, first)) if cost == least => {
                    is_open |= is_ambiguous(first, one);
                    if structure(one) > structure(first) {
                        best = Some((cost, one));
                    }
                }
                Some((least, _)) if cost > least => {}
                Some(_) | None => (best, is_open) = (Some((cost, one)), false),
            }
        }
        let (_, found) = best?;
        if is_open {
            let what = Construct::Overload(found.name.to_string());
            self.say(span, DiagnosticKind::Unsupported { what });
        }
        Some(found.clone())
    }

    /// Where arguments fit no function of a name: the only one, whose parameters convert in a way that is not known here; of
    /// several the first, and that the choice was not read is said.
    pub(super) fn only_one(
        &mut self,
        name: &str,
        list: &[Rc<Function>],
        span: Span,
    ) -> Option<Rc<Function>> {
        if list.len() > 1 {
            let what = Construct::Overload(name.to_owned());
            self.say(span, DiagnosticKind::Unsupported { what });
        }
        list.first().cloned()
    }

    /// What it costs to call a function with these arguments; `None` where it cannot be.
    pub(super) fn cost_of(&mut self, function: &Function, given: &[Given]) -> Option<u32> {
        let last = function.parameters.last().filter(|one| one.storage.is_pack);
        let mut cost = u32::from(!function.templates.is_empty()) + u32::from(last.is_some());
        for (at, given) in given.iter().enumerate() {
            let parameter = function.parameters.get(at).or(last)?;
            if parameter.storage.is_pack {
                cost += 4;
                continue;
            }
            cost += 4 * self.conversion_cost(function, parameter, given);
            cost += qualification_cost(function, parameter, given);
        }
        (cost < NOT_VIABLE).then_some(cost)
    }

    fn conversion_cost(&mut self, ty: &Function, parameter: &Declaration, given: &Given) -> u32 {
        if let Given::Value(value, _) = given
            && value.ty == Type::Void
        {
            return 1;
        }
        let given = match given {
            Given::Value(value, _) => value.ty.clone(),
            Given::Place(place) | Given::Constant(place) => match (place, place.of()) {
                // An array is a pointer to its first element, but for a reference.
                (Place::Memory(_), Type::Array(element, _)) if !is_reference(&parameter.ty) => {
                    Type::pointer_to((**element).clone(), crate::source::ctype::Target::Unknown)
                }
                (_, ty) => ty.clone(),
            },
        };
        if parameter.ty.is_deduced() || matches!(given, Type::Closure(_)) {
            return 1;
        }
        let templates = ty.templates.iter().map(|template| &template.name);
        let templates: Vec<&Name> = templates
            .filter(|name| names(&parameter.ty, name))
            .collect();
        if !templates.is_empty() {
            let fits = templates.iter().any(|name| {
                deduce(&parameter.ty, &given, name).is_some()
                    || deduce_extent(&parameter.ty, &given, name).is_some()
            });
            return match (fits, &strip(&parameter.ty).kind, &given) {
                (true, ..) => 0,
                (false, TypeKind::Named(name, list), Type::Struct(ty)) if !list.is_empty() => {
                    let is_instance =
                        Some(last_part(name)) == ty.name.split('<').next().map(last_part);
                    if is_instance { 1 } else { OF_A_BASE }
                }
                _ => NOT_VIABLE,
            };
        }
        let said = self.sink.len();
        let wanted = self.resolve(&parameter.ty);
        if self.sink.len() > said {
            // A type that is not known belongs to another overload, unless this one is called after all.
            self.sink.truncate(said);
            return NOT_VIABLE;
        }
        cost(&wanted, &given)
    }
}

/// How much a template's parameters say of what they take, as partial ordering of templates asks: `T*` says more than `T`.
fn structure(function: &Function) -> usize {
    fn of(ty: &TypeExpr) -> usize {
        use lanescope_syntax::tree::TemplateArgument;
        match &ty.kind {
            TypeKind::Reference { to, .. } => usize::from(to.is_const) + of(to),
            TypeKind::Pointer { to, .. } => 1 + usize::from(to.is_const) + of(to),
            TypeKind::Array(to, _) => 1 + of(to),
            TypeKind::Named(_, list) => list
                .iter()
                .map(|one| match one {
                    TemplateArgument::Type(one) => 1 + of(one),
                    TemplateArgument::Value(_) | TemplateArgument::Expand(_) => 1,
                })
                .sum(),
            TypeKind::Void
            | TypeKind::Auto
            | TypeKind::Scalar(_)
            | TypeKind::Inside(..)
            | TypeKind::Decltype(_) => 0,
        }
    }
    match function.templates.is_empty() {
        true => 0,
        false => function
            .parameters
            .iter()
            .map(|parameter| of(&parameter.ty))
            .sum(),
    }
}

/// Whether two functions that fit equally well are two that C++ tells apart otherwise.
pub(super) fn is_ambiguous(one: &Function, other: &Function) -> bool {
    let is_plain =
        |function: &Function| function.templates.is_empty() && function.specialised.is_none();
    is_plain(one) && is_plain(other) && one.span != other.span
}

/// Whether a function may be given so many arguments.
pub(super) fn takes(function: &Function, count: usize) -> bool {
    let needed = function
        .parameters
        .iter()
        .filter(|parameter| parameter.init.is_none() && !parameter.storage.is_pack)
        .count();
    let is_pack = function
        .parameters
        .last()
        .is_some_and(|one| one.storage.is_pack);
    count >= needed && (is_pack || count <= function.parameters.len())
}

/// What tells apart two parameters that differ in what `const` stands with: a constant object or pointer is not given to
/// one that may change it, unless a template's parameter of `of` can stand for the constant type; what is no constant is
/// given to one that may rather than to one that may not.
fn qualification_cost(ty: &Function, parameter: &Declaration, given: &Given) -> u32 {
    let is_parameter = |to: &TypeExpr| match &to.kind {
        TypeKind::Named(name, list) => {
            list.is_empty() && ty.templates.iter().any(|template| template.name == *name)
        }
        TypeKind::Void
        | TypeKind::Auto
        | TypeKind::Scalar(_)
        | TypeKind::Inside(..)
        | TypeKind::Decltype(_)
        | TypeKind::Reference { .. }
        | TypeKind::Pointer { .. }
        | TypeKind::Array(..) => false,
    };
    match (&parameter.ty.kind, given) {
        // `T&&` of a template's own parameter takes places too; every other takes values alone, and takes them best.
        (
            TypeKind::Reference {
                to,
                is_rvalue: true,
            },
            Given::Place(_) | Given::Constant(_),
        ) => {
            let is_forwarding = !to.is_const && (is_parameter(to) || to.is_deduced());
            if is_forwarding { 0 } else { NOT_VIABLE }
        }
        (
            TypeKind::Reference {
                is_rvalue: true, ..
            },
            Given::Value(..),
        ) => 0,
        (TypeKind::Reference { to, .. }, Given::Value(..)) => match to.is_const {
            true => 1,
            false => 2,
        },
        (TypeKind::Reference { to, .. }, Given::Place(_)) => u32::from(to.is_const),
        (TypeKind::Reference { to, .. }, Given::Constant(_)) => match to.is_const {
            true => 0,
            false if is_parameter(to) => 0,
            false => NOT_VIABLE,
        },
        (TypeKind::Pointer { to, .. }, given) => match given.of() {
            Type::Pointer(pointer) => match (to.is_const, pointer.constant) {
                (false, true) if is_parameter(to) => 0,
                (false, true) => NOT_VIABLE,
                (true, false) => 1,
                (true, true) | (false, false) => 0,
            },
            _ => 0,
        },
        _ => 0,
    }
}

fn is_reference(ty: &TypeExpr) -> bool {
    matches!(ty.kind, TypeKind::Reference { .. })
}

/// A name without the namespaces around it.
fn last_part(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

fn strip(ty: &TypeExpr) -> &TypeExpr {
    match &ty.kind {
        TypeKind::Reference { to, .. } => strip(to),
        _ => ty,
    }
}

/// Whether a type as written names a template's parameter.
fn names(ty: &TypeExpr, parameter: &Name) -> bool {
    use lanescope_syntax::tree::TemplateArgument;
    match &ty.kind {
        TypeKind::Named(name, list) => {
            let inside = list.iter().any(|one| match one {
                TemplateArgument::Type(ty) => names(ty, parameter),
                TemplateArgument::Expand(_) => false,
                TemplateArgument::Value(expr) => {
                    matches!(&expr.kind, ExprKind::Name(name) if name == parameter)
                }
            });
            let first = name.split("::").next().unwrap_or_default();
            *first == **parameter || inside
        }
        TypeKind::Inside(outer, _) => names(outer, parameter),
        TypeKind::Decltype(_) => false,
        TypeKind::Reference { to, .. } | TypeKind::Pointer { to, .. } => names(to, parameter),
        TypeKind::Array(to, extent) => {
            let named = extent.as_deref().is_some_and(
                |extent| matches!(&extent.kind, ExprKind::Name(name) if name == parameter),
            );
            named || names(to, parameter)
        }
        TypeKind::Void | TypeKind::Auto | TypeKind::Scalar(_) => false,
    }
}

/// What it costs to convert a type to another, as C++ ranks: exact, promotion, conversion.
fn cost(wanted: &Type, given: &Type) -> u32 {
    match (wanted, given) {
        (Type::Scalar(a), Type::Scalar(b)) if a == b => 0,
        (Type::Scalar(a), Type::Scalar(b)) => {
            let promotes = b.promoted() == *a || (*b, *a) == (Scalar::F32, Scalar::F64);
            if promotes { 1 } else { 2 }
        }
        (Type::Struct(a), Type::Struct(b)) => {
            if a.name == b.name {
                0
            } else {
                NOT_VIABLE
            }
        }
        (Type::Pointer(a), Type::Pointer(b)) => match cost(&a.to, &b.to) {
            0 => 0,
            _ if a.to == Type::Void => 2,
            _ => NOT_VIABLE,
        },
        (Type::Array(a, _), Type::Array(b, _)) => cost(a, b),
        (Type::Array(a, _), Type::Pointer(b)) => cost(a, &b.to),
        (Type::Pointer(a), Type::Array(b, _)) => cost(&a.to, b),
        // The null pointer.
        (Type::Pointer(_), Type::Scalar(Scalar::I32 | Scalar::I64)) => 3,
        (Type::Scalar(Scalar::Bool), Type::Pointer(_)) => 3,
        // A conversion that the structure itself may have.
        (Type::Scalar(_), Type::Struct(_)) => 8,
        (Type::Group { .. }, Type::Group { .. }) | (Type::Closure(_), Type::Closure(_)) => 0,
        (Type::Void, Type::Void) => 0,
        _ => NOT_VIABLE,
    }
}
