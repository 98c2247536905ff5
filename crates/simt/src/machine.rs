//! Machine: runs the blocks of a launch, one after another, the warps of a block from barrier to barrier.

use crate::cycle::{Cycle, Points, Scope};
use crate::launch::unsized_shared;
use crate::memory::{Allocation, Bytes, Global, allocations, parameter_image};
use crate::notes::Notes;
use crate::observer::Certainty;
use crate::outcome::{DoubtKind, End, Finding, FindingKind};
use crate::program::{Program, Step};
use crate::races::Races;
use crate::register::{SourceId, Value};
use crate::warp::{Split, State, Warp};
use crate::{BlockDone, Budget, Doubt, Launch, Observer, Outcome, STEPS_BETWEEN, Source};
use lanescope_ir::{AddressSpace, ArrayId, Kernel, Op, PlaceId, SiteId, Stage, Terminator};
use std::collections::{BTreeMap, BTreeSet};

/// Sources from here on are not data: of two, the higher one is told.
const FIRST_OTHER_SOURCE: u8 = 96;
/// The highest source.
const LAST_SOURCE: u8 = 250;

/// Why values are unknown, by number.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    known: BTreeMap<Source, SourceId>,
    list: BTreeMap<SourceId, Source>,
}

impl Sources {
    /// The number of a source. Beyond what numbers hold, the last of its kind stands for the others.
    pub(crate) fn id(&mut self, source: Source) -> SourceId {
        if let Some(id) = self.known.get(&source) {
            return *id;
        }
        let (first, last) = if source.is_data() {
            (1, FIRST_OTHER_SOURCE - 1)
        } else {
            (FIRST_OTHER_SOURCE, LAST_SOURCE)
        };
        let taken = self
            .list
            .range(first..=last)
            .next_back()
            .map_or(first - 1, |(id, _)| *id);
        let id = taken.saturating_add(1).min(last);
        self.known.insert(source, id);
        self.list.entry(id).or_insert(source);
        id
    }

