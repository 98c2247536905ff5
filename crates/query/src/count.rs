//! Which way a question's launch is counted.
//!
//! What counts are the optimizer's static passes, at a cost that follows the pattern of the launch. `lang`'s emulation
//! of the compiler, which takes a microsecond for each request and shares no rule's code with them, gives a second
//! opinion: of all blocks of a small launch, of one of each class, or of the first block. Where the two differ, what the
//! compiler does is not certain, and the answer says so.

use crate::stop::Stoppable;
use crate::{Question, Stop, ranges, static_passes};
use lanescope_lang::{
    Blocks, Budget, ClassObserver as _, End, Launch, Outcome, Parsed, Program, execute,
};
use lanescope_model::Device;
use lanescope_tally::{ClassTally, Tally, Totals};

/// Whether the emulation gives a second opinion.
const EMULATES: bool = true;
/// Requests of a launch that the emulation counts without a look at its size.
const SMALL: u64 = 50_000;
/// Requests that the emulation makes at most for a launch that can be counted otherwise.
const EMULATED: u64 = 1_000_000;
/// Requests and steps that a second prediction may take; one that takes more says nothing.
const SECOND: Budget = Budget {
    requests: 2_000_000,
    steps: 40_000_000,
    bytes: 256 << 20,
    findings: 64,
    watched_blocks: 0,
};

/// What was counted.
pub(crate) struct Count<'d> {
    /// The program that ran, where it is not the question's own.
    pub(crate) parsed: Option<Parsed>,
    pub(crate) tally: Tally<'d>,
    pub(crate) outcome: Outcome,
    /// Whether two predictions of the compiler differ, or could not be compared.
    pub(crate) is_doubtful: bool,
}

impl<'d> Count<'d> {
    fn of((tally, outcome): (Tally<'d>, Outcome)) -> Self {
        Self {
            parsed: None,
            tally,
            outcome,
            is_doubtful: false,
        }
    }
}

/// Counts the launch of `question`.
pub(crate) fn count<'d>(question: &Question, device: &'d Device) -> Count<'d> {
    let (program, launch) = (&question.parsed.program, &question.launch);
    let (budget, stop) = (question.budget(), &question.stop);
    if let Some((tally, outcome)) = ranges::counted(question, program, device) {
        return Count::of((tally.whole(), outcome));
    }
    // What is asked of repeated reads, or of each access alone, only the emulation answers.
    let compiled = if launch.reread || launch.apart {
        None
    } else {
        static_passes::compiled(question)
    };
    let Some(compiled) = compiled else {
        return Count::of(emulated(program, launch, budget, device, stop));
    };
    if EMULATES {
        let small = Budget {
            requests: budget.requests.min(SMALL),
            ..budget
        };
        let (tally, outcome) = emulated(program, launch, small, device, stop);
        if outcome.end == End::Completed {
            let first = static_passes::counted(&compiled.program, launch, SECOND, device, stop);
            return match first.filter(|(_, outcome)| outcome.end == End::Completed) {
                Some((first, outcome)) => {
                    let first = first.whole();
                    Count {
                        is_doubtful: first.totals() != tally.totals(),
                        parsed: Some(compiled),
                        tally: first,
                        outcome,
                    }
                }
                None => Count::of((tally, outcome)),
            };
        }
    }
    large(question, compiled, device)
}

/// Counts a launch that is large, or may be.
fn large<'d>(question: &Question, compiled: Parsed, device: &'d Device) -> Count<'d> {
    let (program, launch) = (&question.parsed.program, &question.launch);
    let (budget, stop) = (question.budget(), &question.stop);
    let within = Budget {
        requests: budget.requests.min(EMULATED),
        ..budget
    };
    let counted = ranges::counted(question, &compiled.program, device);
    let is_final = |end: &End| matches!(end, End::Completed | End::Cancelled);
    let Some((first, outcome)) = counted.filter(|(_, outcome)| is_final(&outcome.end)) else {
        return Count::of(emulated(program, launch, budget, device, stop));
    };
    let second = if EMULATES && first.requests() <= EMULATED {
        first
            .classes()
            .and_then(|classes| by_classes(program, launch, classes, within, device, stop))
    } else {
        None
    };
    let first = first.whole();
    let is_doubtful = match second {
        Some(second) => second != first.totals(),
        None => EMULATES && !agrees(program, &compiled.program, launch, within, device, stop),
    };
    Count {
        is_doubtful,
        parsed: Some(compiled),
        tally: first,
        outcome,
    }
}

fn emulated<'d>(
    program: &Program,
    launch: &Launch,
    budget: Budget,
    device: &'d Device,
    stop: &Stop,
) -> (Tally<'d>, Outcome) {
    let mut tally = Tally::new(device);
    let mut stoppable = Stoppable {
        tally: &mut tally,
        stop,
    };
    let outcome = execute(program, launch, device.warp_lanes(), budget, &mut stoppable);
    (tally, outcome)
}

/// The totals by the emulation of one block of each class; `None` where it comes to no end.
fn by_classes(
    program: &Program,
    launch: &Launch,
    classes: &[(u64, u64)],
    budget: Budget,
    device: &Device,
    stop: &Stop,
) -> Option<Totals> {
    let mut tally = ClassTally::new(device);
    for (block, times) in classes {
        let one = Launch {
            blocks: Blocks::Only(*block),
            ..launch.clone()
        };
        let left = Budget {
            requests: budget.requests.checked_sub(tally.requests())?,
            ..budget
        };
        let mut count = |access: &lanescope_lang::Access<'_>| tally.access(access, 1);
        let mut stoppable = Stoppable {
            tally: &mut count,
            stop,
        };
        let ran = execute(program, &one, device.warp_lanes(), left, &mut stoppable);
        if ran.end != End::Completed {
            return None;
        }
        tally.block_done(*block, *times);
    }
    Some(tally.whole().totals())
}

/// Whether both predictions give the same for the first block, which the emulation can count.
fn agrees(
    program: &Program,
    compiled: &Program,
    launch: &Launch,
    budget: Budget,
    device: &Device,
    stop: &Stop,
) -> bool {
    let first = Launch {
        blocks: Blocks::First(1),
        ..launch.clone()
    };
    let (tally, outcome) = emulated(program, &first, budget, device, stop);
    let second = static_passes::counted(compiled, &first, SECOND, device, stop);
    outcome.end == End::Completed
        && second.is_some_and(|(second, outcome)| {
            outcome.end == End::Completed && second.whole().totals() == tally.totals()
        })
}
