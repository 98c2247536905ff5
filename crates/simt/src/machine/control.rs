//! Control flow of a warp: its splits, their branches and where they part.

use std::collections::BTreeMap;

use lanescope_ir::{Guard, PlaceId, Terminator};

use super::Machine;
use crate::Doubt;
use crate::machine::register::SourceId;
use crate::machine::warp::{Split, Warp};
use crate::observer::Certainty;
use crate::outcome::{DoubtKind, End, Source};
use crate::prepare::program::Step;
use crate::prepare::stretches::ends_stretch;
use crate::proof::cycle::Scope;

impl<'a, const L: usize> Machine<'a, L> {
    /// Runs a warp until none of its splits can go on.
    pub(super) fn run_warp(&mut self, warp: &mut Warp<L>) -> Result<(), End> {
        while let Some(at) = warp.next() {
            self.run_split(warp, at)?;
        }
        self.leave_points(Scope::Warp(warp.number));
        Ok(())
    }

    /// Runs a split until it waits, parts, or another one comes first.
    fn run_split(&mut self, warp: &mut Warp<L>, at: usize) -> Result<(), End> {
        let program = self.program;
        let Split {
            mut slot, mut mask, ..
        } = warp.splits[at];
        warp.look_elsewhere(at, program);
        self.count_stretch(slot, mask);
        loop {
            self.tick()?;
            let Some(step) = program.slots.get(slot as usize) else {
                return Err(End::Invalid);
            };
            match &step.step {
                Step::End(terminator) => {
                    warp.splits[at].slot = slot;
                    if !self.terminate(warp, at, terminator, step.place)? {
                        return Ok(());
                    }
                    // Alone, a split simply goes on; otherwise the lowest slot comes first.
                    let [now] = warp.splits[..] else {
                        return Ok(());
                    };
                    if now.slot <= slot && self.periods.is_some() {
                        self.visit_slot(warp)?;
                        warp.look_elsewhere(at, program);
                    }
                    (slot, mask) = (warp.splits[at].slot, warp.splits[at].mask);
                    self.count_stretch(slot, mask);
                }
                Step::Do(op) => {
                    let mut active = mask;
                    if let Some(guard) = step.guard {
                        active &= self.guarded(warp, guard, step.place, mask);
                    }
                    slot += 1;
                    if active == 0 {
                        if ends_stretch(op) {
                            self.count_stretch(slot, mask);
                        }
                        continue;
                    }
                    if self.proof.is_some() || self.iteration.is_some() {
                        self.follow(warp, (slot - 1, step), op, active);
                    }
                    if step.pure.is_some() && self.compute(warp, step, op, active) {
                        continue;
                    }
                    warp.splits[at].slot = slot;
                    if !self.effect(warp, at, step, op, active)? {
                        return Ok(());
                    }
                    (slot, mask) = (warp.splits[at].slot, warp.splits[at].mask);
                    if ends_stretch(op) {
                        self.count_stretch(slot, mask);
                    }
                }
            }
        }
    }

    /// The lanes of a mask in which a guard lets an instruction execute.
    fn guarded(&mut self, warp: &mut Warp<L>, guard: Guard, place: PlaceId, mask: u64) -> u64 {
        let holds = warp.file.mask(guard.predicate);
        let entry = warp.file.entry(guard.predicate);
        if entry.unknown & mask != 0 {
            self.doubt_control(warp, DoubtKind::Branch, place, entry.source);
        }
        self.must_be_steady(warp, &[guard.predicate.into()], mask);
        if guard.negated { !holds } else { holds }
    }

