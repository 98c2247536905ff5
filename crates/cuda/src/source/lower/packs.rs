//! Parameter packs: what they stand for, and patterns written out for each of their elements.
//!
//! A pack `p` of n elements is bound as the number n, by a name that no source has, and its elements as `p#0`, `p#1` …
//! An expansion is the pattern n times, each time with the names of one element in place of the pack's.

use super::calls::{FunctionEffects, Given};
use super::{Binding, Lower, Place, Scope, Value};
use lanescope_frontend::Construct;
use lanescope_frontend::Span;
use lanescope_syntax::diagnostic::DiagnosticKind;
use lanescope_syntax::scalar::Scalar;
use lanescope_syntax::tree::{
    Declaration, Expr, ExprKind, Name, TemplateArgument, TypeExpr, TypeKind,
};
use std::borrow::Cow;

/// Elements of a pack, at most.
const MOST_ELEMENTS: usize = 256;

/// The name by which the number of a pack's elements is bound.
pub(super) fn count_of(name: &str) -> Name {
    format!("...{name}").into()
}

/// The name of a pack's element.
pub(super) fn element_of(name: &str, at: usize) -> Name {
    format!("{name}#{at}").into()
}

impl Lower<'_> {
    /// How many elements a name stands for that is a pack's.
    pub(super) fn pack_count(&self, name: &str) -> Option<usize> {
        match self.lookup(&count_of(name))? {
            Binding::Value(value) => {
                let count = self.known(*value.regs.first()?)?;
                usize::try_from(count).ok()
            }
            Binding::Place(_) | Binding::Type(_) => None,
        }
    }

    /// Notes the elements of a pack in a scope.
    pub(super) fn elements_in(&mut self, scope: &mut Scope, name: &Name, elements: Vec<Binding>) {
        let count = i64::try_from(elements.len()).unwrap_or(0);
        let count = Binding::Value(self.whole(count, Scalar::U64));
        scope.insert(count_of(name), count);
        for (at, element) in elements.into_iter().enumerate() {
            scope.insert(element_of(name, at), element);
        }
    }

    /// The elements of a pack of an object's structure, where a name is that of one.
    pub(super) fn pack_members(&self, place: &Place, name: &Name, scope: &mut Scope) {
        let count_name = count_of(name);
        let Some(instance) = self.inside_of(place.of()) else {
            return;
        };
        let Some(count @ Binding::Value(value)) = instance.scope.get(&count_name) else {
            return;
        };
        let known = value.regs.first().and_then(|reg| self.known(*reg));
        let elements = usize::try_from(known.unwrap_or(0)).unwrap_or(0);
        for at in 0..elements.min(MOST_ELEMENTS) {
            let element = element_of(name, at);
            if let Some(binding) = instance.scope.get(&element) {
                scope.insert(element, binding.clone());
            }
        }
        scope.insert(count_name, count.clone());
    }

    /// Binds a function's parameter pack to what it is given.
    pub(super) fn bind_pack(
        &mut self,
        function_effects: &FunctionEffects,
        parameter: &Declaration,
        rest: Vec<Given>,
    ) {
        let count = i64::try_from(rest.len()).unwrap_or(0);
        let count = Binding::Value(self.whole(count, Scalar::U64));
        self.bind(&count_of(&parameter.name), count);
        let packs = self.packs_in_type(&parameter.ty);
        for (at, given) in rest.into_iter().enumerate() {
            let mut element = Declaration {
                ty: in_type(&parameter.ty, &packs, at),
                name: element_of(&parameter.name, at),
                ..parameter.clone()
            };
            element.storage.is_pack = false;
            self.bind_parameter(function_effects, &element, given);
        }
    }

    /// A list with its expansions written out.
    pub(super) fn expanded<'a>(&mut self, list: &'a [Expr]) -> Cow<'a, [Expr]> {
        let is_expansion = |expr: &Expr| matches!(expr.kind, ExprKind::Expand(_));
        if !list.iter().any(is_expansion) {
            return Cow::Borrowed(list);
        }
        let mut out = Vec::new();
        for one in list {
            match &one.kind {
                ExprKind::Expand(pattern) => out.extend(self.elements_of(pattern)),
                _ => out.push(one.clone()),
            }
        }
        Cow::Owned(out)
    }

    /// A pattern for each element of the packs that it names.
    fn elements_of(&mut self, pattern: &Expr) -> Vec<Expr> {
        let mut packs = Vec::new();
        names_in(pattern, &mut |name| {
            if self.pack_count(name).is_some() {
                packs.push(name.clone());
            }
        });
        let count = packs.first().and_then(|name| self.pack_count(name));
        let Some(count) = count.filter(|count| *count <= MOST_ELEMENTS) else {
            let what = Construct::ParameterPack;
            self.say(pattern.span, DiagnosticKind::Unsupported { what });
            return Vec::new();
        };
        if !self.spend(count * pattern.depth as usize) {
            return Vec::new();
        }
        (0..count).map(|at| in_expr(pattern, &packs, at)).collect()
    }

    /// A template's arguments with their expansions written out.
    pub(super) fn expanded_arguments<'a>(
        &mut self,
        list: &'a [TemplateArgument],
    ) -> Cow<'a, [TemplateArgument]> {
        let is_expansion =
            |argument: &TemplateArgument| matches!(argument, TemplateArgument::Expand(_));
        if !list.iter().any(is_expansion) {
            return Cow::Borrowed(list);
        }
        let mut out = Vec::new();
        for one in list {
            let TemplateArgument::Expand(pattern) = one else {
                out.push(one.clone());
                continue;
            };
            let mut packs = Vec::new();
            names_in_argument(pattern, &mut |name| {
                if self.pack_count(name).is_some() {
                    packs.push(name.clone());
                }
            });
            let count = packs.first().and_then(|name| self.pack_count(name));
            for at in 0..count.unwrap_or(0).min(MOST_ELEMENTS) {
                out.push(in_argument(pattern, &packs, at));
            }
        }
        Cow::Owned(out)
    }

    fn packs_in_type(&self, ty: &TypeExpr) -> Vec<Name> {
        let mut packs = Vec::new();
        names_in_type(ty, &mut |name| {
            if self.pack_count(name).is_some() {
                packs.push(name.clone());
            }
        });
        packs
    }

    /// `sizeof...(pack)`.
    pub(super) fn size_of_pack(&mut self, name: &Name, span: Span) -> Value {
        match self.pack_count(name) {
            Some(count) => self.whole(i64::try_from(count).unwrap_or(0), Scalar::U64),
            None => {
                self.unknown_name(name, span);
                self.nothing()
            }
        }
    }

    /// A fold: the operators between the elements, written out.
    pub(super) fn folded(
        &mut self,
        op: &'static str,
        left: Option<&Expr>,
        right: Option<&Expr>,
        span: Span,
    ) -> Option<Expr> {
        let names_pack = |expr: &Expr| {
            let mut found = false;
            names_in(expr, &mut |name| found |= self.pack_count(name).is_some());
            found
        };
        let (pattern, init, is_left) = match (left, right) {
            (None, Some(right)) => (right, None, true),
            (Some(left), None) => (left, None, false),
            (Some(left), Some(right)) if names_pack(left) => (left, Some(right), false),
            (Some(left), Some(right)) => (right, Some(left), true),
            (None, None) => return None,
        };
        let mut parts = self.elements_of(pattern);
        match (init, is_left) {
            (Some(init), true) => parts.insert(0, init.clone()),
            (Some(init), false) => parts.push(init.clone()),
            (None, _) => {}
        }
        let join = |a: Expr, b: Expr| {
            let (a, b) = (Box::new(a), Box::new(b));
            let kind = match op.strip_suffix('=').filter(|_| !is_comparison(op)) {
                Some("") => ExprKind::Assign("=", a, b),
                Some(_) => ExprKind::Assign(assigned(op), a, b),
                None => ExprKind::Binary(op, a, b),
            };
            Expr::new(span, kind)
        };
        if is_left {
            parts.into_iter().reduce(join)
        } else {
            parts.into_iter().rev().reduce(|b, a| join(a, b))
        }
        .or_else(|| empty(op, span))
    }
}

