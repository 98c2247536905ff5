//! The source run on one device.

use lanescope_lang::{
    Access, Blocks, Budget, Diagnostic, End, Launch, Likeness, Outcome, Parsed, Program, SiteId,
    execute, execute_compared, parse_expression, parse_kernel, parse_layout,
};
use lanescope_model::Device;
use lanescope_share::Source;

use super::question::{Question, chosen_device};
use crate::reader;
use lanescope_tally::{
    Counted, Evidence, REQUESTS_AT_ONCE, SiteTally, Standing, blocks_at_once, standing,
};

/// Everything that does not depend on which request is looked into.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// `None`: the state names a device that there is not.
    pub(crate) device: Option<Device>,
    pub(crate) program: Program,
    /// Of the source, then of the run.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// By site.
    pub(crate) sites: Vec<SiteTally>,
    /// How far the run went; `None` without device.
    pub(crate) outcome: Option<Outcome>,
    pub(crate) launch: Launch,
    /// The text that spans count in.
    pub(crate) source: String,
    /// Bytes of the declarations and the line feed after them.
    pub(crate) accesses_start: u32,
    /// Lines of the source before the field of accesses.
    pub(crate) lines_before: u32,
    /// Whether the source is expressions rather than a kernel.
    pub(crate) is_expression: bool,
    /// Whether the sums are those of the whole launch, as its blocks are proved alike.
    pub(crate) is_extrapolated: bool,
}

/// Answers `question`.
pub(crate) fn answer(question: &Question) -> Answer {
    let Parsed {
        program,
        mut diagnostics,
    } = parse(question);
    let is_expression = matches!(question.source, Source::Expression { .. });
    let mut launch = question.launch();
    launch.block = program.block().unwrap_or(launch.block);
    launch.blocks = Blocks::First(blocks_at_once(program.sites().len(), &launch));
    let device = chosen_device(&question.device);
    if let Some(warps) = program.own_warps() {
        let lanes = device.as_ref().map_or(32, Device::warp_lanes);
        let threads = warps.saturating_mul(lanes.into());
        launch.block = [u32::try_from(threads).unwrap_or(u32::MAX), 1, 1];
    }
    let ran = device
        .as_ref()
        .map(|device| run(&program, &launch, device, is_expression));
    let blocks = ran.as_ref().and_then(standing_for_all);
    let (mut sites, outcome) = ran.map(|ran| (ran.sites, ran.outcome)).unzip();
    if let (Some(sites), Some((done, total))) = (&mut sites, blocks) {
        for site in sites {
            *site = site.extrapolated(done, total);
        }
    }
    let findings = outcome
        .iter()
        .flat_map(|outcome: &Outcome| outcome.findings.clone());
    diagnostics.extend(findings);
    Answer {
        device,
        program,
        diagnostics,
        sites: sites.unwrap_or_default(),
        outcome,
        launch,
        accesses_start: accesses_start(&question.source),
        lines_before: lines_before(&question.source),
        source: source_text(&question.source),
        is_expression,
        is_extrapolated: blocks.is_some(),
    }
}

/// The blocks counted and the blocks that they stand for, where all are proved alike.
fn standing_for_all(ran: &Ran) -> Option<(u64, u64)> {
    let (done, total) = (ran.outcome.blocks_done, ran.outcome.blocks_total);
    let is_part = ran.outcome.end == End::Completed && 0 < done && done < total;
    (is_part && ran.likeness == Likeness::Alike).then_some((done, total))
}

fn parse(question: &Question) -> Parsed {
    match &question.source {
        Source::Expression {
            accesses,
            declarations,
        } => parse_expression(declarations, accesses, question.bare()),
        Source::Kernel(text) if reader::text(&question.source).is_some() => {
            reader::read(text, &question.kernel_options())
        }
        Source::Kernel(text) => parse_kernel(text, &question.kernel_options()),
        Source::Layout { layout, access } => parse_layout(&layout_text(layout, access)),
        _ => Parsed::default(),
    }
}

/// A layout's text together with the access that was chosen for it.
pub(crate) fn layout_text(layout: &str, access: &str) -> String {
    if access.is_empty() {
        layout.to_owned()
    } else {
        format!("{layout}\n{access}")
    }
}

