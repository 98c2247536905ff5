//! Requests whose addresses lie on a line, and how often each was made: what one costs is asked once.

use lanescope_cuda::source::{LineAccess, SiteId};
use lanescope_model::{LaneMask, MAX_LANES, Operation, Request, Space, Width};

use crate::{Kind, Sums, Tally};

/// Requests that are remembered; one that falls on another's place takes it.
const PLACES: usize = 256;

/// What the counts of a request depend on, and what they are added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    site: SiteId,
    space: Space,
    operation: Operation,
    width: Width,
    active: LaneMask,
    lanes: usize,
    /// Of lane 0: bytes from the period that it lies in.
    phase: u64,
    /// Bytes from lane to lane.
    stride: u64,
}

impl Key {
    #[allow(
        clippy::cast_possible_truncation,
        reason = "only some bits of the sum choose a place"
    )]
    fn place(&self) -> usize {
        let sum = self
            .stride
            .wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
            .wrapping_add(
                self.phase ^ u64::from(self.site.0) << 20 ^ self.active.0.rotate_left(29),
            );
        (sum.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % PLACES
    }
}

#[derive(Clone, Copy, Debug)]
struct Place {
    key: Key,
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
        let Some(phase) = tally.phase(access.space, access.first) else {
            return false;
        };
        if access.operation == Operation::CompareAndSwap {
            return false;
        }
        let key = Key {
            site,
            space: access.space,
            operation: access.operation,
            width: access.width,
            active: access.active,
            lanes: access.lanes,
            phase,
            stride: access.stride,
        };
        if self.places.is_empty() {
            self.places = vec![None; PLACES];
        }
        let at = key.place();
        match &mut self.places[at] {
            Some(place) if place.key == key => {
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
                    key,
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
        let kind = Kind::of(self.key.space, self.key.operation);
        tally.add(self.key.site, kind, &self.cost, self.times);
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
