//! Barriers of a block: who waits, who is missing, what opens them.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_ir::{PlaceId, Stage};

use super::Machine;
use crate::machine::register::{SourceId, Value};
use crate::machine::warp::{Split, State, Warp};
use crate::outcome::{End, Finding, FindingKind};

impl<'a, const L: usize> Machine<'a, L> {
    /// Lanes that wait for others of their warp which never come are a deadlock too.
    pub(super) fn check_finished(&mut self) -> Result<(), End> {
        if self.warps.iter().all(|warp| warp.alive == 0) {
            return Ok(());
        }
        self.report_deadlock();
        Err(End::Deadlock)
    }

    pub(super) fn report_deadlock(&mut self) {
        let waiting = self.warps.iter().find(|warp| warp.alive != 0);
        let Some(warp) = waiting else { return };
        let number = warp.number;
        let split = warp.splits.first();
        let place = split
            .and_then(|split| {
                self.program
                    .slots
                    .get((split.slot as usize).saturating_sub(1))
            })
            .map_or(PlaceId::default(), |slot| slot.place);
        let lane = split
            .map_or(warp.alive, |split| split.mask)
            .trailing_zeros();
        let here = split.map_or(warp.alive, |split| split.mask);
        // One that runs elsewhere rather than one that has exited.
        let elsewhere = |of: fn(&Warp<L>) -> u64| {
            self.warps.iter().find_map(|value| {
                let waits = if value.number == number { here } else { 0 };
                let mask = of(value) & !waits;
                (mask != 0).then(|| (value.number, mask.trailing_zeros()))
            })
        };
        let (other_warp, other_lane) = elsewhere(|one| one.alive)
            .or_else(|| elsewhere(|one| one.began))
            .unwrap_or((number, lane));
        self.notes.find(Finding {
            kind: FindingKind::Deadlock {
                other_warp,
                other_lane,
            },
            place,
            site: None,
            block: self.block,
            warp: number,
            lane,
        });
    }

    /// Opens every barrier whose threads have all come. Returns whether any split can go on.
    pub(super) fn open_barriers(&mut self) -> Result<bool, End> {
        for warp in &mut self.warps {
            warp.synchronize();
        }
        let mut waiting: BTreeMap<u64, (u64, u64, Option<u64>)> = BTreeMap::new();
        let mut alive = 0;
        for warp in &self.warps {
            alive += u64::from(warp.alive.count_ones());
            for split in &warp.splits {
                if let State::Barrier { id, threads, .. } = split.state {
                    let came = u64::from(split.mask.count_ones());
                    // What has exited of a warp that has come whole counts as come where threads are counted.
                    let gone = if split.mask == warp.alive {
                        (self.width as u64).saturating_sub(came)
                    } else {
                        0
                    };
                    let entry = waiting.entry(id).or_insert((0, 0, threads));
                    entry.0 += came;
                    entry.1 += came + gone;
                }
            }
        }
        for (id, (came, counted, threads)) in waiting {
            let arrived = self.arrived.get(&id).copied().unwrap_or(0);
            let complete = match threads {
                None => came.saturating_add(arrived) >= alive,
                Some(threads) => counted.saturating_add(arrived) >= threads,
            };
            if complete {
                self.open(id);
            }
        }
        Ok(self.warps.iter().any(|warp| warp.next().is_some()))
    }

    /// Opens barriers in branches that the rest of a warp has gone past. CUDA leaves open what happens there, and each
    /// such barrier is found to be divergent; of a source, what follows is shown as if the others had exited.
    pub(super) fn pass_divergent(&mut self) -> bool {
        if self.kernel.stage != Stage::Source {
            return false;
        }
        let mut waiting = BTreeSet::new();
        for split in self.warps.iter().flat_map(|warp| &warp.splits) {
            let State::Barrier {
                id, threads: None, ..
            } = split.state
            else {
                return false;
            };
            waiting.insert(id);
        }
        for id in &waiting {
            self.open(*id);
        }
        !waiting.is_empty()
    }

