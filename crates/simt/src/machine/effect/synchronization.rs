//! Barriers of the block and the warp, and convergence barriers. What each returns: whether the split still runs.

use lanescope_ir::{Op, Operand};

use crate::Doubt;
use crate::machine::Machine;
use crate::machine::arithmetic::{each, register};
use crate::machine::register::Value;
use crate::machine::warp::{State, Warp};
use crate::outcome::{DoubtKind, FindingKind, Source};
use crate::prepare::program::Slot;

/// A barrier that no number of the program's names: that of the grid or cluster.
const WIDE: u64 = u64::MAX;

impl<const L: usize> Machine<'_, L> {
    pub(super) fn synchronize(
        &mut self,
        warp: &mut Warp<L>,
        at: usize,
        slot: &Slot,
        op: &Op,
        mask: u64,
    ) -> bool {
        match op {
            Op::Barrier {
                id,
                threads,
                arrive,
            } => {
                let id = self.agreed(warp, *id, slot, mask);
                let threads = threads.map(|threads| self.agreed(warp, threads, slot, mask));
                if *arrive {
                    self.arrive(warp, id, mask);
                    return true;
                }
                let state = State::Barrier {
                    id,
                    threads,
                    reduce: None,
                };
                self.wait(warp, at, slot, state);
                false
            }
            Op::BarrierReduce { op, dst, a, id } => {
                let state = State::Barrier {
                    id: self.agreed(warp, *id, slot, mask),
                    threads: None,
                    reduce: Some((*op, *dst, register(*a).0)),
                };
                self.wait(warp, at, slot, state);
                false
            }
            Op::WideBarrier { arrive } => self.wait_for_all(warp, at, slot, *arrive),
            Op::WarpSync { mask: lanes } => {
                let named = each(mask).map(|lane| warp.file.lane(register(*lanes), lane));
                let lanes = named.fold(0, |all, lanes| all | lanes);
                let waits = lanes & warp.alive & !mask != 0;
                if waits {
                    warp.splits[at].state = State::Sync(lanes | mask);
                    warp.synchronize();
                }
                !waits
            }
            Op::ObjectBarrier {
                done,
                state,
                expected_bytes,
                ..
            } => {
                self.races = None;
                if let Some(bytes) = expected_bytes {
                    self.count_bulk(warp, slot.place, *bytes, mask);
                }
                if let Some(done) = done {
                    self.set(warp, *done, &Value::Mask(u64::MAX), (0, 0), mask);
                }
                self.forget(warp, state.as_slice(), slot, mask);
                true
            }
            // `machine/effect.rs` sends nothing else here, and tests would say so.
            other => {
                debug_assert!(false, "no barrier: {other:?}");
                true
            }
        }
    }

    /// Threads arrive at a barrier of the block and go on.
    fn arrive(&mut self, warp: &Warp<L>, id: u64, mask: u64) {
        let whole = if mask == warp.alive {
            self.width as u64
        } else {
            u64::from(mask.count_ones())
        };
        *self.arrived.entry(id).or_default() += whole;
    }

    /// The barrier of the grid or cluster. What blocks tell each other there is not followed.
    fn wait_for_all(&mut self, warp: &mut Warp<L>, at: usize, slot: &Slot, arrive: bool) -> bool {
        if self.program.memory & crate::prepare::slice::GLOBAL != 0 {
            self.notes.doubt(Doubt {
                kind: DoubtKind::Memory,
                place: slot.place,
                site: None,
                source: Source::Unmodelled(slot.place),
            });
        }
        if !arrive {
            let state = State::Barrier {
                id: WIDE,
                threads: None,
                reduce: None,
            };
            self.wait(warp, at, slot, state);
        }
        arrive
    }

    pub(super) fn converge(&self, warp: &mut Warp<L>, at: usize, op: &Op, mask: u64) -> bool {
        match op {
            Op::Arm { barrier, .. } => warp.arm(*barrier, mask),
            Op::Join { barrier } => {
                let next = warp.splits[at].slot;
                return warp.join(at, *barrier, next) && warp.splits.len() == 1;
            }
            Op::Leave { barrier } => {
                warp.leave(*barrier, mask);
                return warp.splits.len() == 1;
            }
            Op::SaveBarrier { dst, barrier } => {
                let lanes = warp.barrier_lanes(*barrier, mask);
                self.set(warp, *dst, &Value::Uniform(lanes), (0, 0), mask);
            }
            Op::RestoreBarrier { barrier, a } => {
                let lane = mask.trailing_zeros() as usize;
                let lanes = warp.file.lane(register(*a), lane);
                warp.restore(*barrier, mask, lanes);
            }
            // `machine/effect.rs` sends nothing else here, and tests would say so.
            other => debug_assert!(false, "no convergence barrier: {other:?}"),
        }
        true
    }

    /// The value of an operand that all lanes should share; the first lane's.
    fn agreed(&mut self, warp: &mut Warp<L>, operand: Operand, slot: &Slot, mask: u64) -> u64 {
        let (unknown, source) = warp.file.unknown(operand, mask);
        if unknown != 0 {
            self.doubt_control(warp, DoubtKind::Barrier, slot.place, source);
        }
        warp.file
            .lane(register(operand), mask.trailing_zeros() as usize)
    }

    /// A split waits for others of the block.
    fn wait(&mut self, warp: &mut Warp<L>, at: usize, slot: &Slot, state: State) {
        let split = &mut warp.splits[at];
        split.state = state;
        let mask = split.mask;
        let counts_threads = matches!(
            state,
            State::Barrier {
                threads: Some(_),
                ..
            }
        );
        if mask != warp.alive && !counts_threads {
            let lane = mask.trailing_zeros() as usize;
            let missing_lane = (warp.alive & !mask).trailing_zeros();
            let kind = FindingKind::DivergentBarrier { missing_lane };
            self.finding(warp, kind, slot.place, None, lane);
        }
    }
}
