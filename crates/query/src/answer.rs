//! A state run as far as a page needs it within a frame.
//!
//! [`crate::analyse`] runs the whole launch for whoever can wait. Here a run is cut short: some blocks, which stand for
//! all where they are proved alike. What it counts, and what a verdict is made of, are the same.

use crate::analyse::guessed_places;
use crate::blocks::{First, Ran};
use crate::coincidence::coincide;
use crate::guessed_launch::guessed_launch;
use crate::launch_limit::block_too_large;
use crate::static_passes::Passes;
use crate::{Read, device, own_block, readable_launch, take_host_sizes};
use lanescope_frontend::{
    Diagnostic, End, NamedLaunch, Parsed, Program, SourceOutcome, Span, execute,
};
use lanescope_ir::SiteId;
use lanescope_model::{Device, Operation};
use lanescope_share::{Source, State};
use lanescope_simt::{Blocks, Budget};
use lanescope_tally::{
    Basis, Counted, Evidence, Need, REQUESTS_AT_ONCE, SiteTally, Standing, Status, Tally,
    blocks_at_once, standing,
};
use lanescope_wire::wire_structs;

/// Lanes of a warp where there is no such device.
const LANES: u32 = 32;

/// Everything that does not depend on which request is looked into.
#[derive(Clone, Debug)]
pub struct Answer {
    /// `None`: the state names a device that there is not.
    pub device: Option<Device>,
    /// The program that was run.
    pub program: Program,
    /// Of the source, then of the run.
    pub diagnostics: Vec<Diagnostic>,
    /// By site.
    pub sites: Vec<SiteTally>,
    /// How far the run went; `None` without device.
    pub outcome: Option<SourceOutcome>,
    /// How it was launched.
    pub launch: NamedLaunch,
    /// The text that spans count in.
    pub source: String,
    /// Bytes of the declarations and the line feed after them.
    pub accesses_start: u32,
    /// Lines of the source before the field of accesses.
    pub lines_before: u32,
    /// Whether the source is expressions rather than a kernel.
    pub is_expression: bool,
    /// Whether the sums are those of the whole launch, as the blocks that ran are proved to stand for all.
    pub is_extrapolated: bool,
    /// Compare-and-swap loops that are proved to take one round.
    pub single_rounds: Vec<Span>,
    /// Lines of atomics for whose words more warps of a block ask than was measured.
    pub(crate) crowded: Vec<u32>,
    /// What the compiler's passes did; nothing where the program is as written.
    pub(crate) passes: Option<Passes>,
    /// Grid and block, where one of them is nobody's but a guess.
    pub(crate) guessed_shape: Option<[[u32; 3]; 2]>,
    /// The line of a loop whose unrolling is a close call of the compiler, where it changes what is counted.
    pub(crate) close_call: Option<u32>,
    /// What the run showed that counts rest on, where nothing was found that a compiler could change.
    pub(crate) run_basis: Option<Basis>,
    /// What the kernel as written takes, where a prediction stands beside it.
    pub(crate) as_written: Option<Need>,
}

/// What the run of a page's first answer comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstRun {
    /// By site.
    pub sites: Vec<SiteTally>,
    /// How far it went.
    pub outcome: SourceOutcome,
    /// As of [`Answer`].
    pub is_extrapolated: bool,
    /// As of [`Answer`].
    pub single_rounds: Vec<Span>,
    /// As of [`Answer`].
    pub(crate) crowded: Vec<u32>,
    /// As of [`Answer`].
    pub(crate) close_call: Option<u32>,
    /// As of [`Answer`].
    pub(crate) run_basis: Option<Basis>,
    /// As of [`Answer`].
    pub(crate) as_written: Option<Need>,
}

wire_structs! {
    FirstRun { sites, outcome, is_extrapolated, single_rounds, crowded, close_call, run_basis, as_written }
}

/// Answers `state` of what was read of its source.
#[must_use]
pub fn answer(state: &State, read: Read) -> Answer {
    let answer = Answer::unrun(state, read);
    let first = answer.first_run();
    answer.with_first(first)
}

impl Answer {
    /// What is known of `state` before anything of it ran.
    #[must_use]
    pub fn unrun(state: &State, read: Read) -> Self {
        let device = device(&state.device).ok();
        let lanes = device.as_ref().map_or(LANES, Device::warp_lanes);
        let mut launch = readable_launch(state);
        launch.block = own_block(&read.parsed.program, lanes).unwrap_or(launch.block);
        take_host_sizes(
            &mut launch,
            &read.parsed.program,
            &read.source,
            &state.launch.defines,
        );
        let guessed_shape = read.guessed_shape(state, [launch.grid, launch.block]);
        let Parsed {
            program,
            mut diagnostics,
        } = read.parsed;
        let limit = |device| block_too_large(&program, &launch, device);
        diagnostics.extend(device.as_ref().and_then(limit));
        launch.blocks = Blocks::First(blocks_at_once(program.sites().len(), &launch));
        Self {
            device,
            program,
            diagnostics,
            sites: Vec::new(),
            outcome: None,
            launch,
            accesses_start: read.bytes_before,
            lines_before: read.lines_before,
            source: read.source,
            is_expression: matches!(state.source, Source::Expression { .. }),
            is_extrapolated: false,
            single_rounds: Vec::new(),
            crowded: Vec::new(),
            passes: read.passes,
            guessed_shape,
            close_call: None,
            run_basis: None,
            as_written: None,
        }
    }

