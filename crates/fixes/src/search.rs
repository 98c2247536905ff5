//! The places that no other of their kind beats in wavefronts, bytes and instructions at once.

use lanescope_model::{Device, Request, Unknown};

use crate::pattern::{Evaluation, evaluate};
use crate::{Family, Pattern, Place, Shape, SharedTotals, candidates};

/// One place and what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The place.
    pub place: Place,
    /// What all requests to the array cost with it.
    pub totals: SharedTotals,
    /// Bytes more.
    pub extra_bytes: u64,
    /// Instructions more for each index, at most.
    pub instructions: u32,
}

impl Found {
    pub(crate) const fn cost(&self) -> (u64, u32, u64) {
        (self.totals.wavefronts, self.instructions, self.extra_bytes)
    }

    /// Whether it is of the same kind and as good in everything.
    fn covers(&self, other: &Self) -> bool {
        self.place.family() == other.place.family()
            && self.totals.wavefronts <= other.totals.wavefronts
            && self.extra_bytes <= other.extra_bytes
            && self.instructions <= other.instructions
    }
}

/// What the search over one array found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Front {
    /// The array as it is.
    pub now: SharedTotals,
    /// The fewest wavefronts that any one-to-one layout could take.
    pub bound: u64,
    /// Places better than now that no other of their kind beats in all three; the fewest wavefronts
    /// first, then instructions, then bytes.
    pub found: Vec<Found>,
    /// How many places were tried.
    pub tried: usize,
}

/// Searches all paddings, swizzles, row XORs and the transposed layout of one array, over all its
/// patterns together. Only places that `possible` allows are tried.
///
/// # Errors
/// When the device's rule for one of the requests is not known.
pub fn search(
    device: &Device,
    shape: &Shape,
    patterns: &[Pattern],
    possible: &dyn Fn(Place) -> bool,
) -> Result<Front, Unknown> {
    let now = match evaluate(device, shape, patterns, Place::AsIs, u64::MAX) {
        Evaluation::Whole(totals) => totals,
        Evaluation::Unknown(unknown) => return Err(unknown),
        Evaluation::TooDear | Evaluation::Torn => SharedTotals::default(),
    };
    let is_still = |pattern: &&Pattern| is_one_word(shape, pattern);
    let (still, moving): (Vec<_>, Vec<_>) = patterns.iter().partition(is_still);
    let still: Vec<Pattern> = still.into_iter().cloned().collect();
    let still = match evaluate(device, shape, &still, Place::AsIs, u64::MAX) {
        Evaluation::Whole(totals) => totals,
        Evaluation::Unknown(unknown) => return Err(unknown),
        Evaluation::TooDear | Evaluation::Torn => SharedTotals::default(),
    };
    let moving: Vec<Pattern> = moving.into_iter().cloned().collect();
    let sorted = costliest_first(device, shape, &moving);
    let mut search = Search {
        device,
        shape,
        patterns: &sorted,
        still,
        found: Vec::new(),
        tried: 0,
        now,
    };
    if now.conflicts() > 0 {
        let families = [
            candidates::transposes(shape),
            candidates::swizzles(shape),
            candidates::row_xors(shape),
            candidates::paddings(shape),
        ];
        for place in families
            .into_iter()
            .flatten()
            .filter(|place| possible(*place))
        {
            search.try_place(place);
        }
    }
    let bound = bound(device, patterns);
    let (mut found, tried) = (search.found, search.tried);
    found.sort_by_key(Found::cost);
    Ok(Front {
        now,
        bound,
        found,
        tried,
    })
}

/// Whether all lanes want one aligned word of one element, or a part of it: that costs the same wherever the element lies.
fn is_one_word(shape: &Shape, pattern: &Pattern) -> bool {
    let width = pattern.width.bytes();
    let mut lanes = pattern.active.iter().map(|lane| pattern.offsets.get(lane));
    let first = lanes.next().flatten().copied();
    width <= 4
        && shape.element_bytes().is_multiple_of(width)
        && first.is_some_and(|first| {
            first.is_multiple_of(width) && lanes.all(|other| other == Some(&first))
        })
}

