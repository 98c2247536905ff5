//! The type of an expression that is not evaluated: of the operand of `?:` that a constant condition leaves out.

use super::{Binding, Lower};
use crate::source::ctype::Type;
use lanescope_frontend::Span;
use lanescope_syntax::{
    scalar::Scalar,
    tree::{Expr, ExprKind, Name, TemplateArgument},
};

use super::Value;

impl Lower<'_> {
    /// A value of the type that it has in common with the expression that is not chosen.
    pub(super) fn as_common(&mut self, value: Value, other: &Expr, span: Span) -> Value {
        match (&value.ty, self.plain_type(other)) {
            (Type::Scalar(own), Some(other)) if *own != other => {
                let common = own.common(other);
                self.convert(value, &Type::Scalar(common), span)
            }
            _ => value,
        }
    }

    /// The scalar type of an expression, where it shows without putting functions in place.
    fn plain_type(&mut self, expr: &Expr) -> Option<Scalar> {
        match &expr.kind {
            ExprKind::Whole { scalar, .. } | ExprKind::Real { scalar, .. } => Some(*scalar),
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Binding::Value(value)) => value.ty.scalar(),
                Some(Binding::Place(place)) => place.of().scalar(),
                Some(Binding::Type(_)) => None,
                // `warpSize`, and what else is there without a declaration.
                None => self.type_of(expr).scalar(),
            },
            ExprKind::Cast(ty, _) => self.resolve(ty).scalar(),
            ExprKind::Member(..) | ExprKind::Index(..) if changes_nothing(expr) => {
                self.type_of(expr).scalar()
            }
            ExprKind::Prefix("!", _) => Some(Scalar::Bool),
            ExprKind::Prefix("-" | "+" | "~", inner) => Some(self.plain_type(inner)?.promoted()),
            ExprKind::Binary("<<" | ">>", a, _) => Some(self.plain_type(a)?.promoted()),
            ExprKind::Binary("<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||", _, _) => {
                Some(Scalar::Bool)
            }
            ExprKind::Binary("+" | "-" | "*" | "/" | "%" | "&" | "|" | "^", a, b) => {
                Some(self.plain_type(a)?.common(self.plain_type(b)?))
            }
            ExprKind::Conditional(_, a, b) => {
                let (a, b) = (self.plain_type(a)?, self.plain_type(b)?);
                Some(if a == b { a } else { a.common(b) })
            }
            ExprKind::Call {
                callee,
                templates,
                arguments,
            } => match (&callee.kind, &arguments[..]) {
                (ExprKind::Name(name), [a, b])
                    if matches!(&**name, "min" | "max") && !self.functions.contains_key(name) =>
                {
                    Some(self.plain_type(a)?.common(self.plain_type(b)?))
                }
                (ExprKind::Name(name), _) => self.returned_type(name, templates),
                _ => None,
            },
            _ => None,
        }
    }

    /// The scalar type that the only function of this name returns, its template's arguments all given.
    fn returned_type(&mut self, name: &Name, templates: &[TemplateArgument]) -> Option<Scalar> {
        let [function] = &self.functions.get(name)?.clone()[..] else {
            return None;
        };
        if templates.len() < function.templates.len() {
            return None;
        }
        let scope = self.template_scope(function, templates, &[]);
        self.scopes.push(scope);
        let ty = self.resolve(&function.returns);
        self.scopes.pop();
        ty.scalar()
    }
}

/// Whether an expression is made of what calls and assigns nothing.
fn changes_nothing(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Whole { .. } | ExprKind::Real { .. } | ExprKind::Name(_) => true,
        ExprKind::Member(inner, _) | ExprKind::Cast(_, inner) => changes_nothing(inner),
        ExprKind::Prefix(op, inner) => !["++", "--"].contains(op) && changes_nothing(inner),
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) => {
            changes_nothing(a) && changes_nothing(b)
        }
        _ => false,
    }
}
