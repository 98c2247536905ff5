//! Executes again what data decides in a period or a block, for each that is told and not run.

use super::trace::Trace;
use super::{Act, Extent, Repeated, Replay};
use crate::machine::Machine;
use crate::machine::warp::Warp;
use crate::outcome::End;
use lanescope_ir::SiteId;
use std::rc::Rc;

impl<const L: usize> Machine<'_, L> {
    /// What is executed again of an iteration.
    pub(crate) fn replay_of(&mut self, trace: Option<Trace>) -> Option<Rc<Replay>> {
        let Some(trace) = trace.filter(|trace| !trace.is_regular()) else {
            return Some(Rc::default());
        };
        if let Some((last, replay)) = &self.last_replay
            && *last == trace
        {
            return Some(Rc::clone(replay));
        }
        let of = (self.program, self.kernel);
        let replay = Rc::new(Replay::of(&trace, Extent::Iteration, of)?);
        self.last_replay = Some((trace, Rc::clone(&replay)));
        Some(replay)
    }

    /// Executes what irregular accesses need of an iteration of some warps, and makes their requests, so many times.
    pub(crate) fn replay(
        &mut self,
        warps: &mut [Warp<L>],
        replay: &Replay,
        times: u64,
    ) -> Result<(), End> {
        let repeated = replay.repeated(self.program);
        let alive: Vec<u64> = warps.iter().map(|warp| warp.alive).collect();
        warps.iter_mut().for_each(Warp::forget_elsewhere);
        let ran = (0..times).try_for_each(|_| self.repeat_all(warps, &repeated));
        for (warp, alive) in warps.iter_mut().zip(alive) {
            warp.alive = alive;
        }
        ran
    }

    /// The same of a block, once.
    pub(crate) fn replay_block(
        &mut self,
        block: u64,
        repeated: &[Repeated<'_>],
        sites: &[SiteId],
    ) -> Result<(), End> {
        self.block = block;
        self.block_index = self.launch.block_at(block);
        let mut warps = std::mem::take(&mut self.warps);
        for warp in &mut warps {
            warp.forget_elsewhere();
            for site in sites {
                warp.occurrences[site.index()] = 0;
            }
        }
        let ran = self.repeat_all(&mut warps, repeated);
        self.warps = warps;
        ran
    }

    /// Executes instructions again.
    fn repeat_all(&mut self, warps: &mut [Warp<L>], repeated: &[Repeated<'_>]) -> Result<(), End> {
        self.tick_times(repeated.len() as u64)?;
        for instruction in repeated {
            let warp = &mut warps[instruction.warp];
            // Only what it writes depends on the lanes that live: where those are that it is executed in, it writes whole.
            warp.alive = if instruction.whole {
                instruction.mask
            } else {
                u64::MAX
            };
            match instruction.act {
                Act::Compute(pure) => {
                    let is_done = instruction.whole
                        && warp
                            .file
                            .compute_pure(instruction.op, pure, instruction.mask);
                    if !is_done {
                        self.compute(warp, instruction.slot, instruction.op, instruction.mask);
                    }
                }
                Act::Load(dst, address, site) => {
                    self.load(warp, instruction.slot, dst, address, site, instruction.mask)?;
                }
                Act::Read(dst, address, site) => {
                    self.load_value(warp, instruction.slot, dst, address, site, instruction.mask);
                }
                Act::Other => {
                    self.effect(warp, 0, instruction.slot, instruction.op, instruction.mask)?;
                }
            }
        }
        Ok(())
    }
}
