//! Brace elision: an initialiser list of an aggregate with the braces that C++ lets one leave out.

use super::Lower;
use crate::source::ctype::Type;
use lanescope_frontend::Construct;
use lanescope_frontend::Span;
use lanescope_syntax::diagnostic::DiagnosticKind;
use lanescope_syntax::tree::{Expr, ExprKind};
use std::borrow::Cow;

/// The most elements of an array that a list names.
const MOST_ELEMENTS: u64 = 1 << 16;

impl Lower<'_> {
    /// `list` with an element for each member of `of` that it names: members of an aggregate that stand without braces
    /// of their own get them.
    pub(super) fn braced<'a>(&mut self, ty: &Type, list: &'a [Expr]) -> Cow<'a, [Expr]> {
        let is_bare =
            |expr: &Expr| !matches!(expr.kind, ExprKind::List(_) | ExprKind::Designated(..));
        if !list.iter().any(is_bare) || !has_aggregates(ty) {
            return Cow::Borrowed(list);
        }
        let mut rest = list;
        let mut parts = self.members(ty, &mut rest);
        // What is too much stays, for whoever says so.
        parts.extend(rest.iter().cloned());
        Cow::Owned(parts)
    }

    /// `list` in the order of the members of `of`, where it names them; what it leaves out is zero.
    pub(super) fn positional<'a>(
        &mut self,
        ty: &Type,
        list: &'a [Expr],
        span: Span,
    ) -> Cow<'a, [Expr]> {
        let is_named = |expr: &Expr| matches!(expr.kind, ExprKind::Designated(..));
        let Type::Struct(structure) = ty else {
            return Cow::Borrowed(list);
        };
        if !list.iter().any(is_named) {
            return Cow::Borrowed(list);
        }
        let mut ordered = Vec::new();
        for field in &structure.fields {
            let given = list.iter().find_map(|one| match &one.kind {
                ExprKind::Designated(name, value) if *name == field.name => Some(&**value),
                _ => None,
            });
            let nothing = || Expr::new(span, ExprKind::List(Vec::new()));
            ordered.push(given.cloned().unwrap_or_else(nothing));
        }
        for one in list {
            if let ExprKind::Designated(name, _) = &one.kind
                && !structure.fields.iter().any(|field| field.name == *name)
            {
                // A member of a member without a name.
                let what = Construct::code(name);
                self.say(one.span, DiagnosticKind::Unsupported { what });
            }
        }
        Cow::Owned(ordered)
    }

    /// Takes off `rest` what the members of `of` are given.
    fn members(&mut self, ty: &Type, rest: &mut &[Expr]) -> Vec<Expr> {
        let mut parts = Vec::new();
        let mut at = 0;
        while let (Some(first), Some(member)) = (rest.first(), member(ty, at)) {
            at += 1;
            if self.is_whole(first, &member) {
                parts.push(first.clone());
                *rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            let span = first.span;
            let inner = self.members(&member, rest);
            parts.push(Expr::new(span, ExprKind::List(inner)));
        }
        parts
    }

    /// Whether an element of a list is all that a member of type `of` is given.
    fn is_whole(&mut self, expr: &Expr, ty: &Type) -> bool {
        if matches!(expr.kind, ExprKind::List(_)) || !is_aggregate(ty) {
            return true;
        }
        self.constructor(ty, 1).is_some() || is_same_kind(&self.type_of(expr), ty)
    }
}

/// The type of the member at this place.
fn member(ty: &Type, at: usize) -> Option<Type> {
    match ty {
        Type::Array(element, count) => {
            let count = usize::try_from((*count).min(MOST_ELEMENTS)).unwrap_or(0);
            (at < count).then(|| (**element).clone())
        }
        // A list gives a union its first member alone.
        Type::Struct(structure) if structure.is_union && at > 0 => None,
        Type::Struct(structure) => structure.fields.get(at).map(|field| field.ty.clone()),
        _ => None,
    }
}

/// Whether a list for `of` may leave braces out.
fn has_aggregates(ty: &Type) -> bool {
    match ty {
        Type::Array(element, _) => is_aggregate(element),
        Type::Struct(structure) => structure.fields.iter().any(|field| is_aggregate(&field.ty)),
        _ => false,
    }
}

/// Whether `of` has members that a list gives one by one; a grid's extent has constructors.
fn is_aggregate(ty: &Type) -> bool {
    match ty {
        Type::Array(_, count) => *count > 0,
        Type::Struct(structure) => !structure.fields.is_empty() && ty.shown() != "dim3",
        _ => false,
    }
}

fn is_same_kind(found: &Type, wanted: &Type) -> bool {
    matches!(
        (found, wanted),
        (Type::Struct(_), Type::Struct(_)) | (Type::Array(..), Type::Array(..))
    )
}
