//! The request that costs most above its ideal, among those of some accesses.

use crate::Question;
use crate::stop::Stoppable;
use lanescope_frontend::{End, execute};
use lanescope_ir::SiteId;
use lanescope_simt::{Access, Observer};
use lanescope_tally::{CostlyRequest, Tally};

/// Counts the requests of some accesses.
struct Watched<'a> {
    tally: Tally<'a>,
    watches: &'a dyn Fn(SiteId) -> bool,
}

impl Observer for Watched<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        !(self.watches)(access.site) || self.tally.access(access)
    }
}

/// The costliest request of the accesses that `watches` names, and how the run ended that it was looked for in.
pub(crate) fn costliest(
    question: &Question,
    watches: &dyn Fn(SiteId) -> bool,
) -> (Option<CostlyRequest>, End) {
    let mut watched = Watched {
        tally: Tally::new(&question.device),
        watches,
    };
    let mut stoppable = Stoppable {
        tally: &mut watched,
        stop: &question.stop,
    };
    let (program, lanes) = (&question.parsed.program, question.device.warp_lanes());
    let outcome = execute(
        program,
        &question.launch,
        lanes,
        question.budget(),
        &mut stoppable,
    );
    (watched.tally.costliest().cloned(), outcome.end)
}