    /// Runs it as far as a page needs it within a frame; `None` without device.
    #[must_use]
    pub fn first_run(&self) -> Option<FirstRun> {
        let device = self.device.as_ref()?;
        let ran = run(&self.program, &self.launch, device, self.is_expression);
        let single_rounds = ran.contention.single_rounds(&self.program);
        let run_basis = self.run_basis(device, &ran);
        Some(FirstRun {
            close_call: self.close_call(device, &ran),
            as_written: self.as_written(device, &ran, run_basis),
            run_basis,
            sites: ran.sites,
            outcome: ran.outcome,
            is_extrapolated: ran.is_extrapolated,
            single_rounds,
            crowded: ran.contention.crowded(&self.program),
        })
    }

    /// The same with what a run of it came to, which [`Answer::first_run`] gave, here or elsewhere.
    #[must_use]
    pub fn with_first(mut self, first: Option<FirstRun>) -> Self {
        let Some(first) = first else { return self };
        let findings = &first.outcome.findings;
        let guessed = guessed_launch(self.guessed_shape, findings);
        self.diagnostics.extend(guessed);
        self.diagnostics.extend(findings.iter().cloned());
        Self {
            sites: first.sites,
            outcome: Some(first.outcome),
            is_extrapolated: first.is_extrapolated,
            single_rounds: first.single_rounds,
            crowded: first.crowded,
            close_call: first.close_call,
            run_basis: first.run_basis,
            as_written: first.as_written,
            ..self
        }
    }

    /// The line of a loop whose unrolling is a close call, where the other way counts otherwise than `ran`.
    fn close_call(&self, device: &Device, ran: &Ran) -> Option<u32> {
        let otherwise = self.passes.as_ref()?.otherwise.as_ref()?;
        self.differs(&otherwise.program, device, ran)
            .then_some(otherwise.line)
    }

    /// What the counts of `ran` rest on where the passes found nothing that a compiler could change: the kernel as written
    /// counts otherwise, or accesses of it coincide.
    fn run_basis(&self, device: &Device, ran: &Ran) -> Option<Basis> {
        let passes = self.passes.as_ref().filter(|pass| pass.basis.is_none())?;
        let written = passes.written.as_ref()?;
        if self.differs(written, device, ran) {
            return Some(Basis::AccessesChanged);
        }
        coincide(written, &self.launch, device).then_some(Basis::OpenChoice)
    }

    /// What the kernel as written takes, where what was `ran` is a prediction and both are counted whole.
    fn as_written(&self, device: &Device, ran: &Ran, run_basis: Option<Basis>) -> Option<Need> {
        let passes = self.passes.as_ref()?;
        passes.basis.or(run_basis)?;
        let is_whole = |ran: &Ran| ran.is_extrapolated || ran.outcome.exact();
        let written = passes.written.as_ref().filter(|_| is_whole(ran))?;
        let there = run(written, &self.launch, device, self.is_expression);
        is_whole(&there).then(|| Need::of(&there.sites))
    }

    /// Whether another version of the program counts otherwise than `ran`.
    fn differs(&self, other: &Program, device: &Device, ran: &Ran) -> bool {
        let (program, launch) = (&self.program, &self.launch);
        let there = run(other, launch, device, self.is_expression);
        let is_whole = |ran: &Ran| ran.is_extrapolated || ran.outcome.exact();
        let sums = if is_whole(ran) && is_whole(&there) {
            [all_sums(program, &ran.sites), all_sums(other, &there.sites)]
        } else {
            // Classes that were given up are not of the same blocks.
            let budget = counted_budget(device, self.is_expression);
            [program, other].map(|one| all_sums(one, &run_some(one, launch, device, budget).sites))
        };
        sums[0] != sums[1]
    }

