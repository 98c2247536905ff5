//! Arguments of a call, bound to the function's parameters.

use super::habits::Habits;
use crate::source::ctype::Type;
use crate::source::lower::{Binding, Lower, Place, Value};
use lanescope_frontend::Span;
use lanescope_syntax::tree::{Declaration, Expr, ExprKind, TypeKind};

impl Lower<'_> {
    /// Whether a function is given constants alone, with which a recursion may come to its end.
    pub(super) fn all_known(&self, given: &[Given]) -> bool {
        given.iter().all(|one| match one {
            Given::Value(value, _) => value.regs.iter().all(|reg| self.known(*reg).is_some()),
            Given::Place(_) => false,
        })
    }

    pub(super) fn given(&mut self, parameter: &Declaration, expr: &Expr) -> Given {
        let reference = matches!(parameter.of.kind, TypeKind::Reference(_));
        if reference
            && matches!(
                expr.kind,
                ExprKind::Name(_)
                    | ExprKind::Index(..)
                    | ExprKind::Member(..)
                    | ExprKind::Prefix("*", _)
            )
            && let Some(place) = self.place(expr)
        {
            return Given::Place(place);
        }
        Given::Value(self.value(expr), expr.span)
    }

    pub(super) fn bind_parameter(
        &mut self,
        habits: &Habits,
        parameter: &Declaration,
        given: Given,
    ) {
        if parameter.name.is_empty() {
            return;
        }
        let (value, span) = match given {
            Given::Place(place) => {
                self.bind(&parameter.name, Binding::Place(place));
                return;
            }
            Given::Value(value, span) => (value, span),
        };
        let of = if parameter.of.is_deduced() || matches!(value.of, Type::Closure(_)) {
            value.of.clone()
        } else {
            self.resolve(&parameter.of)
        };
        let of = decayed(of);
        let value = self.convert(value, &of, span);
        if self.addressed.contains(&parameter.name) || self.lies_in_memory(&of) {
            self.hold_in_memory(&parameter.name, &value, span);
            return;
        }
        let steady = value
            .regs
            .iter()
            .all(|reg| self.known(*reg).is_some() || self.passing[*reg as usize]);
        if steady && !habits.changed.contains(&parameter.name) {
            // A value that is made for this call alone.
            let value = if value.regs.iter().all(|reg| self.known(*reg).is_some()) {
                value
            } else {
                self.variable(&value.of.clone(), Some(&value))
            };
            self.bind(&parameter.name, Binding::Value(value));
            return;
        }
        let kept = self.variable(&value.of.clone(), Some(&value));
        self.bind(&parameter.name, Binding::Place(Place::Registers(kept)));
    }
}

/// What a parameter is given.
pub(crate) enum Given {
    Value(Value, Span),
    Place(Place),
}

/// An array as a parameter is a pointer.
fn decayed(of: Type) -> Type {
    match of {
        Type::Array(element, _) => {
            Type::pointer_to((*element).clone(), crate::source::ctype::Target::Unknown)
        }
        other => other,
    }
}
