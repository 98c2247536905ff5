//! Predicates of instructions.

use lanescope_ir::{BinaryOp, Guard, Operand, Register, ScalarType, UnaryOp};

use super::Lowering;
use crate::instruction::SassInstruction;
use crate::listing::Row;
use crate::operand::Kind;

impl Lowering<'_, '_> {
    /// The row's predicate: `None` where it never holds. One that the row writes is copied first.
    #[allow(clippy::option_option)]
    pub(super) fn guard(
        &mut self,
        row: &Row<'_>,
        i: &SassInstruction<'_>,
    ) -> Option<Option<Guard>> {
        let Some((name, negated)) = row.guard else {
            return Some(None);
        };
        let Some(predicate) = self.builder.predicate(name) else {
            return (!negated).then_some(None);
        };
        let is_written = i
            .operands
            .iter()
            .take(3)
            .any(|operand| operand.kind == Kind::Predicate(name));
        let predicate = if is_written || matches!(i.name, "R2P") {
            let copy = self.builder.fresh(1);
            self.builder
                .assign(copy, ScalarType::Bool, predicate.into());
            copy
        } else {
            predicate
        };
        Some(Some(Guard { predicate, negated }))
    }

    /// Adds a condition to the row's predicate.
    pub(super) fn narrow_guard(&mut self, condition: Operand) {
        let own = self.builder.guard.take();
        let both = match own {
            None => condition,
            Some(guard) => {
                let own = self.guard_value(guard);
                self.builder
                    .binary(BinaryOp::And, ScalarType::Bool, own, condition)
            }
        };
        let predicate = self.in_register(both);
        self.builder.guard = Some(Guard {
            predicate,
            negated: false,
        });
    }

    fn guard_value(&mut self, guard: Guard) -> Operand {
        match guard.negated {
            true => self
                .builder
                .unary(UnaryOp::Not, ScalarType::Bool, guard.predicate.into()),
            false => guard.predicate.into(),
        }
    }

    fn in_register(&mut self, value: Operand) -> Register {
        match value {
            Operand::Register(register) => register,
            Operand::Constant(_) => {
                let register = self.builder.fresh(1);
                self.builder.assign(register, ScalarType::Bool, value);
                register
            }
        }
    }

    /// The guard and every predicate operand, together.
    pub(super) fn condition(&mut self, i: &SassInstruction<'_>) -> Option<Operand> {
        let guard = self.builder.guard.take();
        let mut all = guard.map(|guard| self.guard_value(guard));
        for operand in &i.operands {
            if !matches!(operand.kind, Kind::Predicate(_)) {
                continue;
            }
            let Ok(condition) = self.builder.condition(operand) else {
                continue;
            };
            all = match (all, condition) {
                (all, Operand::Constant(1)) => all,
                (None, condition) => Some(condition),
                (Some(before), condition) => {
                    let (op, ty) = (BinaryOp::And, ScalarType::Bool);
                    Some(self.builder.binary(op, ty, before, condition))
                }
            };
        }
        all
    }
}
