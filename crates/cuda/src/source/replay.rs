//! Runs a program that holds its requests ready.

use crate::source::launch::{Budget, Launch, Limit};
use crate::source::{Access, Blocks, End, Observer, Outcome, Program};

/// What a block costs of the budget's steps, whatever it does.
const BLOCK_STEPS: u64 = 16;

/// Gives the recorded requests to `observer`, once for each block that the launch asks for.
pub(crate) fn replay(
    program: &Program,
    launch: &Launch,
    budget: Budget,
    observer: &mut dyn Observer,
) -> Outcome {
    let blocks_total = launch.grid_blocks();
    let range = match launch.blocks {
        Blocks::All => 0..blocks_total,
        Blocks::First(count) => 0..count.min(blocks_total),
        Blocks::Only(one) => one.min(blocks_total)..(one.saturating_add(1)).min(blocks_total),
    };
    let mut outcome = Outcome {
        end: End::Completed,
        requests: 0,
        steps: 0,
        blocks_done: 0,
        blocks_total,
        findings: Vec::new(),
        spared: Vec::new(),
    };
    for index in range {
        // A block without requests costs steps too: a huge grid of them must end.
        outcome.steps = outcome.steps.saturating_add(BLOCK_STEPS);
        if outcome.steps > budget.steps {
            outcome.end = End::Stopped(Limit::Steps);
            break;
        }
        if let Err(early) = block(program, launch, index, budget, &mut outcome, observer) {
            outcome.end = early;
            break;
        }
        outcome.blocks_done += 1;
        if !observer.block_done(index) {
            outcome.end = End::Cancelled;
            break;
        }
    }
    outcome
}

fn block(
    program: &Program,
    launch: &Launch,
    index: u64,
    budget: Budget,
    outcome: &mut Outcome,
    observer: &mut dyn Observer,
) -> Result<(), End> {
    for recorded in &program.recorded {
        if outcome.requests >= budget.requests {
            return Err(End::Stopped(Limit::Requests));
        }
        outcome.requests += 1;
        let access = Access {
            site: recorded.site,
            block: launch.block_at(index),
            block_index: index,
            warp: u32::try_from(recorded.request.warp).unwrap_or(u32::MAX),
            occurrence: u32::try_from(recorded.request.step).unwrap_or(u32::MAX),
            request: recorded.request.request(),
        };
        if !observer.access(&access) {
            return Err(End::Cancelled);
        }
    }
    Ok(())
}
