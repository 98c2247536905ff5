//! Active lanes of each line of an analysis: how many lanes take part in its requests.

use std::collections::BTreeMap;

use lanescope_frontend::execute;
use lanescope_locale::number::decimal;
use lanescope_query::{Analysis, Line, lanes_hundredths};
use lanescope_simt::{Access, BlockDone, Observer};
use lanescope_tally::Kind;

/// Requests, and the lanes that take part in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LaneSlots {
    requests: u64,
    lanes: u64,
}

impl LaneSlots {
    /// Both together.
    pub(super) const fn plus(self, other: Self) -> Self {
        Self {
            requests: self.requests + other.requests,
            lanes: self.lanes + other.lanes,
        }
    }

    /// Whether any lane of warps of `warp_lanes` is idle.
    pub(super) const fn has_idle(self, warp_lanes: u32) -> bool {
        self.lanes < self.requests * warp_lanes as u64
    }

    /// Lanes a request, to two digits; nothing without a request.
    pub(super) fn per_request(self) -> String {
        if self.requests == 0 {
            return String::new();
        }
        decimal(lanes_hundredths(self.requests, self.lanes))
    }
}

/// By line of the analysis, in its order; nothing where the requests are not those that it counted.
pub(super) fn by_line(analysis: &Analysis) -> Option<Vec<LaneSlots>> {
    let question = &analysis.question;
    let mut watched = Watched {
        analysis,
        block: BTreeMap::new(),
        all: BTreeMap::new(),
    };
    execute(
        analysis.program(),
        &question.launch,
        question.device.warp_lanes(),
        question.budget(),
        &mut watched,
    );
    let slots = |line: &Line| {
        let found = watched.all.get(&(line.place, line.kind)).copied();
        found.unwrap_or_default()
    };
    let lines = analysis.lines.iter();
    lines
        .map(|line| Some(slots(line)).filter(|slots| slots.requests == line.sums.requests))
        .collect()
}

struct Watched<'a> {
    analysis: &'a Analysis,
    /// Since the last block was done.
    block: BTreeMap<(u32, Kind), LaneSlots>,
    all: BTreeMap<(u32, Kind), LaneSlots>,
}

impl Observer for Watched<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let request = &access.request;
        let site = self.analysis.program().site(access.site);
        let line = site.map_or(0, |site| self.analysis.question.line_of(site));
        let kind = Kind::of(request.space, request.operation);
        let lanes = (0..request.addresses.len()).filter(|lane| request.active.contains(*lane));
        let one = LaneSlots {
            requests: access.times,
            lanes: access.times * lanes.count() as u64,
        };
        let own = self.block.entry((line, kind)).or_default();
        *own = own.plus(one);
        true
    }

    fn block_done(&mut self, done: &BlockDone) -> bool {
        for (place, slots) in std::mem::take(&mut self.block) {
            let own = self.all.entry(place).or_default();
            let times = LaneSlots {
                requests: slots.requests * done.times,
                lanes: slots.lanes * done.times,
            };
            *own = own.plus(times);
        }
        true
    }
}