    /// Ends a block of the program. Returns whether the split still runs.
    fn terminate(
        &mut self,
        warp: &mut Warp<L>,
        at: usize,
        terminator: &Terminator,
        place: PlaceId,
    ) -> Result<bool, End> {
        let program = self.program;
        let mask = warp.splits[at].mask;
        Ok(match terminator {
            Terminator::Jump(to) => warp.go(at, program.start(*to)),
            Terminator::Branch {
                predicate,
                negated,
                taken,
                otherwise,
                join,
            } => {
                let register = crate::machine::arithmetic::register(*predicate);
                self.must_be_steady(warp, &[*predicate], mask);
                let entry = warp.file.entry(register);
                if entry.unknown & mask != 0 {
                    self.doubt_control(warp, DoubtKind::Branch, place, entry.source);
                    // Where a loop's end depends on an argument that nobody gave, or on what could not be read, any number
                    // of iterations would be an invention, and the largest never ends.
                    if entry.unknown & mask == mask
                        && matches!(
                            self.sources.source(entry.source),
                            Source::Parameter(_) | Source::Unmodelled(_) | Source::Unpredictable
                        )
                        && let Some(out) = program.way_out(warp.splits[at].slot)
                    {
                        return Ok(warp.go(at, out));
                    }
                }
                let holds = warp.file.mask(register);
                let goes = mask & if *negated { !holds } else { holds };
                let (taken, otherwise) = (program.start(*taken), program.start(*otherwise));
                if goes == mask {
                    warp.go(at, taken)
                } else if goes == 0 {
                    warp.go(at, otherwise)
                } else {
                    let join = join.map(|block| program.start(block));
                    warp.part(at, &[(goes, taken), (mask & !goes, otherwise)], join);
                    false
                }
            }
            Terminator::Switch { index, targets } => {
                let last = targets.len() - 1;
                let choose = |value: u64| {
                    let chosen = usize::try_from(value).unwrap_or(last).min(last);
                    Some(program.start(targets[chosen]))
                };
                self.scatter(warp, at, *index, place, choose)?
            }
            Terminator::Indirect { address } => {
                self.scatter(warp, at, *address, place, |value| program.slot_at(value))?
            }
            Terminator::Exit => {
                warp.exit(at);
                false
            }
        })
    }

    /// Sends each lane where its value says.
    fn scatter(
        &mut self,
        warp: &mut Warp<L>,
        at: usize,
        by: lanescope_ir::Operand,
        place: PlaceId,
        target: impl Fn(u64) -> Option<u32>,
    ) -> Result<bool, End> {
        let register = crate::machine::arithmetic::register(by);
        let mask = warp.splits[at].mask;
        self.must_be_steady(warp, &[by], mask);
        let entry = warp.file.entry(register);
        if entry.unknown & mask != 0 {
            self.doubt_control(warp, DoubtKind::Branch, place, entry.source);
            // Where nothing is known of the target, such as behind a table that a listing lacks, any other would be
            // an invention, the entry's too, which never ends.
            if entry.unknown & mask == mask && warp.certainty == Certainty::Partial {
                warp.exit(at);
                return Ok(false);
            }
        }
        let mut parts: BTreeMap<u32, u64> = BTreeMap::new();
        for lane in crate::machine::arithmetic::each(mask) {
            let slot = target(warp.file.lane(register, lane)).ok_or(End::Invalid)?;
            *parts.entry(slot).or_default() |= 1 << lane;
        }
        if let (1, Some((slot, _))) = (parts.len(), parts.iter().next()) {
            return Ok(warp.go(at, *slot));
        }
        let parts: Vec<(u64, u32)> = parts.into_iter().map(|(slot, mask)| (mask, slot)).collect();
        warp.part(at, &parts, None);
        Ok(false)
    }

    /// Notes that something unknown decides what a warp does from here on.
    pub(crate) fn doubt_control(
        &mut self,
        warp: &mut Warp<L>,
        kind: DoubtKind,
        place: PlaceId,
        source: SourceId,
    ) {
        let why = self.sources.source(source);
        warp.certainty = warp.certainty.max(why.certainty());
        warp.doubt = warp.doubt.max(source);
        self.notes.doubt(Doubt {
            kind,
            place,
            site: None,
            source: why,
        });
    }
}
