//! Requests whose addresses lie on a line, and how often each was made: what one costs is asked once.

use lanescope_model::{Operation, Space};
use lanescope_simt::AffineAccess;

use crate::Counter;
use crate::counter::LineKey;

/// Requests that are remembered; one that falls on another's place takes it.
const PLACES: usize = 256;

#[derive(Clone, Copy, Debug)]
struct Place<S, C> {
    /// What it is added to.
    site: S,
    key: LineKey,
    cost: C,
    /// Requests since the last time that they were added up.
    times: u64,
}

/// Requests that are counted by the times they were made: of a site `S`, at a cost `C` each.
#[derive(Clone, Debug)]
pub struct Repeats<S, C> {
    /// Empty until the first request.
    places: Vec<Option<Place<S, C>>>,
    /// Places with requests that are not added up.
    pending: Vec<usize>,
}

/// A request that can be remembered.
#[derive(Clone, Copy, Debug)]
pub struct Repeat {
    key: LineKey,
    place: usize,
}

impl<S, C> Default for Repeats<S, C> {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            pending: Vec::new(),
        }
    }
}

impl<S: Copy + PartialEq, C: Copy> Repeats<S, C> {
    /// The request of an access with number `site`, if it can be remembered: not where a count may depend on any bit of an
    /// address, or which words are touched matters.
    #[must_use]
    pub fn request(counter: &Counter<'_>, site: u32, access: &AffineAccess) -> Option<Repeat> {
        let is_shared = access.space == Space::Shared;
        if access.operation == Operation::CompareAndSwap
            || is_shared && access.operation.is_atomic()
        {
            return None;
        }
        let key = counter.line_key(access)?;
        let place = key.place(site, PLACES);
        Some(Repeat { key, place })
    }

    /// Counts a request that is remembered, `times` times. Returns whether it is.
    #[must_use]
    pub fn count(&mut self, site: S, repeat: &Repeat, times: u64) -> bool {
        let Some(Some(place)) = self.places.get_mut(repeat.place) else {
            return false;
        };
        if place.key != repeat.key || place.site != site {
            return false;
        }
        if place.times == 0 {
            self.pending.push(repeat.place);
        }
        place.times = place.times.saturating_add(times);
        true
    }

    /// Remembers a request that was made `times` times. `settle` is told of the one whose place it takes.
    pub fn remember(
        &mut self,
        site: S,
        repeat: &Repeat,
        cost: C,
        times: u64,
        mut settle: impl FnMut(S, &C, u64),
    ) {
        if self.places.is_empty() {
            self.places.resize(PLACES, None);
        }
        let place = &mut self.places[repeat.place];
        match place {
            Some(other) if other.times != 0 => settle(other.site, &other.cost, other.times),
            _ => self.pending.push(repeat.place),
        }
        *place = Some(Place {
            site,
            key: repeat.key,
            cost,
            times,
        });
    }

    /// Tells `settle` of what was not added up yet: the site, the cost of one and how many.
    pub fn settle(&mut self, mut settle: impl FnMut(S, &C, u64)) {
        for at in self.pending.drain(..) {
            if let Some(Some(place)) = self.places.get_mut(at) {
                settle(place.site, &place.cost, place.times);
                place.times = 0;
            }
        }
    }
}
