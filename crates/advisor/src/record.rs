//! One run, watched: what each array is asked for, what it costs, and what every thread does.

use std::collections::BTreeMap;

use lanescope_lang::{Access, Array, ArrayId, Budget, Launch, Observer, Outcome, Program, execute};
use lanescope_model::{Device, Operation, Request, Space, Unknown};

use crate::{Patterns, SharedTotals};

/// The cost of a whole run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// All requests to shared memory.
    pub shared: SharedTotals,
    /// All requests to global memory.
    pub global: GlobalTotals,
}

/// What all requests to global memory move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GlobalTotals {
    /// Requests.
    pub requests: u64,
    /// Sectors, lines or transactions, as the device counts.
    pub units: u64,
    /// The fewest of them that could hold the bytes asked for.
    pub ideal: u64,
}

/// Where an array's byte stands in the source as it was: a number for the array, and the byte.
pub(crate) type Locate<'a> = &'a dyn Fn(&str, u64) -> Option<(u64, u64)>;

/// How a run is watched.
pub(crate) struct Watch<'a> {
    /// Names the bytes for the digests.
    locate: Locate<'a>,
    /// Arrays whose accesses count piece by piece, in whatever order, and a piece's bytes.
    pieces: &'a [(String, u64)],
}

impl<'a> Watch<'a> {
    /// Of a source whose arrays stand where they stood.
    pub(crate) const PLAIN: Watch<'static> = Watch {
        locate: &|name, byte| Some((name_key(name), byte)),
        pieces: &[],
    };

    /// Of a source whose arrays stand as `locate` says.
    pub(crate) const fn at(locate: Locate<'a>) -> Self {
        Self {
            locate,
            pieces: &[],
        }
    }

    /// Of a source in which these arrays are touched in pieces that a wider access may gather.
    pub(crate) const fn in_pieces(pieces: &'a [(String, u64)]) -> Self {
        Self {
            locate: Self::PLAIN.locate,
            pieces,
        }
    }
}

impl Watch<'_> {
    /// Whether the accesses to `array` count piece by piece.
    fn is_in_pieces(&self, array: &str) -> bool {
        self.pieces.iter().any(|(name, _)| name == array)
    }

    /// Adds one lane's access to `array` to what its thread did; pieces count as of stretch `stretch`.
    fn note(
        &self,
        deeds: &mut Deeds,
        request: &Request<'_>,
        (array, byte): (&str, u64),
        stretch: u64,
    ) {
        match self.pieces.iter().find(|(name, _)| name == array) {
            Some((_, bytes)) => {
                let (action, key) = (operation(request.operation), name_key(array));
                for at in 0..(request.width.bytes() / (*bytes).max(1)).max(1) {
                    let piece = digest(stretch, action, (key, byte.wrapping_add(at * bytes)));
                    deeds.pieces = deeds.pieces.wrapping_add(piece);
                }
            }
            None => {
                let place = (self.locate)(array, byte).unwrap_or((u64::MAX, byte));
                deeds.ordered = digest(deeds.ordered, kind(request), place);
            }
        }
    }
}

/// A digest of everything a thread asked memory for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deeds {
    /// Accesses in their order.
    ordered: u64,
    /// The pieces whose order does not count, summed.
    pieces: u64,
}

/// A number for an array's name (FNV-1a).
pub(crate) fn name_key(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// One run, watched.
pub(crate) struct Record {
    pub(crate) totals: Totals,
    pub(crate) arrays: BTreeMap<u32, ArrayRecord>,
    /// `[block * threads + thread]`: what the thread asked memory for.
    pub(crate) threads: Vec<Deeds>,
    pub(crate) outcome: Outcome,
    /// The first rule that is not known.
    pub(crate) unknown: Option<Unknown>,
}

/// What a run asked of one array.
#[derive(Clone, Debug, Default)]
pub(crate) struct ArrayRecord {
    pub(crate) patterns: Patterns,
    pub(crate) shared: SharedTotals,
    pub(crate) global: GlobalTotals,
}

/// Runs the program once, watched as `watch` says.
pub(crate) fn record(
    program: &Program,
    launch: &Launch,
    device: &Device,
    budget: Budget,
    watch: &Watch<'_>,
) -> Record {
    let mut recorder = Recorder {
        program,
        device,
        watch,
        block_threads: launch.block_threads(),
        warp_lanes: u64::from(device.warp_lanes()),
        totals: Totals::default(),
        arrays: BTreeMap::new(),
        threads: Vec::new(),
        unknown: None,
        barriers: 0,
        stores: BTreeMap::new(),
    };
    let outcome = execute(program, launch, device.warp_lanes(), budget, &mut recorder);
    Record {
        totals: recorder.totals,
        arrays: recorder.arrays,
        threads: recorder.threads,
        outcome,
        unknown: recorder.unknown,
    }
}

/// The most threads whose deeds are kept apart.
const MAX_THREADS: u64 = 1 << 20;

struct Recorder<'a> {
    program: &'a Program,
    device: &'a Device,
    watch: &'a Watch<'a>,
    block_threads: u64,
    warp_lanes: u64,
    totals: Totals,
    arrays: BTreeMap<u32, ArrayRecord>,
    threads: Vec<Deeds>,
    unknown: Option<Unknown>,
    /// Barriers that have been passed.
    barriers: u64,
    /// `[warp and array]`: how often the warp has written to the array, where that counts piece by piece.
    stores: BTreeMap<(u32, u64), u64>,
}

