//! Runs the iterations of a cycle: finds, follows, confirms and multiplies a period.

use super::points::{Passed, TRIALS};
use super::{Cycle, Phase, Scope, Steps, UNBOUNDED, WORTH, grown, shift};
use crate::machine::Machine;
use crate::machine::register::File;
use crate::machine::warp::{Place, Warp};
use crate::outcome::End;
use crate::proof::region::{FLAT, ITERATION};
use crate::proof::replay::Trace;
use crate::proof::{Proof, UNTOUCHED};
use lanescope_ir::{Register, SiteId, eval};
use std::rc::Rc;

impl<const L: usize> Machine<'_, L> {
    /// A warp that runs alone has come back to a slot.
    pub(crate) fn visit_slot(&mut self, warp: &mut Warp<L>) -> Result<(), End> {
        let scope = Scope::Warp(warp.number);
        self.visit(scope, std::slice::from_mut(warp))
    }

    /// A barrier of the block has opened.
    pub(crate) fn visit_barrier(&mut self) -> Result<(), End> {
        if self.periods.is_none() || !self.arrived.is_empty() {
            return Ok(());
        }
        let mut warps = std::mem::take(&mut self.warps);
        let visited = self.visit(Scope::Block, &mut warps);
        self.warps = warps;
        visited
    }

    /// A warp waits or has ended, or a block: what was tried there comes to nothing.
    pub(crate) fn leave_points(&mut self, scope: Scope) {
        if scope == Scope::Block {
            self.points.end_block();
        }
        self.points.begin();
        if let Some(cycle) = self.cycle.take_if(|cycle| cycle.scope == scope) {
            self.give_up(&cycle);
        }
    }

    fn visit(&mut self, scope: Scope, warps: &mut [Warp<L>]) -> Result<(), End> {
        let places = || -> Option<Vec<Option<Place>>> { warps.iter().map(Warp::place).collect() };
        if let Some(mut cycle) = self.cycle.take() {
            let here = cycle.scope == scope && {
                let slots = warps
                    .iter()
                    .map(|warp| warp.splits.first().map(|split| split.slot));
                slots.eq(cycle
                    .point
                    .iter()
                    .map(|one| one.as_ref().map(|one| one.slot)))
            };
            if !here {
                if cycle.scope == scope
                    && let Some(split) = warps.iter().find_map(|warp| warp.splits.first())
                {
                    cycle.passed.note(split.slot);
                }
                self.cycle = Some(cycle);
            } else if places().is_some_and(|places| places == cycle.point) {
                if self.advance(&mut cycle, warps)? {
                    self.cycle = Some(cycle);
                }
            } else {
                self.give_up(&cycle);
            }
            return Ok(());
        }
        let slots = warps.iter().find_map(|warp| warp.splits.first());
        let Some(slot) = slots.map(|split| split.slot) else {
            return Ok(());
        };
        if !self.points.is_due(scope, slot) {
            return Ok(());
        }
        let Some(point) = places() else {
            return Ok(());
        };
        self.cycle = Some(Box::new(Cycle {
            scope,
            point,
            phase: Phase::Difference,
            left: 1,
            trials: 0,
            period: 1,
            files: warps.iter().map(|warp| self.carried(warp)).collect(),
            assumed: Vec::new(),
            ends: Vec::new(),
            times: 1,
            occurrences: Vec::new(),
            replay: Rc::default(),
            visits: 0,
            passed: Passed::default(),
        }));
        Ok(())
    }

    fn give_up(&mut self, cycle: &Cycle<L>) {
        debug_assert!(
            cycle.phase != Phase::Multiply,
            "what is proved comes back to its point"
        );
        self.iteration = None;
        self.times = 1;
        self.points.failed(cycle.scope, cycle.slot());
        // From the other points of the same iteration it would fail as well.
        for slot in cycle.passed.once_an_iteration(cycle.visits) {
            self.points.failed(cycle.scope, slot);
        }
    }

    /// The point of a cycle is visited again. Returns whether it goes on.
    fn advance(&mut self, cycle: &mut Cycle<L>, warps: &mut [Warp<L>]) -> Result<bool, End> {
        cycle.visits += 1;
        cycle.left -= 1;
        if cycle.left > 0 {
            return Ok(true);
        }
        let goes_on = match cycle.phase {
            Phase::Difference => {
                cycle.assumed = self.differences(cycle, warps);
                self.follow_iterations(cycle, warps, Phase::Follow, (1, UNBOUNDED));
                true
            }
            Phase::Follow => self.judge(cycle, warps).is_some(),
            Phase::Confirm => self.confirm(cycle, warps).is_some(),
            Phase::Multiply => {
                self.skip(cycle, warps)?;
                return Ok(false);
            }
        };
        if !goes_on {
            self.give_up(cycle);
        }
        Ok(goes_on)
    }

    /// Follows what comes up to the next visits, on the assumptions of a cycle.
    fn follow_iterations(
        &mut self,
        cycle: &mut Cycle<L>,
        warps: &mut [Warp<L>],
        phase: Phase,
        (left, steps): (u64, u64),
    ) {
        cycle.phase = phase;
        cycle.left = left;
        for (number, warp) in warps.iter_mut().enumerate() {
            cycle.files[number] = self.carried(warp);
            let growths = &mut warp.iteration_growths;
            growths.clear();
            // What is not carried is written before it is read, but for constants.
            growths.resize(self.kernel.registers.len(), (FLAT, 0));
            growths.resize(self.program.bits.len(), UNTOUCHED);
            for (register, growth) in self.program.carried.iter().zip(cycle.growths(number)) {
                growths[register.index()] = growth;
            }
        }
        let periods = self.periods.unwrap_or_default();
        let mut proof = Proof::of_iterations(steps, periods);
        proof.trace = self.may_replay(cycle.scope).then(Trace::default);
        proof.first_warp = warps.first().map_or(0, |warp| warp.number);
        self.iteration = Some(Box::new(proof));
    }

    /// Whether irregular accesses may be made again: where no other block is to do what this one does. Between barriers
    /// that are not passed again no races are to be found.
    fn may_replay(&self, scope: Scope) -> bool {
        let is_alone = self.proof.as_ref().is_none_or(|proof| proof.failed);
        is_alone && (scope != Scope::Block || self.races.is_none())
    }

    /// What was followed: how far it holds, and whether registers grow by what was assumed.
    fn followed_iterations(
        &mut self,
        cycle: &mut Cycle<L>,
        warps: &[Warp<L>],
    ) -> Option<(Box<Proof>, bool)> {
        let proof = self.iteration.take().filter(|proof| !proof.failed)?;
        let grown = self.differences(cycle, warps);
        let mut holds = true;
        cycle.ends.clear();
        for (number, warp) in warps.iter().enumerate() {
            let place = cycle.point.get(number)?.as_ref();
            let lanes = place.map_or(0, |place| place.lanes);
            let carried = self.program.carried.iter();
            let growths = carried.map(|register| warp.iteration_growths[register.index()]);
            let ends: Vec<Option<i64>> = growths
                .map(|(slope, of)| (lanes & !of == 0).then_some(slope[ITERATION]))
                .collect();
            for (at, assumed) in cycle.assumed[number].iter_mut().enumerate() {
                let end = ends.get(at).copied().flatten();
                if assumed.is_some() && (*assumed != end || *assumed != grown[number][at]) {
                    *assumed = None;
                    holds = false;
                }
            }
            cycle.ends.push(ends);
        }
        Some((proof, holds))
    }

    /// An iteration has been followed: another assumption is tried, a whole period is followed, or what is proved is
    /// told. `None` where nothing is proved.
    fn judge(&mut self, cycle: &mut Cycle<L>, warps: &mut [Warp<L>]) -> Option<()> {
        let (proof, holds) = self.followed_iterations(cycle, warps)?;
        if !holds {
            cycle.trials += 1;
            if cycle.trials >= TRIALS {
                return None;
            }
            self.follow_iterations(cycle, warps, Phase::Follow, (1, UNBOUNDED));
            return Some(());
        }
        let (steps, period) = (
            proof.region.steps[ITERATION],
            proof.region.period[ITERATION],
        );
        if steps == UNBOUNDED || steps / period < WORTH {
            return None;
        }
        if period == 1 {
            return self.multiply(cycle, warps, (1, steps), proof.trace);
        }
        let factor = i64::try_from(period).ok()?;
        for (warp, assumed) in warps.iter().zip(&mut cycle.assumed) {
            for (register, step) in self.program.carried.iter().zip(assumed) {
                let bits = u32::from(warp.file.bits(*register));
                let times = |step: i64| step.wrapping_mul(factor).cast_unsigned();
                *step = step.map(|step| eval::sign_extend(times(step), bits));
            }
        }
        cycle.period = period;
        self.follow_iterations(cycle, warps, Phase::Confirm, (period, steps / period));
        Some(())
    }

    /// A whole period has been followed.
    fn confirm(&mut self, cycle: &mut Cycle<L>, warps: &mut [Warp<L>]) -> Option<()> {
        let (proof, holds) = self.followed_iterations(cycle, warps)?;
        if !holds || proof.region.period[ITERATION] != 1 {
            return None;
        }
        let visits = cycle.period;
        let steps = proof.region.steps[ITERATION];
        self.multiply(cycle, warps, (visits, steps), proof.trace)
    }

    /// The next period stands for `times`.
    fn multiply(
        &mut self,
        cycle: &mut Cycle<L>,
        warps: &mut [Warp<L>],
        (visits, times): (u64, u64),
        trace: Option<Trace>,
    ) -> Option<()> {
        let is_known = |ends: &Vec<Option<i64>>| ends.iter().all(Option::is_some);
        if times < 2 || !cycle.ends.iter().all(is_known) {
            return None;
        }
        cycle.replay = self.replay_of(trace)?;
        self.irregular.clone_from(&cycle.replay.sites);
        cycle.phase = Phase::Multiply;
        cycle.left = visits;
        cycle.times = times;
        cycle.occurrences = warps.iter().map(|warp| warp.occurrences.clone()).collect();
        self.times = times;
        if let Some(proof) = &mut self.proof {
            proof.region.steps[ITERATION] = times - 1;
            for (number, warp) in warps.iter_mut().enumerate() {
                let whole = cycle.point[number].as_ref().is_some_and(|one| one.whole);
                let carried = self.program.carried.iter();
                for (register, (slope, lanes)) in carried.zip(cycle.growths(number)) {
                    let growth = &mut warp.growths[register.index()];
                    growth.0[ITERATION] = slope[ITERATION];
                    if lanes == 0 {
                        growth.1 = 0;
                    } else if !whole && slope != FLAT {
                        growth.1 &= lanes;
                    }
                }
            }
        }
        Some(())
    }

    /// The period that stands for many has run: registers are moved behind the last one.
    fn skip(&mut self, cycle: &Cycle<L>, warps: &mut [Warp<L>]) -> Result<(), End> {
        let further = cycle.times - 1;
        self.times = 1;
        self.irregular.clear();
        if let Some(proof) = &mut self.proof {
            proof.region.steps[ITERATION] = 0;
        }
        if !cycle.replay.is_empty() {
            let kept: Vec<File<L>> = warps.iter().map(|warp| self.carried(warp)).collect();
            self.replay(warps, &cycle.replay, further)?;
            for (warp, kept) in warps.iter_mut().zip(&kept) {
                warp.file.restore(&self.program.carried, kept);
            }
        }
        for (number, warp) in warps.iter_mut().enumerate() {
            for growth in &mut warp.growths {
                growth.0[ITERATION] = 0;
            }
            let Some(place) = cycle.point[number].as_ref() else {
                continue;
            };
            for (register, step) in self.program.carried.iter().zip(&cycle.ends[number]) {
                let by = step.unwrap_or(0).cast_unsigned().wrapping_mul(further);
                if by != 0 {
                    shift(warp, *register, by, place);
                    if let Some(proof) = &mut self.proof {
                        proof.note_moved(warp.number, *register);
                    }
                }
            }
            let before = &cycle.occurrences[number];
            for ((id, count), before) in (0..).map(SiteId).zip(&mut warp.occurrences).zip(before) {
                if !cycle.replay.sites.contains(&id) {
                    let grown = *count - before;
                    *count = count.saturating_add(grown.saturating_mul(further));
                }
            }
        }
        self.points.succeeded(cycle.scope, cycle.slot());
        Ok(())
    }

    /// The registers that a point is left with.
    fn carried(&self, warp: &Warp<L>) -> File<L> {
        warp.file.only(&self.program.carried)
    }

    /// By how much each carried register has grown since the last visit.
    fn differences(&self, cycle: &Cycle<L>, warps: &[Warp<L>]) -> Steps {
        let each = warps.iter().zip(&cycle.files).zip(&cycle.point);
        let carried = || (0..).map(Register).zip(&self.program.carried);
        each.map(|((warp, before), place)| {
            let lanes = place.as_ref().map_or(0, |place| place.mask);
            carried()
                .map(|(at, register)| grown((before, at), (&warp.file, *register), lanes))
                .collect()
        })
        .collect()
    }
}
