//! Machine: runs the blocks of a launch, one after another, the warps of a block from barrier to barrier.

mod access;
pub(crate) mod address;
pub(crate) mod arithmetic;
mod barriers;
mod control;
mod effect;
mod exchange;
mod executions;
pub(crate) mod memory;
mod notes;
mod races;
pub(crate) mod register;
mod sources;
mod vectorized;
pub(crate) mod warp;

use std::collections::BTreeMap;

use lanescope_ir::{AddressSpace, ArrayId, Kernel, Op, PlaceId, SiteId};

use crate::launch::unsized_shared;
use crate::machine::address::Target;
use crate::machine::executions::Executions;
use crate::machine::memory::{Allocation, Bytes, Global, allocations, parameter_image};
use crate::machine::notes::Notes;
use crate::machine::races::Races;
use crate::machine::register::SourceId;
use crate::machine::warp::Warp;
use crate::outcome::{End, Finding, FindingKind};
use crate::prepare::program::{Program, Slot};
use crate::proof::cycle::{Cycle, Points, Scope};
use crate::proof::replay::LastReplay;
use crate::proof::together::Together;
use crate::{BlockDone, Budget, Launch, Observer, Outcome, STEPS_BETWEEN, Source};

use sources::Sources;

/// What all blocks share, and the block that runs.
pub(crate) struct Machine<'a, const L: usize> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) program: &'a Program,
    pub(crate) launch: &'a Launch,
    pub(crate) observer: &'a mut dyn Observer,
    pub(crate) budget: Budget,
    /// Lanes of a warp.
    pub(crate) width: usize,
    pub(crate) notes: Notes,
    pub(crate) sources: Sources,
    pub(crate) global: Global,
    pub(crate) constant: Bytes,
    pub(crate) parameters: Bytes,
    pub(crate) shared: Bytes,
    /// What stands at the system's words in front of it, by address.
    pub(crate) system: Bytes,
    /// Bytes of shared memory of a block; none: not known.
    pub(crate) shared_bytes: Option<u64>,
    pub(crate) races: Option<Races>,
    pub(crate) requests: u64,
    pub(crate) steps: u64,
    /// Steps below which nothing is to be checked.
    steps_unchecked: u64,
    pub(crate) block: u64,
    pub(crate) block_index: [u32; 3],
    pub(crate) warps: Vec<Warp<L>>,
    /// Threads that arrived at a barrier without waiting.
    pub(crate) arrived: BTreeMap<u64, u64>,
    /// Bytes that local memory takes.
    pub(crate) local_bytes: u64,
    pub(crate) uninitialized: SourceId,
    pub(crate) unnamed: SourceId,
    pub(crate) forgotten: SourceId,
    pub(crate) inactive: SourceId,
    pub(crate) blocks_done: u64,
    pub(crate) blocks_run: u64,
    /// What is proved of the block that runs, while something is.
    pub(crate) proof: Option<Box<crate::proof::Proof>>,
    /// What is proved of an iteration, while one is followed.
    pub(crate) iteration: Option<Box<crate::proof::Proof>>,
    /// The loop whose iterations are looked at.
    pub(crate) cycle: Option<Box<Cycle<L>>>,
    pub(crate) points: Points,
    /// Iterations that each request stands for.
    pub(crate) times: u64,
    /// Accesses that make their requests in each of them.
    pub(crate) irregular: Vec<SiteId>,
    pub(crate) last_replay: LastReplay,
    /// Whether blocks are alike but for what data decides.
    pub(crate) data_decides: bool,
    /// Blocks that run together with the one that runs.
    pub(crate) together: Option<Together>,
    /// Room for the addresses of an access.
    pub(crate) spare_target: Option<Box<Target<L>>>,
    /// What requests may be moved by; none: blocks and iterations run one by one.
    pub(crate) periods: Option<crate::Periods>,
    pub(crate) executions: Executions,
}

/// Bytes that a register takes beside its lanes.
const REGISTER_BYTES: u64 = 48;

