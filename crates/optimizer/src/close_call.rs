//! Close calls of the cost model: decisions so near a threshold that the compiler may have gone the other way.
//!
//! Sizes are estimates: what a compiler counts of an iteration is known within some instructions. A decision near the
//! threshold is noted; a profile that takes close calls [`Leaning::Otherwise`] shows what it depends on.

use crate::cost_model::Range;
use crate::profile::Threshold;
use lanescope_ir::PlaceId;

/// Which way close calls go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Leaning {
    /// As the thresholds were fitted.
    #[default]
    Fitted,
    /// The other way, every one.
    Otherwise,
}

/// What the passes decide by their thresholds, with what was close.
#[derive(Debug)]
pub(crate) struct CloseCalls {
    leaning: Leaning,
    places: Vec<PlaceId>,
}

impl CloseCalls {
    pub(crate) const fn new(leaning: Leaning) -> Self {
        Self {
            leaning,
            places: Vec::new(),
        }
    }

    /// Whether a loop at `place` of so many instructions is within a threshold.
    pub(crate) fn is_within(&mut self, size: usize, limit: Threshold, place: PlaceId) -> bool {
        let is_within = size <= limit.value as usize;
        if !limit.is_close(size) {
            return is_within;
        }
        self.decide(is_within, place)
    }

    /// Whether a loop at `place` of a size within that range is within a threshold; the most decides.
    pub(crate) fn is_range_within(
        &mut self,
        size: Range,
        limit: Threshold,
        place: PlaceId,
    ) -> bool {
        let is_within = size.most <= limit.value as usize;
        let is_least_within = size.least <= limit.value as usize;
        if is_within == is_least_within && !limit.is_close(size.least) && !limit.is_close(size.most)
        {
            return is_within;
        }
        self.decide(is_within, place)
    }

    /// A decision that is close, whichever way it was fitted to go.
    pub(crate) fn decide(&mut self, fitted: bool, place: PlaceId) -> bool {
        if !self.places.contains(&place) {
            self.places.push(place);
        }
        match self.leaning {
            Leaning::Fitted => fitted,
            Leaning::Otherwise => !fitted,
        }
    }

    /// Where decisions were close.
    pub(crate) fn into_places(self) -> Vec<PlaceId> {
        self.places
    }
}
