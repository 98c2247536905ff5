//! The places of one array that a search found, and which of them were proved.

use crate::narrow::Narrow;
use crate::uses::Uses;
use crate::{Found, Front, Place, Shape};

/// The places of an array that are worth proving.
pub(crate) struct Sought {
    pub(crate) shape: Shape,
    pub(crate) uses: Uses,
    /// The array with shorter rows, where the places are of that.
    pub(crate) narrow: Option<Narrow>,
    /// All that were found, the best first, and how many were tried; `None` where no place can be judged.
    pub(crate) front: Option<Front>,
    /// How many of them are proved at most.
    pub(crate) most: usize,
    /// Those that were proved.
    pub(crate) proved: Vec<Place>,
}

impl Sought {
    /// The best that are not proved yet, at most so many.
    pub(crate) fn next(&mut self, most: usize) -> Vec<Found> {
        let found = self.front.iter().flat_map(|front| &front.found);
        let worth_it = found.filter(|found| !self.proved.contains(&found.place));
        let left = self.most.saturating_sub(self.proved.len()).min(most);
        let next: Vec<Found> = worth_it.take(left).copied().collect();
        self.proved.extend(next.iter().map(|found| found.place));
        next
    }

    pub(crate) fn tried(&self) -> usize {
        self.front.as_ref().map_or(0, |front| front.tried)
    }
}
