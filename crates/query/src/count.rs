//! How a question's launch is counted.
//!
//! Kernels of `ir` are counted by classes of blocks, at a cost that follows the pattern of the launch; expressions and
//! layouts request by request.

use crate::stop::Stoppable;
use crate::{Question, ranges};
use lanescope_lang::{Outcome, execute};
use lanescope_model::Device;
use lanescope_tally::Tally;

/// Counts the launch of `question`.
pub(crate) fn count<'d>(question: &Question, device: &'d Device) -> (Tally<'d>, Outcome) {
    let program = &question.parsed.program;
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