    /// Finds where threads wait at a barrier that others do not reach because they have exited. Hardware does not wait
    /// for those; only of a source is it worth a word, as CUDA's rules for a barrier under a condition ask all to come.
    fn check_exited(&mut self, id: u64) {
        if self.kernel.stage != Stage::Source {
            return;
        }
        let exited = |warp: &Warp<L>| warp.began & !warp.alive;
        let gone = self.warps.iter().find(|warp| exited(warp) != 0);
        let Some((exited_warp, exited_lane)) =
            gone.map(|warp| (warp.number, exited(warp).trailing_zeros()))
        else {
            return;
        };
        let waits = self.warps.iter().find_map(|warp| {
            let at = |split: &&Split| {
                matches!(split.state, State::Barrier { id: here, threads: None, .. } if here == id)
            };
            let split = warp.splits.iter().find(at)?;
            Some((warp.number, split.slot, split.mask.trailing_zeros()))
        });
        let Some((warp, slot, lane)) = waits else {
            return;
        };
        let slot = (slot as usize).saturating_sub(1);
        let place = self.program.slots.get(slot).map(|slot| slot.place);
        self.notes.find(Finding {
            kind: FindingKind::BarrierAfterExit {
                exited_warp,
                exited_lane,
            },
            place: place.unwrap_or_default(),
            site: None,
            block: self.block,
            warp,
            lane,
        });
    }

    /// Lets everyone go on who waits at a barrier.
    fn open(&mut self, id: u64) {
        self.check_exited(id);
        self.arrived.remove(&id);
        self.observer.barrier();
        if let Some(races) = &mut self.races {
            races.next_epoch();
        }
        let results = self.reduced(id);
        for warp in &mut self.warps {
            let alive = warp.alive;
            for at in 0..warp.splits.len() {
                let split = warp.splits[at];
                if let State::Barrier {
                    id: here, reduce, ..
                } = split.state
                    && here == id
                {
                    warp.splits[at].state = State::Ready;
                    if let Some((op, dst, _)) = reduce {
                        let (value, unknown) = results.value(op);
                        let mask = if unknown == 0 { 0 } else { split.mask };
                        let value = Value::Uniform(value);
                        warp.file.put(
                            dst,
                            &value,
                            (mask, unknown),
                            split.mask,
                            split.mask == alive,
                        );
                    }
                }
            }
        }
    }

    fn reduced(&self, id: u64) -> Reduced {
        let mut all = Reduced {
            count: 0,
            threads: 0,
            unknown: 0,
        };
        for warp in &self.warps {
            for split in &warp.splits {
                if let State::Barrier {
                    id: here,
                    reduce: Some((_, _, source)),
                    ..
                } = split.state
                    && here == id
                {
                    let register = lanescope_ir::Register(source);
                    let holds = warp.file.mask(register) & split.mask;
                    let entry = warp.file.entry(register);
                    if entry.unknown & split.mask != 0 {
                        all.unknown = all.unknown.max(entry.source);
                    }
                    all.count += u64::from(holds.count_ones());
                    all.threads += u64::from(split.mask.count_ones());
                }
            }
        }
        all
    }
}

/// What a barrier's reduction gives.
struct Reduced {
    count: u64,
    threads: u64,
    unknown: SourceId,
}

impl Reduced {
    fn value(&self, op: lanescope_ir::WarpReduceOp) -> (u64, SourceId) {
        use lanescope_ir::WarpReduceOp as Reduce;
        let value = match op {
            Reduce::Add => self.count,
            Reduce::And | Reduce::Minimum | Reduce::Multiply => {
                u64::from(self.count == self.threads)
            }
            Reduce::Or | Reduce::Maximum => u64::from(self.count != 0),
            Reduce::Xor => self.count & 1,
        };
        (value, self.unknown)
    }
}
