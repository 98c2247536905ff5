//! What the warps of a run ask of one array.

use lanescope_model::{Device, LaneMask, MAX_LANES, Operation, Request, Space, Unknown, Width};

use crate::mix::{Numbered, mix};
use crate::{Place, Shape};

/// One way in which a warp touches an array, and how often it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// What is done.
    pub operation: Operation,
    /// Bytes a lane.
    pub width: Width,
    /// The lanes that take part.
    pub active: LaneMask,
    /// `[lane]`: bytes from the array's beginning; 0 for a lane that is off.
    pub offsets: Vec<u64>,
    /// How often it runs.
    pub weight: u64,
}

impl Pattern {
    /// The request, its addresses counted from the array's beginning.
    #[must_use]
    pub fn request(&self) -> Request<'_> {
        Request {
            space: Space::Shared,
            operation: self.operation,
            width: self.width,
            active: self.active,
            addresses: &self.offsets,
        }
    }
}

impl Pattern {
    /// One request whose `addresses` lie in an array that begins at `base`.
    pub(crate) fn of(request: &Request<'_>, base: u64) -> Self {
        let lanes = request.addresses.iter().take(MAX_LANES).enumerate();
        let offset = |(lane, address): (usize, &u64)| {
            let is_on = request.active.contains(lane);
            if is_on { address.wrapping_sub(base) } else { 0 }
        };
        Self {
            operation: request.operation,
            width: request.width,
            active: request.active,
            offsets: lanes.map(offset).collect(),
            weight: 1,
        }
    }
}

/// Everything that a run asks of one array, alike requests counted together.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    patterns: Vec<Pattern>,
    /// By a number for what a pattern asks: those of that number.
    index: Numbered<Vec<usize>>,
}

impl Patterns {
    /// No request.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts one request whose `addresses` lie in an array that begins at `base`.
    pub fn add(&mut self, request: &Request<'_>, base: u64) {
        let new = Pattern::of(request, base);
        let number = new
            .offsets
            .iter()
            .fold(new.active.0, |number, offset| mix(number, *offset));
        let alike = |old: &Pattern| {
            (old.operation, old.width, old.active) == (new.operation, new.width, new.active)
                && old.offsets == new.offsets
        };
        let numbered = self.index.entry(number).or_default();
        match numbered.iter().find(|at| alike(&self.patterns[**at])) {
            Some(at) => self.patterns[*at].weight += 1,
            None => {
                numbered.push(self.patterns.len());
                self.patterns.push(new);
            }
        }
    }

    /// The distinct requests, in the order they first came.
    #[must_use]
    pub fn all(&self) -> &[Pattern] {
        &self.patterns
    }
}

/// What all requests to an array cost together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SharedTotals {
    /// Requests.
    pub requests: u64,
    /// Wavefronts (the most, where the hardware may choose).
    pub wavefronts: u64,
    /// Wavefronts if there were no conflict.
    pub ideal: u64,
    /// The worst request's n of "n-way".
    pub ways: u32,
}

impl SharedTotals {
    /// Wavefronts less ideal wavefronts.
    #[must_use]
    pub const fn conflicts(&self) -> u64 {
        self.wavefronts.saturating_sub(self.ideal)
    }

    /// Both together.
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self {
            requests: self.requests + other.requests,
            wavefronts: self.wavefronts + other.wavefronts,
            ideal: self.ideal + other.ideal,
            ways: self.ways.max(other.ways),
        }
    }

    pub(crate) fn add(&mut self, counts: lanescope_model::SharedCounts, weight: u64) {
        self.requests += weight;
        self.wavefronts += u64::from(counts.wavefronts) * weight;
        self.ideal += u64::from(counts.ideal_wavefronts) * weight;
        self.ways = self.ways.max(counts.ways);
    }
}

/// Whether a place could be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evaluation {
    /// All requests.
    Whole(SharedTotals),
    /// Given up, for it costs more than was to be beaten.
    TooDear,
    /// A lane's bytes would be torn apart or lose their alignment.
    Torn,
    /// The device's rule is not known.
    Unknown(Unknown),
}

/// What the patterns cost when the array's elements lie as `place` says; given up as soon as it
/// costs more than `limit` wavefronts.
#[must_use]
pub fn evaluate(
    device: &Device,
    shape: &Shape,
    patterns: &[Pattern],
    place: Place,
    limit: u64,
) -> Evaluation {
    let mut totals = SharedTotals::default();
    let mut addresses = [0; MAX_LANES];
    for pattern in patterns {
        if !move_lanes(shape, pattern, place, &mut addresses) {
            return Evaluation::Torn;
        }
        let request = Request {
            space: Space::Shared,
            operation: pattern.operation,
            width: pattern.width,
            active: pattern.active,
            addresses: &addresses[..pattern.offsets.len().min(MAX_LANES)],
        };
        match device.shared_counts(&request) {
            Ok(counts) => totals.add(counts, pattern.weight),
            Err(unknown) => return Evaluation::Unknown(unknown),
        }
        if totals.wavefronts > limit {
            return Evaluation::TooDear;
        }
    }
    Evaluation::Whole(totals)
}

/// Writes the lanes' new addresses; `false` when a lane's bytes do not stay together.
fn move_lanes(
    shape: &Shape,
    pattern: &Pattern,
    place: Place,
    addresses: &mut [u64; MAX_LANES],
) -> bool {
    let (element, width) = (shape.element_bytes(), pattern.width.bytes());
    for lane in pattern
        .active
        .iter()
        .take_while(|lane| *lane < pattern.offsets.len())
    {
        let offset = pattern.offsets[lane];
        let (first, within) = (offset / element, offset % element);
        let there = place.of(shape, first);
        addresses[lane] = there.wrapping_mul(element).wrapping_add(within);
        if !addresses[lane].is_multiple_of(width) && offset.is_multiple_of(width) {
            return false;
        }
        let last = offset.saturating_add(width - 1) / element;
        if (first + 1..=last).any(|next| place.of(shape, next) != there.wrapping_add(next - first))
        {
            return false;
        }
    }
    true
}

/// `[bank]`: wavefronts of each bank in the costliest phase of a request.
pub(crate) fn bank_load(device: &Device, pattern: &Pattern) -> Vec<u32> {
    let Ok(report) = device.shared_report(&pattern.request()) else {
        return Vec::new();
    };
    let mut load = vec![0; report.banks as usize];
    let costliest = report.phases.iter().max_by_key(|phase| phase.wavefronts);
    for bank in costliest.into_iter().flat_map(|phase| &phase.banks) {
        if let Some(slot) = load.get_mut(bank.bank as usize) {
            *slot = bank.wavefronts;
        }
    }
    load
}