    pub(crate) fn source(&self, id: SourceId) -> Source {
        self.list.get(&id).copied().unwrap_or(Source::Memory)
    }
}

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
    /// Bytes of shared memory of a block; none: not known.
    pub(crate) shared_bytes: Option<u64>,
    pub(crate) races: Option<Races>,
    pub(crate) requests: u64,
    pub(crate) steps: u64,
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
    /// What requests may be moved by; none: blocks and iterations run one by one.
    pub(crate) periods: Option<crate::Periods>,
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
            shared_bytes: kernel
                .shared_bytes
                .filter(|_| unsized_shared(kernel, launch).next().is_none())
                .map(|bytes| bytes.saturating_add(launch.dynamic_shared_bytes)),
            races: None,
            requests: 0,
            steps: 0,
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
            periods: None,
        };
        machine.initialize();
        machine
    }

    /// Puts what declared arrays hold into constant and global memory.
    fn initialize(&mut self) {
        let word = |byte: u8| crate::memory::Word {
            bits: u64::from(byte),
            source: 0,
        };
        let limit = crate::memory::MOST_SHARED;
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
        self.blocks_run += 1;
        self.blocks_done = self.blocks_done.saturating_add(times);
        let done = BlockDone {
            block: self.block,
            times,
        };
        if self.observer.block_done(&done) {
            Ok(())
        } else {
            Err(End::Observer)
        }
    }

    pub(crate) fn outcome(self, end: End) -> Outcome {
        let (first, last) = self.launch.block_range();
        Outcome {
            end,
            requests: self.requests,
            steps: self.steps,
            blocks_done: self.blocks_done,
            blocks_run: self.blocks_run,
            blocks_total: last - first,
            findings: self.notes.findings,
            doubts: self.notes.doubts,
        }
    }

    /// Counts a step.
    pub(crate) fn tick(&mut self) -> Result<(), End> {
        self.steps += 1;
        if self.steps > self.budget.steps {
            self.steps = self.budget.steps;
            return Err(End::Steps);
        }
        if self.steps.is_multiple_of(STEPS_BETWEEN) && !self.observer.goes_on() {
            return Err(End::Observer);
        }
        Ok(())
    }

    /// Sets the warps of a block to their first line.
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
        self.arrived.clear();
        self.local_bytes = 0;
        if self.blocks_run < self.budget.watched_blocks {
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

    /// Runs a block.
    pub(crate) fn run_block(&mut self, block: u64) -> Result<(), End> {
        self.tick()?;
        self.begin_block(block)?;
        loop {
            for at in 0..self.warps.len() {
                let mut warp = std::mem::take(&mut self.warps[at]);
                let result = self.run_warp(&mut warp);
                self.warps[at] = warp;
                result?;
            }
            if self.warps.iter().all(|warp| warp.splits.is_empty()) {
                self.leave_points(Scope::Block);
                return self.check_finished();
            }
            if !self.open_barriers()? && !self.pass_divergent() {
                self.report_deadlock();
                return Err(End::Deadlock);
            }
            self.visit_barrier();
        }
    }

    /// Lanes that wait for others of their warp which never come are a deadlock too.
    fn check_finished(&mut self) -> Result<(), End> {
        if self.warps.iter().all(|warp| warp.alive == 0) {
            return Ok(());
        }
        self.report_deadlock();
        Err(End::Deadlock)
    }

    fn report_deadlock(&mut self) {
        let waiting = self.warps.iter().find(|warp| warp.alive != 0);
        let Some(warp) = waiting else { return };
        let number = warp.number;
        let split = warp.splits.first();
        let place = split
            .and_then(|split| {
                self.program
                    .lines
                    .get((split.line as usize).saturating_sub(1))
            })
            .map_or(PlaceId::default(), |line| line.place);
        let lane = split
            .map_or(warp.alive, |split| split.mask)
            .trailing_zeros();
        let here = split.map_or(warp.alive, |split| split.mask);
        // One that runs elsewhere rather than one that has exited.
        let elsewhere = |of: fn(&Warp<L>) -> u64| {
            self.warps.iter().find_map(|one| {
                let waits = if one.number == number { here } else { 0 };
                let mask = of(one) & !waits;
                (mask != 0).then(|| (one.number, mask.trailing_zeros()))
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

    /// Runs a warp until none of its splits can go on.
    fn run_warp(&mut self, warp: &mut Warp<L>) -> Result<(), End> {
        while let Some(at) = warp.next() {
            self.run_split(warp, at)?;
        }
        self.leave_points(Scope::Warp(warp.number));
        Ok(())
    }

    /// Runs a split until it waits, parts, or another one comes first.
    fn run_split(&mut self, warp: &mut Warp<L>, at: usize) -> Result<(), End> {
        let program = self.program;
        loop {
            self.tick()?;
            let split = warp.splits[at];
            let Some(line) = program.lines.get(split.line as usize) else {
                return Err(End::Invalid);
            };
            match &line.step {
                Step::End(terminator) => {
                    if !self.terminate(warp, at, terminator, line.place)? {
                        return Ok(());
                    }
                    // Alone, a split simply goes on; otherwise the lowest line comes first.
                    let [now] = warp.splits[..] else {
                        return Ok(());
                    };
                    if now.line <= split.line && self.periods.is_some() {
                        self.visit_line(warp);
                    }
                }
                Step::Do(op) => {
                    let mut mask = split.mask;
                    if let Some(guard) = line.guard {
                        let holds = warp.file.mask(guard.predicate);
                        let entry = warp.file.entry(guard.predicate);
                        if entry.unknown & mask != 0 {
                            self.doubt_control(warp, DoubtKind::Branch, line.place, entry.source);
                        }
                        self.must_be_steady(warp, &[guard.predicate.into()], mask);
                        mask &= if guard.negated { !holds } else { holds };
                    }
                    warp.splits[at].line += 1;
                    if mask == 0 {
                        continue;
                    }
                    if self.proof.is_some() || self.iteration.is_some() {
                        self.follow(warp, line, op, mask);
                    }
                    if !self.execute(warp, at, line, op, mask)? {
                        return Ok(());
                    }
                }
            }
        }
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
                let register = crate::arithmetic::register(*predicate);
                self.must_be_steady(warp, &[*predicate], mask);
                let entry = warp.file.entry(register);
                if entry.unknown & mask != 0 {
                    self.doubt_control(warp, DoubtKind::Branch, place, entry.source);
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
                self.scatter(warp, at, *address, place, |value| program.line_at(value))?
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
        let register = crate::arithmetic::register(by);
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
        for lane in crate::arithmetic::each(mask) {
            let line = target(warp.file.lane(register, lane)).ok_or(End::Invalid)?;
            *parts.entry(line).or_default() |= 1 << lane;
        }
        if let (1, Some((line, _))) = (parts.len(), parts.iter().next()) {
            return Ok(warp.go(at, *line));
        }
        let parts: Vec<(u64, u32)> = parts.into_iter().map(|(line, mask)| (mask, line)).collect();
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

    /// Opens every barrier whose threads have all come. Returns whether any split can go on.
    fn open_barriers(&mut self) -> Result<bool, End> {
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
    fn pass_divergent(&mut self) -> bool {
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
            Some((warp.number, split.line, split.mask.trailing_zeros()))
        });
        let Some((warp, line, lane)) = waits else {
            return;
        };
        let line = (line as usize).saturating_sub(1);
        let place = self.program.lines.get(line).map(|line| line.place);
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

    /// An instruction that takes registers alone, or one that does more. Returns whether the split still runs.
    fn execute(
        &mut self,
        warp: &mut Warp<L>,
        at: usize,
        line: &crate::program::Line,
        op: &Op,
        mask: u64,
    ) -> Result<bool, End> {
        if line.pure.is_some() {
            // Bound by reference: a binding by value would copy all lanes once more.
            let computed = warp.file.compute(op, mask);
            if let Some((dst, (value, unknown))) = &computed {
                let whole = mask == warp.alive;
                warp.file.put(*dst, value, *unknown, mask, whole);
                return Ok(true);
            }
        }
        self.effect(warp, at, line, op, mask)
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