fn is_comparison(op: &str) -> bool {
    matches!(op, "==" | "!=" | "<=" | ">=")
}

/// The operator of a compound assignment.
fn assigned(op: &str) -> &'static str {
    let plain = op.strip_suffix('=').unwrap_or(op);
    let mut operators = lanescope_syntax::tree::OPERATORS.iter();
    let found = operators.find(|(operator, _)| *operator == plain);
    found.map_or("+", |(one, _)| *one)
}

/// What a fold over no elements is.
fn empty(op: &str, span: Span) -> Option<Expr> {
    let truth = |value| ExprKind::Whole {
        value,
        scalar: Scalar::Bool,
    };
    match op {
        "&&" => Some(Expr::new(span, truth(1))),
        "||" => Some(Expr::new(span, truth(0))),
        "," => {
            let zero = ExprKind::Whole {
                value: 0,
                scalar: Scalar::I32,
            };
            Some(Expr::new(span, zero))
        }
        _ => None,
    }
}

/// Calls `visit` for each name in an expression that could be a pack's.
fn names_in(expr: &Expr, visit: &mut dyn FnMut(&Name)) {
    match &expr.kind {
        ExprKind::Name(name) => visit(name),
        ExprKind::Prefix(_, a)
        | ExprKind::Postfix(_, a)
        | ExprKind::Member(a, _)
        | ExprKind::SizeofValue(a)
        | ExprKind::Designated(_, a) => names_in(a, visit),
        ExprKind::Cast(ty, a) => {
            names_in_type(ty, visit);
            names_in(a, visit);
        }
        ExprKind::Binary(_, a, b) | ExprKind::Assign(_, a, b) | ExprKind::Index(a, b) => {
            names_in(a, visit);
            names_in(b, visit);
        }
        ExprKind::Conditional(a, b, c) => {
            [a, b, c].into_iter().for_each(|one| names_in(one, visit));
        }
        ExprKind::Call {
            callee,
            templates,
            arguments,
        } => {
            names_in(callee, visit);
            let mut list = templates.iter();
            list.by_ref().for_each(|one| names_in_argument(one, visit));
            arguments
                .iter()
                .for_each(|argument| names_in(argument, visit));
        }
        ExprKind::Construct(ty, list) => {
            names_in_type(ty, visit);
            list.iter().for_each(|one| names_in(one, visit));
        }
        ExprKind::List(list) => list.iter().for_each(|one| names_in(one, visit)),
        ExprKind::AlignofType(ty) | ExprKind::SizeofType(ty) => names_in_type(ty, visit),
        // An expansion inside a pattern has packs of its own.
        ExprKind::Expand(_)
        | ExprKind::Fold { .. }
        | ExprKind::SizeofPack(_)
        | ExprKind::Lambda(..)
        | ExprKind::Whole { .. }
        | ExprKind::Real { .. }
        | ExprKind::Text(_)
        | ExprKind::Missing => {}
    }
}

