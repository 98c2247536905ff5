//! Comparisons.

use lanescope_ir::{Comparison, Operand, ScalarType};

use crate::RefusalKind;
use crate::arithmetic::unnamed;
use crate::expression::Expr;
use crate::writer::Writer;

impl Writer<'_, '_> {
    pub(crate) fn compare(
        &mut self,
        op: Comparison,
        ty: ScalarType,
        unordered: bool,
        a: Operand,
        b: Operand,
    ) -> Result<Expr, RefusalKind> {
        if ty.bits() == 64 {
            return self.wide_compare(op, ty, a, b);
        }
        let (x, y) = (self.typed(a, ty)?, self.typed(b, ty)?);
        let written = |op| format!("{} {} {}", x.inner(), symbol(op), y.inner());
        let is_negated = ty.is_float() && unordered != (op == Comparison::NotEqual);
        let text = if is_negated {
            format!("!({})", written(opposite(op)))
        } else {
            written(op)
        };
        if ty == ScalarType::Bool && !matches!(op, Comparison::Equal | Comparison::NotEqual) {
            return Err(unnamed("an order of predicates"));
        }
        Ok(Expr::flag(text))
    }
}

pub(crate) const fn symbol(op: Comparison) -> &'static str {
    match op {
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
    }
}

const fn opposite(op: Comparison) -> Comparison {
    match op {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
    }
}