impl<'a, const L: usize> Machine<'a, L> {
    pub(crate) fn new(
        kernel: &'a Kernel,
        program: &'a Program,
        launch: &'a Launch,
        width: usize,
        budget: Budget,
        observer: &'a mut dyn Observer,
    ) -> Self {
        let mut sources = Sources::default();
        let [uninitialized, unnamed, forgotten, inactive] = [
            Source::Uninitialized,
            Source::Memory,
            Source::Forgotten,
            Source::InactiveLane,
        ]
        .map(|source| sources.id(source));
        for (position, _) in kernel.parameters.iter().enumerate() {
            sources.id(Source::Parameter(
                u32::try_from(position).unwrap_or(u32::MAX),
            ));
        }
        for (number, _) in kernel.arrays.iter().enumerate() {
            sources.id(Source::Contents(ArrayId(
                u32::try_from(number).unwrap_or(u32::MAX),
            )));
        }
        let of = |source: Source| sources.known.get(&source).copied().unwrap_or(unnamed);
        let parameters = parameter_image(kernel, launch, |at| of(Source::Parameter(at)));
        let all = allocations(kernel, launch, |array| {
            array.map_or(unnamed, |array| of(Source::Contents(array)))
        });
        let mut machine = Self {
            kernel,
            program,
            launch,
            observer,
            budget,
            width: width.min(L),
            notes: Notes::new(budget.findings),
            sources,
            global: Global::new(all, budget.bytes),
            constant: Bytes::default(),
            parameters,
            shared: Bytes::default(),
            system: Bytes::default(),
            shared_bytes: kernel
                .shared_bytes
                .filter(|_| unsized_shared(kernel, launch).next().is_none())
                .map(|bytes| bytes.saturating_add(launch.dynamic_shared_bytes)),
            races: None,
            requests: 0,
            steps: 0,
            steps_unchecked: 0,
            block: 0,
            block_index: [0; 3],
            warps: Vec::new(),
            arrived: BTreeMap::new(),
            local_bytes: 0,
            uninitialized,
            unnamed,
            forgotten,
            inactive,
            blocks_done: 0,
            blocks_run: 0,
            proof: None,
            iteration: None,
            cycle: None,
            points: Points::default(),
            times: 1,
            irregular: Vec::new(),
            last_replay: None,
            data_decides: false,
            together: None,
            spare_target: None,
            periods: None,
            executions: Executions::new(program.stretches.len()),
        };
        machine.initialize();
        machine
    }

    /// Puts what declared arrays hold into constant and global memory.
    fn initialize(&mut self) {
        let word = |byte: u8| crate::machine::memory::Word {
            bits: u64::from(byte),
            source: 0,
        };
        let limit = crate::machine::memory::MOST_SHARED;
        for (number, array) in self.kernel.arrays.iter().enumerate() {
            let is_constant = array.space == AddressSpace::Constant;
            if is_constant {
                for place in 0..array.bytes.unwrap_or(0).min(limit) {
                    self.constant
                        .write(array.base.saturating_add(place), 1, word(0), limit);
                }
            }
            let start = self.global.allocations.get(number).and_then(Option::as_ref);
            let start = start.map(|allocation: &Allocation| allocation.start);
            for (offset, bytes) in &array.initial {
                for (place, byte) in (0_u64..).zip(bytes.iter().take(1 << 20)) {
                    let at = offset.saturating_add(place);
                    if is_constant {
                        self.constant
                            .write(array.base.saturating_add(at), 1, word(*byte), limit);
                    }
                    if let Some(start) = start {
                        self.global.write(start.wrapping_add(at), 1, word(*byte));
                    }
                }
            }
        }
    }

    /// Runs every block that the launch asks for.
    pub(crate) fn run(&mut self) -> End {
        let (first, end) = self.launch.block_range();
        for block in first..end {
            if let Err(end) = self.run_block(block) {
                return end;
            }
            if let Err(end) = self.finish_block(1) {
                return end;
            }
        }
        End::Complete
    }

    /// Tells the observer of a block that ran and stands for so many.
    pub(crate) fn finish_block(&mut self, times: u64) -> Result<(), End> {
        if times > 1 {
            self.executions.settle(times);
        }
        self.blocks_run += 1;
        self.blocks_done = self.blocks_done.saturating_add(times);
        let done = BlockDone {
            block: self.block,
            times,
        };
        if self.observer.block_done(&done) {
            Ok(())
        } else {
            self.stopped()
        }
    }

    /// The observer wants no more: of blocks that run together, behind the last of them.
    pub(crate) const fn stopped(&mut self) -> Result<(), End> {
        match &mut self.together {
            Some(together) => {
                together.is_stopped = true;
                Ok(())
            }
            None => Err(End::Observer),
        }
    }

    pub(crate) fn outcome(mut self, end: End) -> Outcome {
        let (first, last) = self.launch.block_range();
        let executed = self.executed();
        Outcome {
            end,
            requests: self.requests,
            steps: self.steps,
            blocks_done: self.blocks_done,
            blocks_run: self.blocks_run,
            blocks_total: last - first,
            findings: self.notes.findings,
            executed,
            doubts: self.notes.doubts,
        }
    }

    /// Counts a step.
    #[inline]
    pub(crate) fn tick(&mut self) -> Result<(), End> {
        self.tick_times(1)
    }

    /// Counts steps.
    #[inline]
    pub(crate) fn tick_times(&mut self, steps: u64) -> Result<(), End> {
        self.steps += steps;
        if self.steps < self.steps_unchecked {
            return Ok(());
        }
        self.check_steps()
    }