fn names_in_argument(argument: &TemplateArgument, visit: &mut dyn FnMut(&Name)) {
    match argument {
        TemplateArgument::Type(ty) => names_in_type(ty, visit),
        TemplateArgument::Value(expr) => names_in(expr, visit),
        TemplateArgument::Expand(_) => {}
    }
}

fn names_in_type(ty: &TypeExpr, visit: &mut dyn FnMut(&Name)) {
    match &ty.kind {
        TypeKind::Named(name, list) => {
            visit(name);
            list.iter().for_each(|one| names_in_argument(one, visit));
        }
        TypeKind::Inside(outer, _) => names_in_type(outer, visit),
        TypeKind::Decltype(expr) => names_in(expr, visit),
        TypeKind::Pointer { to, .. } | TypeKind::Reference { to, .. } | TypeKind::Array(to, _) => {
            names_in_type(to, visit);
        }
        TypeKind::Void | TypeKind::Auto | TypeKind::Scalar(_) => {}
    }
}

fn named(name: &Name, packs: &[Name], at: usize) -> Name {
    match packs.contains(name) {
        true => element_of(name, at),
        false => name.clone(),
    }
}

/// An expression with an element of each pack in its place.
fn in_expr(expr: &Expr, packs: &[Name], at: usize) -> Expr {
    let one = |a: &Expr| Box::new(in_expr(a, packs, at));
    let all = |list: &[Expr]| list.iter().map(|a| in_expr(a, packs, at)).collect();
    let of_type = |ty: &TypeExpr| Box::new(in_type(ty, packs, at));
    let kind = match &expr.kind {
        ExprKind::Name(name) => ExprKind::Name(named(name, packs, at)),
        ExprKind::Prefix(op, a) => ExprKind::Prefix(op, one(a)),
        ExprKind::Postfix(op, a) => ExprKind::Postfix(op, one(a)),
        ExprKind::Member(a, name) => ExprKind::Member(one(a), name.clone()),
        ExprKind::SizeofValue(a) => ExprKind::SizeofValue(one(a)),
        ExprKind::Designated(name, a) => ExprKind::Designated(name.clone(), one(a)),
        ExprKind::Cast(ty, a) => ExprKind::Cast(of_type(ty), one(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(op, one(a), one(b)),
        ExprKind::Assign(op, a, b) => ExprKind::Assign(op, one(a), one(b)),
        ExprKind::Index(a, b) => ExprKind::Index(one(a), one(b)),
        ExprKind::Conditional(a, b, c) => ExprKind::Conditional(one(a), one(b), one(c)),
        ExprKind::Call {
            callee,
            templates,
            arguments,
        } => ExprKind::Call {
            callee: one(callee),
            templates: templates
                .iter()
                .map(|template| in_argument(template, packs, at))
                .collect(),
            arguments: all(arguments),
        },
        ExprKind::Construct(ty, list) => ExprKind::Construct(of_type(ty), all(list)),
        ExprKind::List(list) => ExprKind::List(all(list)),
        ExprKind::AlignofType(ty) => ExprKind::AlignofType(of_type(ty)),
        ExprKind::SizeofType(ty) => ExprKind::SizeofType(of_type(ty)),
        kind @ (ExprKind::Expand(_)
        | ExprKind::Fold { .. }
        | ExprKind::SizeofPack(_)
        | ExprKind::Lambda(..)
        | ExprKind::Whole { .. }
        | ExprKind::Real { .. }
        | ExprKind::Text(_)
        | ExprKind::Missing) => kind.clone(),
    };
    Expr::new(expr.span, kind)
}

fn in_argument(argument: &TemplateArgument, packs: &[Name], at: usize) -> TemplateArgument {
    match argument {
        TemplateArgument::Type(ty) => TemplateArgument::Type(in_type(ty, packs, at)),
        TemplateArgument::Value(expr) => TemplateArgument::Value(in_expr(expr, packs, at)),
        TemplateArgument::Expand(_) => argument.clone(),
    }
}

fn in_type(ty: &TypeExpr, packs: &[Name], at: usize) -> TypeExpr {
    let inner = |ty: &TypeExpr| Box::new(in_type(ty, packs, at));
    let kind = match &ty.kind {
        TypeKind::Named(name, list) => TypeKind::Named(
            named(name, packs, at),
            list.iter().map(|one| in_argument(one, packs, at)).collect(),
        ),
        TypeKind::Inside(outer, name) => TypeKind::Inside(inner(outer), name.clone()),
        TypeKind::Decltype(expr) => TypeKind::Decltype(Box::new(in_expr(expr, packs, at))),
        TypeKind::Pointer { to, restrict } => TypeKind::Pointer {
            to: inner(to),
            restrict: *restrict,
        },
        TypeKind::Reference { to, is_rvalue } => TypeKind::Reference {
            to: inner(to),
            is_rvalue: *is_rvalue,
        },
        TypeKind::Array(to, extent) => TypeKind::Array(inner(to), extent.clone()),
        kind @ (TypeKind::Void | TypeKind::Auto | TypeKind::Scalar(_)) => kind.clone(),
    };
    TypeExpr { kind, ..ty.clone() }
}
