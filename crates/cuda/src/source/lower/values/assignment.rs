//! Assignments.

use crate::source::ctype::{Target, Type};
use crate::source::lower::{Binding, Lower, Place, Value};
use lanescope_frontend::Span;
use lanescope_syntax::{
    diagnostic::DiagnosticKind,
    scalar::Scalar,
    tree::{Expr, ExprKind},
};

impl Lower<'_> {
    /// `++` and `--`; behind its operand the value is the old one.
    pub(super) fn step(&mut self, op: &str, inner: &Expr, behind: bool, span: Span) -> Value {
        if self.has_operators
            && let Some(outcome) = self.unary_operator(op, inner, behind, span)
        {
            return self.outcome_value(outcome, span);
        }
        let Some(place) = self.place(inner) else {
            self.say(inner.span, DiagnosticKind::NotAssignable);
            return self.nothing();
        };
        let old = self.read(&place, span);
        // The old value stays in a register of its own.
        let old = if behind { self.copied(&old) } else { old };
        let one = self.whole(1, Scalar::I32);
        let new = self.binary(if op == "++" { "+" } else { "-" }, &old, &one, span);
        let new = self.convert(new, place.of(), span);
        self.assign(&place, &new, span);
        if behind { old } else { new }
    }

    pub(super) fn assignment(
        &mut self,
        op: &'static str,
        target: &Expr,
        source: &Expr,
        span: Span,
    ) -> Value {
        if self.has_operators
            && self.may_be_object(target)
            && let Some(outcome) = self.assigned_object(op, target, source, span)
        {
            return self.outcome_value(outcome, span);
        }
        if let ExprKind::Conditional(condition, yes, no) = &target.kind {
            return self.assigned_choice(op, (condition, yes, no), source, span);
        }
        if op != "=" {
            return self.compound(op, target, source, span);
        }
        // The right side first, as compilers order the loads.
        let (source_value, place) = match &source.kind {
            ExprKind::List(list) => self.list_and_place(list, source.span, target),
            _ => (self.value(source), self.place(target)),
        };
        let Some(place) = place else {
            self.not_assignable(target);
            return source_value;
        };
        let value = self.convert(source_value, place.of(), source.span);
        self.retarget(target, &value);
        self.assign(&place, &value, target.span);
        value
    }

    /// The value of a list, which has the type of the place that it is given to, and behind it that place.
    fn list_and_place(
        &mut self,
        list: &[Expr],
        span: Span,
        target: &Expr,
    ) -> (Value, Option<Place>) {
        let start = self.builder.position();
        let Some(place) = self.place(target) else {
            return (self.nothing(), None);
        };
        let finds_place = self.builder.cut(start);
        let value = self.listed(place.of(), list, span);
        self.builder.append(finds_place);
        (value, Some(place))
    }

    /// `(condition ? yes : no) = source`: what is chosen is assigned to.
    fn assigned_choice(
        &mut self,
        op: &'static str,
        (condition, yes, no): (&Expr, &Expr, &Expr),
        source: &Expr,
        span: Span,
    ) -> Value {
        let value = self.value(source);
        let value = self.copied(&value);
        let truth = self.value(condition);
        let truth = self.truth(&truth, condition.span);
        self.begin_if(truth);
        self.assign_to(op, yes, &value, span);
        self.builder.begin_else();
        self.assign_to(op, no, &value, span);
        self.builder.end_if();
        value
    }

    fn assign_to(&mut self, op: &str, target: &Expr, value: &Value, span: Span) {
        let Some(place) = self.place(target) else {
            self.not_assignable(target);
            return;
        };
        let value = match op {
            "=" => value.clone(),
            _ => {
                let old = self.read(&place, target.span);
                self.binary(op, &old, value, span)
            }
        };
        let value = self.convert(value, place.of(), span);
        self.assign(&place, &value, span);
    }

    fn not_assignable(&mut self, target: &Expr) {
        let named = match &target.kind {
            ExprKind::Name(name) => {
                self.lookup(name).is_some() || self.builtin_name(name, target.span).is_some()
            }
            ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Missing => false,
            _ => true,
        };
        if named {
            self.say(target.span, DiagnosticKind::NotAssignable);
        } else if let ExprKind::Name(name) = &target.kind {
            self.unknown_name(name, target.span);
        }
    }

    /// A pointer that is assigned points where the value does.
    fn retarget(&mut self, target: &Expr, value: &Value) {
        let (ExprKind::Name(name), Type::Pointer(_)) = (&target.kind, &value.ty) else {
            return;
        };
        let ty = self.blurred(name, &value.ty);
        let base = self.calls.last().map_or(0, |call| call.base);
        let found = self.scopes[base..]
            .iter_mut()
            .rev()
            .find_map(|scope| scope.get_mut(name));
        if let Some(Binding::Place(Place::Registers(kept))) = found {
            kept.ty = ty;
        }
    }

    /// The type of a pointer variable: one that is assigned again may point into other arrays.
    pub(crate) fn blurred(&mut self, name: &str, ty: &Type) -> Type {
        let Type::Pointer(pointer) = ty else {
            return ty.clone();
        };
        let (Target::Array(id), true) = (pointer.target, self.moving.contains(name)) else {
            return ty.clone();
        };
        let mut pointer = (**pointer).clone();
        pointer.target = Target::Within(self.array_space(id));
        Type::Pointer(std::rc::Rc::new(pointer))
    }

    fn compound(&mut self, op: &'static str, target: &Expr, source: &Expr, span: Span) -> Value {
        let source_value = self.value(source);
        let Some(place) = self.place(target) else {
            self.not_assignable(target);
            return self.nothing();
        };
        let old = self.read(&place, target.span);
        let new = self.binary(op, &old, &source_value, span);
        let new = self.convert(new, place.of(), span);
        self.assign(&place, &new, target.span);
        new
    }
}