impl Observer for Recorder<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let array = self.array_of(access);
        self.count(
            array.map(|(id, _)| id),
            access,
            array.map_or(0, |(_, array)| array.base),
        );
        self.digest(array.map(|(_, array)| array), access);
        true
    }

    fn barrier(&mut self) {
        self.barriers += 1;
    }
}

impl<'a> Recorder<'a> {
    fn array_of(&self, access: &Access<'_>) -> Option<(ArrayId, &'a Array)> {
        let known = self.program.site(access.site).and_then(|site| site.array);
        let id = known.or_else(|| self.search(&access.request))?;
        self.program.array(id).map(|array| (id, array))
    }

    /// The array that the first lane's address lies in.
    fn search(&self, request: &Request<'_>) -> Option<ArrayId> {
        let lane = request.active.iter().next()?;
        let address = *request.addresses.get(lane)?;
        let holds = |array: &Array| {
            array.space == request.space
                && address >= array.base
                && array.bytes.is_none_or(|bytes| address - array.base < bytes)
        };
        let arrays = self.program.arrays().iter().enumerate();
        let last = arrays
            .filter(|(_, array)| holds(array))
            .max_by_key(|(_, array)| array.base);
        last.and_then(|(at, _)| u32::try_from(at).ok()).map(ArrayId)
    }

    fn count(&mut self, id: Option<ArrayId>, access: &Access<'_>, base: u64) {
        let mut unnamed = ArrayRecord::default();
        let array = match id {
            Some(id) => self.arrays.entry(id.0).or_default(),
            None => &mut unnamed,
        };
        let request = &access.request;
        match request.space {
            Space::Shared => match self.device.shared_counts(request) {
                Ok(counts) => {
                    array.patterns.add(request, base);
                    array.shared.add(counts, 1);
                    self.totals.shared.add(counts, 1);
                }
                Err(unknown) => self.unknown = self.unknown.or(Some(unknown)),
            },
            Space::Global => match self.device.global_counts(request) {
                Ok(counts) => {
                    array.global.add(counts);
                    self.totals.global.add(counts);
                }
                Err(unknown) => self.unknown = self.unknown.or(Some(unknown)),
            },
        }
    }

    /// A number for the stretch of the run in which the warp's reads of a shared array see the same: neither a barrier
    /// nor a write of the warp lies inside it. Of global memory, which is only read or only written, there is one.
    fn stretch(&mut self, array: Option<&Array>, access: &Access<'_>) -> u64 {
        let request = &access.request;
        let Some(array) = array
            .filter(|array| request.space == Space::Shared && self.watch.is_in_pieces(&array.name))
        else {
            return 0;
        };
        let place = (access.warp, name_key(&array.name));
        let written = self.stores.entry(place).or_default();
        if !matches!(request.operation, Operation::Load) {
            *written += 1;
        }
        mix(mix(1, self.barriers), *written)
    }

    fn digest(&mut self, array: Option<&Array>, access: &Access<'_>) {
        let request = &access.request;
        let stretch = self.stretch(array, access);
        let first = access
            .block_index
            .saturating_mul(self.block_threads)
            .saturating_add(u64::from(access.warp) * self.warp_lanes);
        for lane in request
            .active
            .iter()
            .take_while(|lane| *lane < request.addresses.len())
        {
            let thread = first.saturating_add(lane as u64);
            let Some(deeds) = slot(&mut self.threads, thread) else {
                return;
            };
            let address = request.addresses[lane];
            match array {
                Some(array) => {
                    let byte = address.wrapping_sub(array.base);
                    self.watch
                        .note(deeds, request, (&array.name, byte), stretch);
                }
                None => {
                    let place = (u64::MAX - 1, address);
                    deeds.ordered = digest(deeds.ordered, kind(request), place);
                }
            }
        }
    }
}

fn slot(threads: &mut Vec<Deeds>, thread: u64) -> Option<&mut Deeds> {
    if thread >= MAX_THREADS {
        return None;
    }
    let at = usize::try_from(thread).ok()?;
    if at >= threads.len() {
        threads.resize(at + 1, Deeds::default());
    }
    threads.get_mut(at)
}

fn digest(state: u64, kind: u64, (name, byte): (u64, u64)) -> u64 {
    mix(mix(mix(state, kind), name), byte)
}

fn kind(request: &Request<'_>) -> u64 {
    operation(request.operation) << 8 | request.width.bytes()
}

const fn operation(operation: Operation) -> u64 {
    match operation {
        Operation::Load => 1,
        Operation::Store => 2,
        Operation::Atomic => 3,
        Operation::Reduction => 4,
        Operation::Increment => 5,
        Operation::CompareAndSwap => 6,
        Operation::MatrixLoad { matrices } => 16 + matrices as u64,
        Operation::MatrixStore { matrices } => 32 + matrices as u64,
        #[allow(unreachable_patterns)] // the model may learn further operations
        _ => 64,
    }
}

/// One round of the 64-bit finaliser of MurmurHash3 over the sum.
const fn mix(state: u64, value: u64) -> u64 {
    let mut hash = state
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(value)
        .wrapping_add(1);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash
}

impl GlobalTotals {
    fn add(&mut self, counts: lanescope_model::GlobalCounts) {
        self.requests += u64::from(counts.requests);
        self.units += u64::from(counts.units);
        self.ideal += u64::from(counts.ideal_units);
    }
}
