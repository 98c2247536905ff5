//! One block: its warps, from barrier to barrier.

use super::{Machine, Pause, Warp};
use crate::code::Preset;
use crate::launch::Limit;
use crate::{DiagnosticKind, End, Span};

/// Steps that entering a block counts for: about what it takes beside its warps' instructions.
pub(super) const BLOCK_STEPS: u64 = 16;

impl Machine<'_> {
    /// Runs block `index` to its end.
    pub(super) fn run_block(&mut self, index: u64, warps: &mut [Warp]) -> Result<(), End> {
        // A block costs steps even where its warps have nothing to do: a huge grid of them must end.
        self.steps = self.steps.saturating_add(BLOCK_STEPS + warps.len() as u64);
        if self.steps > self.budget.steps {
            return Err(End::Stopped(Limit::Steps));
        }
        self.enter_block(index);
        for warp in warps.iter_mut() {
            warp.begin();
        }
        loop {
            for (at, warp) in warps.iter_mut().enumerate() {
                if warp.done || warp.waiting {
                    continue;
                }
                self.warp = u32::try_from(at).unwrap_or(0);
                self.registers.enter(self.warp);
                match self.run_warp(warp) {
                    Pause::Barrier => warp.waiting = true,
                    Pause::Done => warp.done = true,
                    Pause::End(end) => return Err(end),
                }
            }
            if warps.iter().all(|warp| warp.done) {
                return Ok(());
            }
            self.release(warps);
        }
    }

    fn enter_block(&mut self, index: u64) {
        self.block_index = index;
        self.block = self.launch.block_at(index);
        self.epoch += 1;
        self.memory.new_block();
        let program = self.program;
        for (reg, preset) in &program.code.presets {
            if let Preset::BlockIdx(axis) = preset {
                let ghost = self.registers.ghost(*reg);
                self.registers.set(
                    *reg,
                    i64::from(self.block[usize::from((*axis).min(2))]),
                    ghost,
                );
            }
        }
        if index >= self.first_block + self.budget.watched_blocks {
            self.watch = None;
        } else if let Some(watch) = &mut self.watch {
            watch.barrier();
        }
    }

    /// All warps that still run wait: they go on.
    fn release(&mut self, warps: &mut [Warp]) {
        self.epoch += 1;
        if let Some(watch) = &mut self.watch {
            watch.barrier();
        }
        self.check_barrier(warps);
        self.observer.barrier();
        for warp in warps {
            warp.waiting = false;
            warp.reuse.fence();
        }
    }

    /// A warp that has ended before the barrier that others wait at does not come.
    fn check_barrier(&mut self, warps: &[Warp]) {
        let Some(ended) = warps.iter().position(|warp| warp.done) else {
            return;
        };
        let Some((at, waits)) = warps.iter().enumerate().find(|(_, warp)| warp.waiting) else {
            return;
        };
        let Some(crate::code::Inst::Barrier { span }) =
            self.insts.get(waits.pc.wrapping_sub(1)).copied()
        else {
            return;
        };
        let small = |at: usize| u32::try_from(at).unwrap_or(0);
        let lane = waits.active.trailing_zeros() as usize;
        let (waits, returned) = (self.thread(small(at), lane), self.thread(small(ended), 0));
        self.say_at(span, DiagnosticKind::BarrierAfterReturn { waits, returned });
    }

    pub(super) fn say_at(&mut self, span: Span, kind: DiagnosticKind) {
        let (line, column) = self.program.lines.place(span.start);
        self.findings.say(span, line, column, kind);
    }

    pub(super) fn say_stopped(&mut self) {
        let requests = self.requests;
        self.findings.list.push(crate::Diagnostic {
            span: Span::default(),
            line: 1,
            column: 1,
            kind: DiagnosticKind::Stopped { requests },
            fix: None,
        });
    }

    /// Stops when what memory holds has grown past the budget.
    pub(super) fn over_budget(&self) -> Option<Pause> {
        if self.memory.bytes > self.budget.bytes {
            return Some(Pause::End(End::Stopped(Limit::Bytes)));
        }
        None
    }
}

impl Warp {
    fn begin(&mut self) {
        self.pc = 0;
        self.alive = self.born;
        self.active = self.born;
        self.frames.clear();
        self.moved.clear();
        self.waiting = false;
        self.done = self.born == 0;
        self.reuse.clear();
        self.window.clear();
        self.depth = 0;
        self.half = false;
        self.halves = 0;
        self.fresh = 0;
        self.plans.clear();
        self.occurrences.fill(0);
    }
}
