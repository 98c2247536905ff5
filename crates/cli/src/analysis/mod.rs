//! A program run on a device: what each place in it costs.

mod line;
mod picture;
mod report;
mod tally;
mod verdict;

pub(crate) use line::Line;
pub(crate) use picture::picture;
pub(crate) use report::{Report, Totals};
pub(crate) use tally::{Op, Tally};
pub(crate) use verdict::verdict;

use lanescope_lang::{
    Access, Budget, Counter, Diagnostic, Launch, Outcome, Parsed, Program, Severity, Site, execute,
};
use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};
use std::process::ExitCode;

/// What is run, and where.
pub(crate) struct Question {
    pub(crate) parsed: Parsed,
    /// The text that spans count in.
    pub(crate) source: String,
    /// Lines before the first that counts.
    pub(crate) first_line: usize,
    pub(crate) launch: Launch,
    pub(crate) device: Device,
    pub(crate) max_requests: u64,
}

/// What came of it.
pub(crate) struct Analysis {
    pub(crate) program: Program,
    pub(crate) source: String,
    /// Lines before the first that counts.
    pub(crate) first_line: usize,
    pub(crate) device: Device,
    /// Of the source, then of the run.
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// `[site]`.
    pub(crate) sites: Vec<SiteCost>,
    pub(crate) outcome: Outcome,
}

/// A place in the source with its cost.
#[derive(Clone, Debug, Default)]
pub(crate) struct SiteCost {
    /// The memory and the operation met when it ran; none when it never did.
    pub(crate) op: Option<Op>,
    pub(crate) tally: Tally,
    /// The dearest request, the first of several.
    pub(crate) worst: Option<Worst>,
}

/// A request that was kept to be drawn.
#[derive(Clone, Debug)]
pub(crate) struct Worst {
    cost: u32,
    pub(crate) block: [u32; 3],
    pub(crate) warp: u32,
    pub(crate) occurrence: u32,
    space: Space,
    operation: Operation,
    width: Width,
    active: LaneMask,
    addresses: Vec<u64>,
}

impl Worst {
    fn of(access: &Access<'_>, cost: u32) -> Self {
        let Request {
            space,
            operation,
            width,
            active,
            addresses,
        } = access.request;
        let Access {
            block,
            warp,
            occurrence,
            ..
        } = *access;
        Self {
            cost,
            block,
            warp,
            occurrence,
            space,
            operation,
            width,
            active,
            addresses: addresses.to_vec(),
        }
    }

    /// As the model takes it.
    pub(crate) fn request(&self) -> Request<'_> {
        let &Self {
            space,
            operation,
            width,
            active,
            ref addresses,
            ..
        } = self;
        Request {
            space,
            operation,
            width,
            active,
            addresses,
        }
    }
}

impl SiteCost {
    fn count(&mut self, counter: &mut Counter<'_>, access: &Access<'_>) {
        self.op = Some(Op::of(access.request.space, access.request.operation));
        let cost = self.tally.count(counter, &access.request);
        if self.worst.as_ref().is_none_or(|worst| cost > worst.cost) {
            self.worst = Some(Worst::of(access, cost));
        }
    }
}

/// Steps that a run may take for each request it may make.
const STEPS_A_REQUEST: u64 = 20;

/// Runs the program and counts.
pub(crate) fn analyse(question: Question) -> Analysis {
    let Question {
        parsed: Parsed {
            program,
            mut diagnostics,
        },
        source,
        first_line,
        launch,
        device,
        max_requests,
    } = question;
    let mut sites = vec![SiteCost::default(); program.sites().len()];
    let budget = Budget {
        requests: max_requests,
        steps: max_requests.saturating_mul(STEPS_A_REQUEST),
        ..Budget::default()
    };
    let mut counter = Counter::new(&device);
    let mut count = |access: &Access<'_>| {
        if let Some(site) = sites.get_mut(access.site.0 as usize) {
            site.count(&mut counter, access);
        }
        true
    };
    let outcome = execute(&program, &launch, device.warp_lanes(), budget, &mut count);
    diagnostics.extend(outcome.findings.iter().cloned());
    Analysis {
        program,
        source,
        first_line,
        device,
        diagnostics,
        sites,
        outcome,
    }
}

impl Analysis {
    /// The line of a place as users count it.
    pub(crate) fn line_of(&self, site: &Site) -> u32 {
        site.line
            .saturating_sub(u32::try_from(self.first_line).unwrap_or(u32::MAX))
    }

    /// Whether there is an answer: something touches memory, or nothing is wrong.
    fn is_answered(&self) -> bool {
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity() == Severity::Error;
        !self.program.sites().is_empty() || !self.diagnostics.iter().any(is_error)
    }

    /// Success when there is an answer.
    pub(crate) fn exit_code(&self) -> ExitCode {
        if self.is_answered() {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}
