//! Loops.

use super::entry::is_loop;
use super::registers::Reg;
use super::unrolling::Unrolling;
use super::{Around, Lower};
use lanescope_ir::ScalarType;
use lanescope_syntax::tree::{Expr, ExprKind, Stmt, StmtKind, Unroll};

/// TripCount that are counted before the launch, at most.
const WRITTEN_OUT: u32 = 64;

/// How many turns a loop makes, as far as a compiler knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TripCount {
    Few(u32),
    Many,
    Unknown,
}

impl Lower<'_> {
    pub(super) fn for_loop(
        &mut self,
        init: Option<&Stmt>,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        unroll: Unroll,
    ) {
        self.in_scope(|lower| {
            if let Some(init) = init {
                lower.statement(init);
            }
            let turns = lower.known_turns(init, condition, step);
            lower.turns(condition, step, body, Unrolling::of(unroll, turns));
        });
    }

    pub(super) fn while_loop(&mut self, condition: &Expr, body: &Stmt, unroll: Unroll) {
        let turns = TripCount::Unknown;
        self.turns(Some(condition), None, body, Unrolling::of(unroll, turns));
    }

    pub(super) fn do_loop(&mut self, body: &Stmt, condition: &Expr) {
        let known = self.fold(condition);
        if known == Some(0) {
            return self.once(body);
        }
        self.open_loop();
        self.body(body);
        self.test(condition);
        self.close_loop(Unrolling::NONE);
    }

    /// `do … while (0)`: a scope that `break` leaves.
    fn once(&mut self, body: &Stmt) {
        self.builder.begin_scope();
        self.around.push(Around {
            scopes: self.scopes.len(),
            break_frame: self.builder.depth(),
            continue_frame: Some(self.builder.depth()),
        });
        self.in_scope(|lower| lower.statement(body));
        self.around.pop();
        self.builder.end_scope();
    }

    fn turns(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        unrolling: Unrolling,
    ) {
        self.open_loop();
        if let Some(condition) = condition {
            self.test(condition);
        }
        self.body(body);
        if let Some(step) = step {
            self.full_value(step);
        }
        self.close_loop(unrolling);
    }

    /// Opens a loop, and the scope that `break` leaves.
    fn open_loop(&mut self) {
        self.builder.begin_scope();
        self.builder.begin_loop();
    }

    fn test(&mut self, condition: &Expr) {
        let truth = self.full_value(condition);
        let truth = self.truth(&truth, condition.span);
        self.test_reg(truth);
    }

    /// Leaves the loop where `truth` does not hold.
    fn test_reg(&mut self, truth: Reg) {
        if self.known(truth).is_none_or(|known| known == 0) {
            let predicate = self.operand_of(truth, ScalarType::Bool);
            self.builder.stay_if(predicate);
        }
    }

    fn body(&mut self, body: &Stmt) {
        self.turn(continues(body), |lower| {
            lower.in_scope(|lower| lower.statement(body));
        });
    }

    /// One turn of a loop; `scoped`: a `continue` leaves it.
    fn turn(&mut self, scoped: bool, inner: impl FnOnce(&mut Self)) {
        let break_frame = self.builder.depth();
        if scoped {
            self.builder.begin_scope();
        }
        self.around.push(Around {
            scopes: self.scopes.len(),
            break_frame,
            continue_frame: Some(self.builder.depth()),
        });
        inner(self);
        self.around.pop();
        if scoped {
            self.builder.end_scope();
        }
    }

    fn close_loop(&mut self, unrolling: Unrolling) {
        self.builder.end_loop(unrolling.hint());
        self.builder.end_scope();
    }

    /// How many turns a compiler knows that a loop makes.
    fn known_turns(
        &mut self,
        init: Option<&Stmt>,
        condition: Option<&Expr>,
        step: Option<&Expr>,
    ) -> TripCount {
        let (Some(init), Some(condition), Some(step)) = (init, condition, step) else {
            return TripCount::Unknown;
        };
        let Some((name, first)) = self.counter(init) else {
            return TripCount::Unknown;
        };
        let mut value = first;
        for turn in 0..=WRITTEN_OUT {
            if !self.spend(1) {
                return TripCount::Unknown;
            }
            match self.fold_with(condition, Some((&name, value))) {
                Some(0) => return TripCount::Few(turn),
                Some(_) => {}
                None => return TripCount::Unknown,
            }
            match self.stepped(step, &name, value) {
                Some(next) => value = next,
                None => return TripCount::Unknown,
            }
        }
        TripCount::Many
    }

    fn counter(&mut self, init: &Stmt) -> Option<(String, i64)> {
        if let StmtKind::Declare(list) = &init.kind {
            let declared = list.first()?;
            let first = self.fold(declared.init.as_ref()?)?;
            return Some((declared.name.to_string(), first));
        }
        let StmtKind::Expr(Expr {
            kind: ExprKind::Assign("=", target, source),
            ..
        }) = &init.kind
        else {
            return None;
        };
        let ExprKind::Name(name) = &target.kind else {
            return None;
        };
        let first = self.fold(source)?;
        Some((name.to_string(), first))
    }

    fn stepped(&mut self, step: &Expr, name: &str, value: i64) -> Option<i64> {
        match &step.kind {
            ExprKind::Prefix(op @ ("++" | "--"), target) | ExprKind::Postfix(op, target)
                if names(target, name) =>
            {
                Some(if *op == "++" {
                    value.checked_add(1)?
                } else {
                    value.checked_sub(1)?
                })
            }
            ExprKind::Assign("=", target, source) if names(target, name) => {
                self.fold_with(source, Some((name, value)))
            }
            ExprKind::Assign(op, target, source) if names(target, name) => {
                let by = self.fold_with(source, Some((name, value)))?;
                super::resolve::fold_binary(op, value, by)
            }
            _ => None,
        }
    }
}

fn names(expr: &Expr, name: &str) -> bool {
    matches!(&expr.kind, ExprKind::Name(found) if **found == *name)
}

/// Whether a `continue` that belongs to the loop stands somewhere inside.
fn continues(statement: &Stmt) -> bool {
    statement.kind == StmtKind::Continue
        || !is_loop(statement) && statement.nested().into_iter().any(continues)
}
