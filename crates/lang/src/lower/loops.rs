//! Loops.

use super::unrolling::{Body, Unrolling, Written};
use super::{Around, Lower, Passes};
use crate::code::{Inst, Preset, Reg, Unary};
use crate::scalar::Scalar;
use crate::syntax::{Expr, ExprKind, Stmt, StmtKind, SwitchPart, Unroll};

/// A loop of this many turns or fewer, known before the launch, is written out by a compiler.
const WRITTEN_OUT: u32 = 64;

/// Unless it becomes more instructions than this.
const MOST_WRITTEN: usize = 2000;

/// How many turns a loop makes, as far as a compiler knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turns {
    Few(u32),
    Many,
    Unknown,
}

/// A loop that has been opened.
struct Opened {
    /// The first register that the loop makes.
    mark: Reg,
    /// What its condition holds before the first turn.
    probe: Option<Reg>,
    /// Its first instruction.
    start: usize,
    /// What loops before it have been written out to.
    written: usize,
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
        let turns = Turns::Unknown;
        self.turns(Some(condition), None, body, Unrolling::of(unroll, turns));
    }

    pub(super) fn do_loop(&mut self, body: &Stmt, condition: &Expr) {
        let known = self.fold(condition);
        if known == Some(0) {
            return self.once(body);
        }
        let opened = self.open_loop(None);
        let head = self.here();
        self.body(body);
        self.test(condition);
        self.close_loop(head, &opened, Unrolling::NONE);
    }

    /// WGSL's `loop`.
    pub(super) fn endless_loop(
        &mut self,
        body: &[Stmt],
        continuing: &[Stmt],
        break_if: Option<&Expr>,
    ) {
        let opened = self.open_loop(None);
        let head = self.here();
        self.in_scope(|lower| {
            lower.turn(body.iter().any(continues), |lower| lower.statements(body));
            lower.statements(continuing);
            if let Some(condition) = break_if {
                let truth = lower.value(condition);
                let truth = lower.truth(&truth, condition.span);
                let stays = lower.unary_reg(Unary::Not, Scalar::Bool, truth);
                lower.test_reg(stays);
            }
        });
        self.close_loop(head, &opened, Unrolling::NONE);
    }

    /// `do … while (0)`: a scope that `break` leaves.
    fn once(&mut self, body: &Stmt) {
        self.emit(Inst::Scope);
        self.frames += 1;
        self.around.push(Around {
            break_frame: self.frames,
            continue_frame: Some(self.frames),
        });
        self.in_scope(|lower| lower.statement(body));
        self.around.pop();
        self.frames -= 1;
        self.emit(Inst::EndScope);
    }

    fn turns(
        &mut self,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Stmt,
        unrolling: Unrolling,
    ) {
        let is_probed = unrolling.written == Written::IfKnown && self.passes != Passes::None;
        let probed = condition.filter(|_| is_probed);
        let opened = self.open_loop(probed);
        let head = self.here();
        if let Some(condition) = condition {
            self.test(condition);
        }
        self.body(body);
        if let Some(step) = step {
            self.value(step);
        }
        self.close_loop(head, &opened, unrolling);
    }

    /// Opens the scope that `break` leaves.
    fn open_loop(&mut self, probed: Option<&Expr>) -> Opened {
        let mark = self.registers;
        let probe = probed.and_then(|condition| self.probe(condition));
        self.emit(Inst::Scope);
        self.frames += 1;
        Opened {
            mark,
            probe,
            start: self.insts.len(),
            written: self.written,
        }
    }

    /// The value of a condition before the first turn, where it takes no memory to tell it.
    fn probe(&mut self, condition: &Expr) -> Option<Reg> {
        let (insts, sites) = (self.insts.len(), self.sites.len());
        let truth = self.value(condition);
        let truth = self.truth(&truth, condition.span);
        if self.sites.len() > sites || !super::branches::is_pure(&self.insts[insts..]) {
            self.insts.truncate(insts);
            self.sites.truncate(sites);
            return None;
        }
        let probe = self.kept();
        self.emit(Inst::Init {
            dst: probe,
            src: truth,
        });
        Some(probe)
    }

    fn test(&mut self, condition: &Expr) {
        let truth = self.value(condition);
        let truth = self.truth(&truth, condition.span);
        self.test_reg(truth);
    }

    /// Leaves the loop where `truth` does not hold.
    fn test_reg(&mut self, truth: Reg) {
        if self.known(truth).is_none_or(|known| known == 0) {
            self.emit(Inst::Test {
                condition: truth,
                exit: super::UNSET,
            });
        }
    }

    fn body(&mut self, body: &Stmt) {
        self.turn(continues(body), |lower| {
            lower.in_scope(|lower| lower.statement(body));
        });
    }

    /// One turn of a loop; `scoped`: a `continue` leaves it.
    fn turn(&mut self, scoped: bool, inner: impl FnOnce(&mut Self)) {
        let break_frame = self.frames;
        if scoped {
            self.emit(Inst::Scope);
            self.frames += 1;
        }
        self.around.push(Around {
            break_frame,
            continue_frame: Some(self.frames),
        });
        inner(self);
        self.around.pop();
        if scoped {
            self.frames -= 1;
            self.emit(Inst::EndScope);
        }
    }

    fn close_loop(&mut self, head: u32, opened: &Opened, unrolling: Unrolling) {
        let (probe, start) = (opened.probe, opened.start);
        let unrolling = self.fitting(unrolling, opened);
        let written_out = matches!(unrolling.written, Written::Out(_));
        let mut refreshed = Vec::new();
        if self.passes == Passes::None {
            // As written, a turn's end says what the source asks for.
            self.emit(Inst::Turn {
                probe: None,
                every: unrolling.asked(),
                joined: 1,
            });
        } else if !written_out {
            let lanes = self.registers_of.get(&Preset::WarpLanes).copied();
            let inner = self.written - opened.written;
            let body = Body::new(&self.insts, start, &self.constants, lanes, inner);
            let (every, joined) = unrolling.every(&body, opened.mark);
            let cut = body
                .cut(unrolling, opened.mark)
                .filter(|_| self.passes == Passes::All);
            let turns = u32::from(every.max(1)).ilog2();
            refreshed.extend(body.changed(opened.mark).into_iter().map(|dst| {
                let low = body
                    .step(dst)
                    .map_or(0, |step| step.trailing_zeros() + turns);
                let low = u8::try_from(low.min(64)).unwrap_or(64);
                Inst::Refresh { dst, probe, low }
            }));
            if let Some((at, a, b, cut)) = cut {
                let cut = Inst::Cut { a, b, probe, cut };
                self.insert(start + at, vec![cut]);
            }
            self.emit(Inst::Turn {
                probe,
                every,
                joined,
            });
        }
        self.emit(Inst::Loop { head });
        let exit = self.here();
        self.emit(Inst::EndScope);
        self.close_tests(start, exit);
        self.frames -= 1;
        if written_out {
            return;
        }
        self.emit(Inst::Leave { probe });
        let again = start + refreshed.len();
        self.insert(start, refreshed);
        // Turns begin with what is not known from the turns before.
        for inst in &mut self.insts[start..] {
            if let Inst::Loop { head } = inst
                && *head as usize == again
            {
                *head = u32::try_from(start).unwrap_or(*head);
            }
        }
        let widest = unrolling.widest;
        self.insert(start, vec![Inst::Enter { probe, widest }]);
    }

    /// How a loop whose body has been read is unrolled: too large a one is not written out, unless the
    /// source asks for it.
    fn fitting(&mut self, unrolling: Unrolling, opened: &Opened) -> Unrolling {
        let Written::Out(turns) = unrolling.written else {
            return unrolling;
        };
        let inner = self.written - opened.written;
        let here = super::unrolling::size(&self.insts[opened.start..]);
        let all = here.saturating_add(inner).saturating_mul(turns as usize);
        if all > MOST_WRITTEN && !unrolling.is_asked() {
            return Unrolling::of(Unroll::Unsaid, Turns::Many);
        }
        let more = all.saturating_sub(here);
        self.written = opened.written.saturating_add(more);
        unrolling
    }

    /// How many turns a compiler knows that a loop makes.
    fn known_turns(
        &mut self,
        init: Option<&Stmt>,
        condition: Option<&Expr>,
        step: Option<&Expr>,
    ) -> Turns {
        let (Some(init), Some(condition), Some(step)) = (init, condition, step) else {
            return Turns::Unknown;
        };
        let Some((name, first)) = self.counter(init) else {
            return Turns::Unknown;
        };
        let mut value = first;
        for turn in 0..=WRITTEN_OUT {
            if !self.spend(1) {
                return Turns::Unknown;
            }
            match self.fold_with(condition, Some((&name, value))) {
                Some(0) => return Turns::Few(turn),
                Some(_) => {}
                None => return Turns::Unknown,
            }
            match self.stepped(step, &name, value) {
                Some(next) => value = next,
                None => return Turns::Unknown,
            }
        }
        Turns::Many
    }

    fn counter(&mut self, init: &Stmt) -> Option<(String, i64)> {
        match &init.kind {
            StmtKind::Declare(list) => {
                let one = list.first()?;
                let first = self.fold(one.init.as_ref()?)?;
                Some((one.name.to_string(), first))
            }
            StmtKind::Expr(Expr {
                kind: ExprKind::Assign("=", target, source),
                ..
            }) => {
                let ExprKind::Name(name) = &target.kind else {
                    return None;
                };
                let first = self.fold(source)?;
                Some((name.to_string(), first))
            }
            _ => None,
        }
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
    match &statement.kind {
        StmtKind::Continue => true,
        StmtKind::Block(list) => list.iter().any(continues),
        StmtKind::If { yes, no, .. } => continues(yes) || no.as_deref().is_some_and(continues),
        StmtKind::Switch { body, .. } => body
            .iter()
            .any(|part| matches!(part, SwitchPart::Stmt(one) if continues(one))),
        _ => false,
    }
}
