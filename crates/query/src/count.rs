//! How a question's launch is counted.
//!
//! Kernels of `ir` are counted by classes of blocks, at a cost that follows the pattern of the launch; expressions and
//! layouts request by request.

use crate::stop::Stoppable;
use crate::{Question, ranges};
use lanescope_frontend::{End, Program, SourceOutcome, execute};
use lanescope_model::Device;
use lanescope_tally::{Need, Tally, Totals};

/// Counts the launch of `question`.
pub(crate) fn count<'d>(question: &Question, device: &'d Device) -> (Tally<'d>, SourceOutcome) {
    count_program(question, &question.parsed.program, device)
}

/// The line of a loop whose unrolling is a close call of the compiler, where the launch counts otherwise if it goes the
/// other way.
pub(crate) fn close_call(question: &Question, device: &Device, totals: &Totals) -> Option<u32> {
    let otherwise = question.passes.as_ref()?.otherwise.as_ref()?;
    question.stop.set_blocks_done(0);
    let (tally, _) = count_program(question, &otherwise.program, device);
    (tally.totals() != *totals).then_some(otherwise.line)
}

/// What the kernel comes to as written, where a compiler's passes changed it.
pub(crate) fn as_written(question: &Question, device: &Device) -> Option<(Totals, Need)> {
    let written = question.passes.as_ref()?.written.as_ref()?;
    question.stop.set_blocks_done(0);
    let (tally, outcome) = count_program(question, written, device);
    let need = || Need::of(&tally.sites(written.sites().len()));
    (outcome.end == End::Complete).then(|| (tally.totals(), need()))
}

fn count_program<'d>(
    question: &Question,
    program: &Program,
    device: &'d Device,
) -> (Tally<'d>, SourceOutcome) {
    if let Some((tally, outcome)) = ranges::counted(question, program, device) {
        return (tally.whole(), outcome);
    }
    let mut tally = Tally::new(device);
    let mut stoppable = Stoppable {
        tally: &mut tally,
        stop: &question.stop,
    };
    let (lanes, budget) = (device.warp_lanes(), question.budget());
    let outcome = execute(program, &question.launch, lanes, budget, &mut stoppable);
    (tally, outcome)
}