    /// How far the answer can be relied on.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let guessed_places = guessed_places(&self.program);
        let mut standing = standing(&Evidence {
            copies: &self.counted().uncertain_copies(),
            guessed_places: &guessed_places,
            diagnostics: &self.diagnostics,
            outcome: self.outcome.as_ref(),
            is_extrapolated: self.is_extrapolated,
            single_rounds: &self.single_rounds,
            crowded: &self.crowded,
            unknown: self.sites.iter().find_map(|tally| tally.unknown),
            guessed: self.guessed_shape,
            lines_before: self.lines_before,
        });
        if self.passes.as_ref().is_some_and(|pass| !pass.is_complete) {
            standing.doubt_compiler();
        }
        let of_passes = self.passes.as_ref().and_then(|pass| pass.basis);
        if let Some(basis) = of_passes.or(self.run_basis) {
            standing.predict(basis);
        }
        if standing.status != Status::Partial {
            standing.as_written = self.as_written;
        }
        if let Some(line) = self.close_call {
            standing.doubt_unrolling(line.saturating_sub(self.lines_before));
        }
        standing
    }

    /// What is to be said of the text, whatever the run found.
    #[must_use]
    pub fn text_diagnostics(&self) -> &[Diagnostic] {
        let found = self
            .outcome
            .as_ref()
            .map_or(0, |outcome| outcome.findings.len());
        let of_text = self.diagnostics.len().saturating_sub(found);
        self.diagnostics.get(..of_text).unwrap_or_default()
    }

    /// What a verdict is made of.
    #[must_use]
    pub fn counted(&self) -> Counted<'_> {
        Counted {
            device: self.device.as_ref(),
            sites: self.program.sites(),
            tallies: &self.sites,
        }
    }

    /// The text of an access; empty where there is no such site.
    #[must_use]
    pub fn text(&self, site: SiteId) -> &str {
        self.program
            .site(site)
            .map_or("", |site| site.span.text(&self.source))
    }

    /// Lanes of a warp.
    #[must_use]
    pub fn warp_lanes(&self) -> u32 {
        self.device
            .as_ref()
            .map_or(32, |device| device.warp_lanes().max(1))
    }

    /// Warps of a block.
    #[must_use]
    pub fn warps(&self) -> u64 {
        self.launch
            .block_threads()
            .div_ceil(self.warp_lanes().into())
            .max(1)
    }

    /// The line of an access in its field, from 1.
    #[must_use]
    pub fn line(&self, site: SiteId) -> u32 {
        let line = self.program.site(site).map_or(0, |site| site.line);
        line.saturating_sub(self.lines_before)
    }
}

/// What a run that nobody waits for may cost. The lines of an expression are no program: nothing races.
#[must_use]
pub fn budget(is_expression: bool) -> Budget {
    Budget {
        requests: 4 * REQUESTS_AT_ONCE,
        steps: 2_000_000,
        bytes: MOST_BYTES,
        watched_blocks: if is_expression { 0 } else { 1 },
        ..Budget::default()
    }
}

/// What a run may cost before the page can be painted: of the worst source that a link can carry, 300 ms in all.
#[must_use]
pub fn screen_budget(is_expression: bool) -> Budget {
    Budget {
        steps: 400_000,
        ..budget(is_expression)
    }
}

/// The same where every request is counted: on a device that somebody describes that may take fifty times as long.
fn counted_budget(device: &Device, is_expression: bool) -> Budget {
    let budget = screen_budget(is_expression);
    let is_described = Device::by_id(device.id()).is_none();
    let requests = if is_described {
        REQUESTS_AT_ONCE
    } else {
        budget.requests
    };
    Budget { requests, ..budget }
}

/// Bytes of registers and memory of one run, so that the page keeps within 64 MB.
const MOST_BYTES: u64 = 24 << 20;

/// Runs a kernel of `ir` by classes of blocks, where the budget allows all of them; else the blocks that the launch
/// names.
fn run(program: &Program, launch: &NamedLaunch, device: &Device, is_expression: bool) -> Ran {
    let budget = counted_budget(device, is_expression);
    First::run(program, launch, device, budget)
        .unwrap_or_else(|| run_some(program, launch, device, budget))
}

/// What loads cost, and what else there is; by shared and global memory.
fn all_sums(program: &Program, sites: &[SiteTally]) -> [[u64; 4]; 2] {
    let mut sums = [[0; 4]; 2];
    for one in sites {
        let operation = program.site(one.site).map(|site| site.operation);
        let [loads, others] = &mut sums;
        let of = match operation {
            Some(Operation::Load) => loads,
            Some(_) | None => others,
        };
        let (shared, global) = (&one.shared, &one.global);
        let more = [
            shared.wavefronts,
            shared.conflicts,
            global.requests,
            global.units,
        ];
        for (sum, more) in of.iter_mut().zip(more) {
            *sum = u64::saturating_add(*sum, more);
        }
    }
    sums
}

fn run_some(program: &Program, launch: &NamedLaunch, device: &Device, budget: Budget) -> Ran {
    let mut tally = Tally::new(device);
    let outcome = execute(program, launch, device.warp_lanes(), budget, &mut tally);
    let mut sites = tally.sites(program.sites().len());
    // What a layout asks of memory is the same for every block.
    let (done, total) = (outcome.blocks_done, outcome.blocks_total);
    let is_part = outcome.end == End::Complete && 0 < done && done < total;
    let is_extrapolated = is_part && program.own_warps().is_some();
    if is_extrapolated {
        for site in &mut sites {
            *site = site.extrapolated(done, total);
        }
    }
    Ran {
        sites,
        outcome,
        is_extrapolated,
        contention: tally.contention().clone(),
    }
}

/// One tally for each site, in order.
pub(crate) fn empty_tallies(program: &Program) -> Vec<SiteTally> {
    let sites = u32::try_from(program.sites().len()).unwrap_or(u32::MAX);
    (0..sites)
        .map(|index| SiteTally::new(SiteId(index)))
        .collect()
}