    /// Whether there are steps left, and whether the observer goes on.
    #[cold]
    fn check_steps(&mut self) -> Result<(), End> {
        let is_due =
            self.steps_unchecked != 0 && self.steps_unchecked.is_multiple_of(STEPS_BETWEEN);
        let next = (self.steps + 1).next_multiple_of(STEPS_BETWEEN);
        self.steps_unchecked = next.min(self.budget.steps.saturating_add(1));
        if self.steps > self.budget.steps {
            self.steps = self.budget.steps;
            return Err(End::Steps);
        }
        if is_due && !self.observer.goes_on() {
            return self.stopped();
        }
        Ok(())
    }

    /// Sets the warps of a block to their first slot.
    fn begin_block(&mut self, block: u64) -> Result<(), End> {
        self.block = block;
        self.block_index = self.launch.block_at(block);
        let threads = self.launch.block_threads();
        let width = self.width.max(1) as u64;
        let warps = threads.div_ceil(width);
        let registers = self.program.bits.len() as u64;
        let sites = self.kernel.sites.len() as u64;
        let each = registers * (REGISTER_BYTES + L as u64 * 8) + sites * 8 + 256;
        if warps.saturating_mul(each) > self.budget.bytes {
            return Err(End::Bytes);
        }
        self.shared.clear();
        self.system.clear();
        self.arrived.clear();
        self.local_bytes = 0;
        if self.is_watched(block) {
            self.races.get_or_insert_with(Races::default).next_epoch();
        } else {
            self.races = None;
        }
        let warps = usize::try_from(warps).unwrap_or(usize::MAX);
        self.warps.resize_with(warps, Warp::default);
        // An empty warp costs a step too.
        for _ in 0..self.warps.len() {
            self.tick()?;
        }
        for (number, warp) in self.warps.iter_mut().enumerate() {
            let lanes = (threads - number as u64 * width).min(width);
            let mask = u64::MAX >> (64 - lanes);
            warp.file.reset(&self.program.bits, &self.program.constants);
            let number = u32::try_from(number).unwrap_or(u32::MAX);
            warp.begin(number, mask, self.kernel.sites.len());
            warp.growths.clear();
            if self.proof.is_some() {
                warp.growths
                    .resize(self.program.bits.len(), crate::proof::UNTOUCHED);
            }
        }
        Ok(())
    }

    /// Whether the shared memory of a block is watched for races: that of those which run first. Where data decides what a
    /// block does it is that of the first of the launch, whichever others run before them.
    pub(crate) fn is_watched(&self, block: u64) -> bool {
        let before = if self.data_decides {
            block - self.launch.block_range().0
        } else {
            self.blocks_run
        };
        before < self.budget.watched_blocks
    }

    /// Runs a block.
    pub(crate) fn run_block(&mut self, block: u64) -> Result<(), End> {
        self.tick()?;
        self.begin_block(block)?;
        loop {
            let mut warps = std::mem::take(&mut self.warps);
            let ran = warps.iter_mut().try_for_each(|warp| self.run_warp(warp));
            self.warps = warps;
            ran?;
            if self.warps.iter().all(|warp| warp.splits.is_empty()) {
                self.leave_points(Scope::Block);
                return self.check_finished();
            }
            if !self.open_barriers()? && !self.pass_divergent() {
                self.report_deadlock();
                return Err(End::Deadlock);
            }
            self.visit_barrier()?;
        }
    }

    /// How many requests one of an access stands for: those of iterations, and of blocks that run together.
    #[inline]
    pub(crate) fn times_of(&self, id: SiteId) -> u64 {
        let iterations = match self.times {
            2.. if self.irregular.contains(&id) => 1,
            times => times,
        };
        let blocks = match &self.together {
            Some(together) if !together.irregular.contains(&id) => together.blocks,
            Some(_) | None => 1,
        };
        iterations.saturating_mul(blocks)
    }

    pub(crate) fn finding(
        &mut self,
        warp: &Warp<L>,
        kind: FindingKind,
        place: PlaceId,
        site: Option<SiteId>,
        lane: usize,
    ) {
        self.notes.find(Finding {
            kind,
            place,
            site,
            block: self.block,
            warp: warp.number,
            lane: u32::try_from(lane).unwrap_or(0),
        });
    }

    /// Does an instruction that computes one register from others alone. Returns whether it is one.
    pub(crate) fn compute(&self, warp: &mut Warp<L>, slot: &Slot, op: &Op, mask: u64) -> bool {
        let Some(pure) = &slot.pure else {
            return false;
        };
        let whole = slot.writes_whole(warp, pure.dst, mask);
        let is_done = if whole {
            warp.file.compute_pure(op, pure, mask)
        } else {
            warp.file.compute_in(pure, self.program.spare, mask)
        };
        if is_done {
            return true;
        }
        // Bound by reference: a binding by value would copy all lanes once more.
        let computed = warp.file.compute(op, mask);
        let Some((dst, (value, unknown))) = &computed else {
            return false;
        };
        warp.file.put(*dst, value, *unknown, mask, whole);
        true
    }
}
