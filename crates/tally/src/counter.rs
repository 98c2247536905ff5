//! Counts of requests, remembered: most requests of a launch are like an earlier one.

use lanescope_model::{
    Device, GlobalCounts, LaneMask, MAX_LANES, Operation, Request, SharedCounts, Space, Unknown,
    Width,
};
use lanescope_simt::AffineAccess;

/// Requests that are remembered; one that falls on another's place takes it.
const PLACES: usize = 512;

/// As [`PLACES`], of requests whose addresses lie on a line.
const LINE_PLACES: usize = 256;

/// Asks a device for the counts of requests and remembers the answers.
///
/// Two requests whose addresses differ by a multiple of the device's period (once around its
/// banks, or a cache line) cost the same, so one answer serves both.
#[derive(Clone, Debug)]
pub struct Counter<'d> {
    device: &'d Device,
    shared_period: Option<u64>,
    global_period: Option<u64>,
    /// Empty until the first request.
    places: Vec<Option<Box<Place>>>,
    /// The same for requests whose addresses lie on a line.
    line_places: Vec<Option<(LineKey, Answer)>>,
    /// How well remembering serves, of shared and of global memory.
    misses: [Misses; 2],
}

/// After so many requests that were like none before, as those to random addresses are, only every eighth is remembered
/// and looked for: what is remembered costs more than the model then.
const MANY_MISSES: u32 = 64;

/// After so many, only every 64th.
const MOST_MISSES: u32 = 512;

/// Requests to any addresses that were like none before, less two for each that was: remembering pays where a third are
/// found again.
#[derive(Clone, Copy, Debug, Default)]
struct Misses {
    count: u32,
    /// Requests so far.
    requests: u32,
}

impl Misses {
    /// Whether the next request is to be looked for.
    const fn is_looked_for(&mut self) -> bool {
        self.requests = self.requests.wrapping_add(1);
        self.requests.is_multiple_of(match self.count {
            ..MANY_MISSES => 1,
            MANY_MISSES..MOST_MISSES => 8,
            MOST_MISSES.. => 64,
        })
    }

    fn note(&mut self, is_found: bool) {
        self.count = if is_found {
            self.count.saturating_sub(2)
        } else {
            MOST_MISSES.min(self.count + 1)
        };
    }
}

#[derive(Clone, Debug)]
struct Place {
    space: Space,
    operation: Operation,
    width: Width,
    active: LaneMask,
    relative: Relative,
    answer: Answer,
}

/// `[lane]`: bytes from the period that the first lane lies in, modulo 2^32; 0 where a lane is off.
type Relative = [u32; MAX_LANES];

/// What a request costs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    Shared(Result<SharedCounts, Unknown>),
    Global(Result<GlobalCounts, Unknown>),
}

impl<'d> Counter<'d> {
    /// A counter for `device` that remembers nothing yet.
    #[must_use]
    pub fn new(device: &'d Device) -> Self {
        Self {
            device,
            shared_period: device.shared_period_bytes(),
            global_period: device.global_period_bytes(),
            places: Vec::new(),
            line_places: Vec::new(),
            misses: [Misses::default(); 2],
        }
    }

    /// The device that answers.
    #[must_use]
    pub fn device(&self) -> &'d Device {
        self.device
    }

    /// Bytes by which all addresses of a request to shared and to global memory may move without a count changing; 0
    /// where none are known.
    #[must_use]
    pub fn periods(&self) -> (u64, u64) {
        (
            self.shared_period.unwrap_or(0),
            self.global_period.unwrap_or(0),
        )
    }

    /// What the counts of a request on a line depend on; `None` where they may depend on any bit of an address.
    pub(crate) fn line_key(&self, access: &AffineAccess) -> Option<LineKey> {
        let period = self.period(access.space)?;
        Some(LineKey {
            space: access.space,
            operation: access.operation,
            width: access.width,
            active: access.active,
            lanes: access.lanes,
            phase: access.first & (period - 1),
            stride: access.stride,
        })
    }

    /// What [`Device::shared_counts`] says.
    ///
    /// # Errors
    /// As [`Device::shared_counts`].
    pub fn shared_counts(&mut self, request: &Request<'_>) -> Result<SharedCounts, Unknown> {
        match self.answer(request) {
            Answer::Shared(counts) => counts,
            Answer::Global(_) => Err(Unknown::OtherSpace),
        }
    }

    /// What [`Device::global_counts`] says.
    ///
    /// # Errors
    /// As [`Device::global_counts`].
    pub fn global_counts(&mut self, request: &Request<'_>) -> Result<GlobalCounts, Unknown> {
        match self.answer(request) {
            Answer::Global(counts) => counts,
            Answer::Shared(_) => Err(Unknown::OtherSpace),
        }
    }

    /// What a request costs in the memory that it goes to.
    pub(crate) fn answer(&mut self, request: &Request<'_>) -> Answer {
        let Some(period) = self.period(request.space) else {
            return self.asked(request);
        };
        match LineKey::of(request, period) {
            Some(key) => self.answer_on_line(request, key),
            // What its passes keep apart depends on where it lies.
            None if request.operation.is_atomic() && request.space == Space::Global => {
                self.asked(request)
            }
            None if self.misses[memory(request.space)].is_looked_for() => {
                self.answer_any(request, period)
            }
            None => self.asked(request),
        }
    }

    const fn period(&self, space: Space) -> Option<u64> {
        match space {
            Space::Shared => self.shared_period,
            Space::Global => self.global_period,
        }
    }

    /// The answer to a request whose addresses lie on a line.
    fn answer_on_line(&mut self, request: &Request<'_>, key: LineKey) -> Answer {
        if self.line_places.is_empty() {
            self.line_places = vec![None; LINE_PLACES];
        }
        let at = key.place(0, LINE_PLACES);
        if let Some((known, answer)) = &self.line_places[at]
            && *known == key
        {
            return *answer;
        }
        let answer = self.asked(request);
        self.line_places[at] = Some((key, answer));
        answer
    }

    /// The answer to a request whose addresses may be any.
    fn answer_any(&mut self, request: &Request<'_>, period: u64) -> Answer {
        let memory = memory(request.space);
        let relative = match relative(request, period) {
            Some(relative) if request.active.0 != 0 => relative,
            _ => return self.asked(request),
        };
        if self.places.is_empty() {
            self.places = vec![None; PLACES];
        }
        let at = place_of(request, &relative);
        if let Some(place) = &self.places[at]
            && place.active == request.active
            && place.relative == relative
            && place.space == request.space
            && place.operation == request.operation
            && place.width == request.width
        {
            let answer = place.answer;
            self.misses[memory].note(true);
            return answer;
        }
        self.misses[memory].note(false);
        let answer = self.asked(request);
        let Request {
            space,
            operation,
            width,
            active,
            ..
        } = *request;
        self.places[at] = Some(Box::new(Place {
            space,
            operation,
            width,
            active,
            relative,
            answer,
        }));
        answer
    }

    /// What the device says, of a request that need not be remembered.
    pub(crate) fn asked(&self, request: &Request<'_>) -> Answer {
        match request.space {
            Space::Shared => Answer::Shared(self.device.shared_counts(request)),
            Space::Global => Answer::Global(self.device.global_counts(request)),
        }
    }
}