/// What the patterns cost at least: what each costs when the distinct places it asks for stand
/// side by side. Lanes that want one place (atomics on a counter, say) meet in any layout.
pub(crate) fn bound(device: &Device, patterns: &[Pattern]) -> u64 {
    let least = |pattern: &Pattern| {
        let addresses = side_by_side(pattern);
        let request = Request {
            addresses: &addresses,
            ..pattern.request()
        };
        let counts = device.shared_counts(&request).ok()?;
        Some(u64::from(counts.wavefronts) * pattern.weight)
    };
    patterns.iter().filter_map(least).sum()
}

fn side_by_side(pattern: &Pattern) -> Vec<u64> {
    let of_lane = |lane: usize| pattern.offsets.get(lane).copied();
    let mut distinct: Vec<u64> = pattern.active.iter().filter_map(of_lane).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let place = |offset: &u64| {
        distinct
            .binary_search(offset)
            .map_or(0, |at| at as u64 * pattern.width.bytes())
    };
    pattern.offsets.iter().map(place).collect()
}

/// The patterns with the most conflicts first, so that a bad place is soon given up.
fn costliest_first(device: &Device, shape: &Shape, patterns: &[Pattern]) -> Vec<Pattern> {
    let mut sorted = patterns.to_vec();
    sorted.sort_by_cached_key(|pattern| {
        let one = std::slice::from_ref(pattern);
        match evaluate(device, shape, one, Place::AsIs, u64::MAX) {
            Evaluation::Whole(totals) => std::cmp::Reverse(totals.conflicts()),
            _ => std::cmp::Reverse(0),
        }
    });
    interleave(sorted)
}

/// Takes the patterns in turns from the two ends, so that both sides of a trade show early.
fn interleave(sorted: Vec<Pattern>) -> Vec<Pattern> {
    let mut rest: std::collections::VecDeque<_> = sorted.into();
    let mut turns = Vec::with_capacity(rest.len());
    while let Some(front) = rest.pop_front() {
        turns.push(front);
        turns.extend(rest.pop_back());
    }
    turns
}

struct Search<'a> {
    device: &'a Device,
    shape: &'a Shape,
    patterns: &'a [Pattern],
    /// What the other patterns cost, wherever elements lie.
    still: SharedTotals,
    found: Vec<Found>,
    tried: usize,
    now: SharedTotals,
}

impl Search<'_> {
    fn try_place(&mut self, place: Place) {
        self.tried += 1;
        let extra_bytes = place.extra_bytes(self.shape);
        let instructions = place.instructions(self.shape);
        let limit = self.limit(place.family(), extra_bytes, instructions);
        let limit = limit.filter(|limit| *limit >= self.now.ideal);
        let Some(limit) = limit.and_then(|limit| limit.checked_sub(self.still.wavefronts)) else {
            return;
        };
        let evaluation = evaluate(self.device, self.shape, self.patterns, place, limit);
        if let Evaluation::Whole(moved) = evaluation {
            let totals = moved.and(&self.still);
            let found = Found {
                place,
                totals,
                extra_bytes,
                instructions,
            };
            self.found.retain(|other| !found.covers(other));
            self.found.push(found);
        }
    }

    /// The most wavefronts with which a place of this price would still be news.
    fn limit(&self, family: Family, extra_bytes: u64, instructions: u32) -> Option<u64> {
        let covering = self
            .found
            .iter()
            .filter(|found| found.place.family() == family)
            .filter(|found| found.extra_bytes <= extra_bytes && found.instructions <= instructions);
        let best = covering.map(|found| found.totals.wavefronts).min();
        best.unwrap_or(self.now.wavefronts)
            .min(self.now.wavefronts)
            .checked_sub(1)
    }
}
