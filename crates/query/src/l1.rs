//! What an L1 cache would fetch for the global loads of a question.

use crate::Question;
use crate::stop::Stoppable;
use lanescope_frontend::{SiteId, execute};
use lanescope_model::{Operation, Space};
use lanescope_tally::{L1Counts, L1View, l1_bytes};
use std::collections::BTreeMap;

/// A model, not a counter: lines of 128 bytes with sectors of 32, the line least lately used leaves first, each block
/// finds the cache empty and has it alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct L1 {
    /// Bytes of the cache; `None` where none are known for the device, and then nothing is said of what it fetches.
    pub bytes: Option<u64>,
    /// The sums over the blocks that were run.
    pub counts: L1Counts,
    /// Whether these are all blocks of the launch; otherwise a limit was reached before.
    pub is_whole: bool,
    /// By line, from 1. Two loads of one line that ask for the same sector have it distinct each.
    pub lines: BTreeMap<u32, L1Counts>,
}

/// Runs the program of `question` once more, through a cache, until one of the question's limits is reached.
#[must_use]
pub fn l1(question: &Question) -> L1 {
    let program = &question.parsed.program;
    let bytes = l1_bytes(&question.device, program, &question.launch);
    let mut view = L1View::new(bytes.unwrap_or(u64::MAX));
    let mut stoppable = Stoppable {
        tally: &mut view,
        stop: &question.stop,
    };
    let outcome = execute(
        program,
        &question.launch,
        question.device.warp_lanes(),
        question.budget(),
        &mut stoppable,
    );
    let mut lines: BTreeMap<u32, L1Counts> = BTreeMap::new();
    for (index, site) in (0..).zip(program.sites()) {
        if site.space == Space::Global && site.operation == Operation::Load {
            let sums = lines.entry(question.line_of(site)).or_default();
            *sums = plus(*sums, view.of_site(SiteId(index)));
        }
    }
    L1 {
        bytes,
        counts: view.counts(),
        is_whole: outcome.exact(),
        lines,
    }
}

fn plus(one: L1Counts, other: L1Counts) -> L1Counts {
    L1Counts {
        requested: one.requested + other.requested,
        distinct: one.distinct + other.distinct,
        fetched: one.fetched + other.fetched,
    }
}