/// Which of two belongs to a memory.
const fn memory(space: Space) -> usize {
    match space {
        Space::Shared => 0,
        Space::Global => 1,
    }
}

/// What the counts of a request depend on whose addresses lie on a line over the lanes, as most do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineKey {
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

impl LineKey {
    /// None where the addresses do not lie on a line.
    fn of(request: &Request<'_>, period: u64) -> Option<Self> {
        let [first, second, ..] = *request.addresses else {
            return None;
        };
        let stride = second.wrapping_sub(first);
        // Scattered addresses mostly leave the line at once.
        let third = request.addresses.get(2);
        if third.is_some_and(|third| third.wrapping_sub(second) != stride) {
            return None;
        }
        let pairs = request.addresses.iter().zip(&request.addresses[1..]);
        let off_line = pairs.fold(0, |off, (here, next)| {
            off | (next.wrapping_sub(*here) ^ stride)
        });
        (off_line == 0).then_some(Self {
            space: request.space,
            operation: request.operation,
            width: request.width,
            active: request.active,
            lanes: request.addresses.len(),
            phase: first & (period - 1),
            stride,
        })
    }

    /// One of so many places, for what `salt` tells apart.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "only some bits of the sum choose a place"
    )]
    pub(crate) fn place(&self, salt: u32, places: usize) -> usize {
        let sum = self
            .stride
            .wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
            .wrapping_add(self.phase ^ self.width.bytes() << 20 ^ self.active.0.rotate_left(29))
            .wrapping_add(u64::from(salt) << 20);
        (sum.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % places
    }
}

/// The addresses counted from the period that the first lane that is on lies in; `None` where they lie too far apart.
#[allow(
    clippy::cast_possible_truncation,
    reason = "what is cut off is looked at"
)]
fn relative(request: &Request<'_>, period: u64) -> Option<Relative> {
    let mut relative = [0; MAX_LANES];
    let lanes = request.active.0;
    let count = request.addresses.len().min(MAX_LANES);
    let first = request
        .addresses
        .get(lanes.trailing_zeros() as usize)
        .copied()
        .unwrap_or(0);
    let base = first & !(period - 1);
    let mut high = 0;
    if LaneMask::first(count).0 & !lanes == 0 {
        for (to, from) in relative.iter_mut().zip(request.addresses) {
            let offset = from.wrapping_sub(base);
            high |= offset.wrapping_add(1 << 31) >> 32;
            *to = offset as u32;
        }
    } else {
        for (lane, (to, from)) in relative.iter_mut().zip(request.addresses).enumerate() {
            let on = 0_u64.wrapping_sub(lanes >> lane & 1);
            let offset = from.wrapping_sub(base) & on;
            high |= offset.wrapping_add(1 << 31) >> 32;
            *to = offset as u32;
        }
    }
    (high == 0).then_some(relative)
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "only some bits of the sum choose a place"
)]
fn place_of(request: &Request<'_>, relative: &Relative) -> usize {
    let count = request.addresses.len().min(MAX_LANES);
    let mut sum = request.active.0
        ^ request.width.bytes() << 7
        ^ u64::from(request.space == Space::Shared) << 13;
    let pairs = relative[..count.next_multiple_of(2)].chunks_exact(2);
    for (pair, weight) in pairs.zip(WEIGHTS) {
        let both = u64::from(pair[0]) | u64::from(pair[1]) << 32;
        sum = sum.wrapping_add((both ^ both >> 29).wrapping_mul(weight));
    }
    (sum.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % PLACES
}

/// An odd number for each two lanes.
const WEIGHTS: [u64; MAX_LANES] = {
    let mut weights = [0; MAX_LANES];
    let mut lane = 0;
    while lane < MAX_LANES {
        weights[lane] = (lane as u64).wrapping_mul(0x1234_5678_9abc_def1) | 1;
        lane += 1;
    }
    weights
};
