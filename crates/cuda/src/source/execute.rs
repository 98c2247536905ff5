//! Runs a program: a kernel of `ir` in `simt`, or requests that a layout holds ready.

use crate::source::launch::{Budget, Launch};
use crate::source::{Observer, Outcome, Program, lowered, replay};

/// Runs `program` as `launch` says, in warps of `warp_lanes` lanes (1 to 64), and gives each
/// request to `observer`.
///
/// The run ends when all blocks asked for have run, when `budget` is spent, or when the observer
/// says so; [`Outcome::end`] tells which.
pub fn execute(
    program: &Program,
    launch: &Launch,
    warp_lanes: u32,
    budget: Budget,
    observer: &mut dyn Observer,
) -> Outcome {
    let own;
    let launch = match program.block {
        Some(block) if block != launch.block => {
            own = Launch {
                block,
                ..launch.clone()
            };
            &own
        }
        _ => launch,
    };
    if let Some(kernel) = program.lowered() {
        return lowered::run(program, kernel, launch, warp_lanes, budget, observer);
    }
    replay::replay(program, launch, budget, observer)
}
