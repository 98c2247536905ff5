//! Requests whose addresses lie on a line, and how often each was made: what one costs is asked once.

use lanescope_cuda::source::{LineAccess, SiteId};
use lanescope_model::{MAX_LANES, Operation, Request};

use crate::counter::LineKey;
use crate::{Kind, Sums, Tally};

/// Requests that are remembered; one that falls on another's place takes it.
const PLACES: usize = 256;

#[derive(Clone, Copy, Debug)]
struct Place {
    /// What it is added to.
    site: SiteId,
    key: LineKey,
    kind: Kind,
    cost: Sums,
    /// Requests since the last time that they were added up.
    times: u64,
}

/// Requests that are counted by the times they were made.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repeats {
    /// Empty until the first request.
    places: Vec<Option<Place>>,
    /// Places with requests that are not added up.
    pending: Vec<usize>,
}

impl Repeats {
    /// Counts a request for a tally, which is told of it no later than [`Repeats::settle`]. Returns whether it could:
    /// where a count may depend on any bit of an address, or which words are touched matters, it cannot.
    pub(crate) fn count(
        &mut self,
        site: SiteId,
        access: &LineAccess,
        tally: &mut Tally<'_>,
    ) -> bool {
        let Some(key) = tally.line_key(access) else {
            return false;
        };
        if access.operation == Operation::CompareAndSwap {
            return false;
        }
        if self.places.is_empty() {
            self.places = vec![None; PLACES];
        }
        let at = key.place(site.0, PLACES);
        match &mut self.places[at] {
            Some(place) if place.key == key && place.site == site => {
                if place.times == 0 {
                    self.pending.push(at);
                }
                place.times = place.times.saturating_add(access.times);
            }
            place => {
                match place {
                    Some(other) if other.times != 0 => other.settle(tally),
                    _ => self.pending.push(at),
                }
                *place = Some(Place {
                    site,
                    key,
                    kind: Kind::of(access.space, access.operation),
                    cost: cost(access, tally),
                    times: access.times,
                });
            }
        }
        true
    }

    /// Adds what is not added up yet.
    pub(crate) fn settle(&mut self, tally: &mut Tally<'_>) {
        for at in self.pending.drain(..) {
            if let Some(place) = &mut self.places[at] {
                place.settle(tally);
            }
        }
    }
}

impl Place {
    fn settle(&mut self, tally: &mut Tally<'_>) {
        tally.add(self.site, self.kind, &self.cost, self.times);
        self.times = 0;
    }
}

/// What a request costs.
fn cost(access: &LineAccess, tally: &mut Tally<'_>) -> Sums {
    let mut addresses = [0; MAX_LANES];
    let mut at = access.first;
    for lane in &mut addresses {
        *lane = at;
        at = at.wrapping_add(access.stride);
    }
    tally.cost(&Request {
        space: access.space,
        operation: access.operation,
        width: access.width,
        active: access.active,
        addresses: &addresses[..access.lanes.min(MAX_LANES)],
    })
}