fn accesses_start(source: &Source) -> u32 {
    match source {
        Source::Expression { declarations, .. } => {
            u32::try_from(declarations.len() + 1).unwrap_or(u32::MAX)
        }
        _ => 0,
    }
}

fn lines_before(source: &Source) -> u32 {
    match source {
        Source::Expression { declarations, .. } => {
            u32::try_from(declarations.matches('\n').count() + 1).unwrap_or(u32::MAX)
        }
        _ => 0,
    }
}

fn source_text(source: &Source) -> String {
    match source {
        Source::Expression {
            accesses,
            declarations,
        } => format!("{declarations}\n{accesses}"),
        Source::Kernel(text) => text.clone(),
        Source::Layout { layout, access } => layout_text(layout, access),
        _ => String::new(),
    }
}

impl Answer {
    /// How far the answer can be relied on.
    pub(crate) fn standing(&self) -> Standing {
        standing(&Evidence {
            diagnostics: &self.diagnostics,
            outcome: self.outcome.as_ref(),
            is_extrapolated: self.is_extrapolated,
            unknown: self.sites.iter().find_map(|tally| tally.unknown),
            guessed: None,
            lines_before: self.lines_before,
        })
    }

    /// What a verdict is made of.
    pub(crate) fn counted(&self) -> Counted<'_> {
        Counted {
            device: self.device.as_ref(),
            sites: self.program.sites(),
            tallies: &self.sites,
        }
    }

    /// The text of an access; empty where there is no such site.
    pub(crate) fn text(&self, site: SiteId) -> &str {
        self.program
            .site(site)
            .map_or("", |site| site.span.text(&self.source))
    }

    /// Lanes of a warp.
    pub(crate) fn warp_lanes(&self) -> u32 {
        self.device
            .as_ref()
            .map_or(32, |device| device.warp_lanes().max(1))
    }

    /// Warps of a block.
    pub(crate) fn warps(&self) -> u64 {
        self.launch
            .block_threads()
            .div_ceil(self.warp_lanes().into())
            .max(1)
    }

    /// The line of an access in its field, from 1.
    pub(crate) fn line(&self, site: SiteId) -> u32 {
        let line = self.program.site(site).map_or(0, |site| site.line);
        line.saturating_sub(self.lines_before)
    }
}

/// What a run that nobody waits for may cost. The lines of an expression are no program: nothing races.
pub(crate) fn budget(is_expression: bool) -> Budget {
    Budget {
        requests: 4 * REQUESTS_AT_ONCE,
        steps: 2_000_000,
        bytes: MOST_BYTES,
        watched_blocks: if is_expression { 0 } else { 1 },
        ..Budget::default()
    }
}

/// What a run may cost before the page can be painted: of the worst source that a link can carry, 300 ms in all.
pub(crate) fn screen_budget(is_expression: bool) -> Budget {
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

/// What a run gave.
struct Ran {
    /// By site.
    sites: Vec<SiteTally>,
    outcome: Outcome,
    likeness: Likeness,
}

fn run(program: &Program, launch: &Launch, device: &Device, is_expression: bool) -> Ran {
    let mut sites = empty_tallies(program);
    let mut count = |access: &Access<'_>| {
        if let Some(tally) = sites.get_mut(access.site.0 as usize) {
            tally.count(device, &access.request);
        }
        true
    };
    let budget = counted_budget(device, is_expression);
    let (outcome, likeness) = if is_expression {
        let lanes = device.warp_lanes();
        let outcome = execute(program, launch, lanes, budget, &mut count);
        (outcome, Likeness::Unproved)
    } else {
        execute_compared(program, launch, device, budget, &mut count)
    };
    Ran {
        sites,
        outcome,
        likeness,
    }
}

/// One tally for each site, in order.
pub(crate) fn empty_tallies(program: &Program) -> Vec<SiteTally> {
    let sites = u32::try_from(program.sites().len()).unwrap_or(u32::MAX);
    (0..sites)
        .map(|index| SiteTally::new(SiteId(index)))
        .collect()
}
