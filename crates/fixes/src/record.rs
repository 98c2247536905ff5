//! One run, watched: what each array is asked for, what it costs, and what every thread does.

use std::collections::BTreeMap;

use lanescope_frontend::{
    Access, ArrayId, NamedLaunch, Observer, Program, SourceArray, SourceOutcome, execute,
};
use lanescope_model::{Device, LaneMask, Operation, Request, Space, Unknown};

use crate::mix::mix;
use crate::origin::Origin;
use crate::{Pattern, Patterns, Question, Reader, SharedTotals};

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

impl GlobalTotals {
    /// Those that hold nothing that is asked for.
    pub(crate) const fn waste(&self) -> u64 {
        self.units.saturating_sub(self.ideal)
    }
}

/// How a run is watched.
pub(crate) struct Watch<'a> {
    /// Says of the array of a name what it was.
    origin: &'a dyn Fn(&str) -> Origin<'a>,
    /// Arrays whose accesses count piece by piece, apart from those to other arrays, and a piece's bytes.
    pieces: &'a [(String, u64)],
    /// Whether the order of these pieces counts.
    pieces_in_order: bool,
    /// Whether all that arrays are asked is kept.
    keeps: bool,
}

impl<'a> Watch<'a> {
    /// Of a source whose arrays stand where they stood.
    pub(crate) const PLAIN: Watch<'static> = Watch {
        origin: &Origin::same,
        pieces: &[],
        pieces_in_order: false,
        keeps: false,
    };

    /// Of the source as it was, with what its arrays are asked, for a search.
    pub(crate) const SEARCHED: Watch<'static> = Watch {
        keeps: true,
        ..Self::PLAIN
    };

    /// Of a source whose arrays stood as `origin` says.
    pub(crate) const fn from(origin: &'a dyn Fn(&str) -> Origin<'a>) -> Self {
        Self {
            origin,
            pieces: &[],
            pieces_in_order: false,
            keeps: false,
        }
    }

    /// Of a source in which these arrays are touched in pieces that a wider access may gather.
    pub(crate) const fn in_pieces(pieces: &'a [(String, u64)]) -> Self {
        Self {
            origin: &Origin::same,
            pieces,
            pieces_in_order: false,
            keeps: false,
        }
    }

    /// The same, with these arrays touched in pieces.
    pub(crate) const fn with_pieces(self, pieces: &'a [(String, u64)]) -> Self {
        Self { pieces, ..self }
    }

    /// The same, with these arrays touched in pieces whose order counts, but not what other arrays are asked between them.
    pub(crate) const fn with_ordered_pieces(self, pieces: &'a [(String, u64)]) -> Self {
        Self {
            pieces,
            pieces_in_order: true,
            ..self
        }
    }

    /// The same of the source as it was, whose arrays stand where they stood.
    pub(crate) const fn unmoved(&self) -> Self {
        Self {
            origin: &Origin::same,
            ..*self
        }
    }

    /// Whether some arrays are touched in pieces.
    pub(crate) const fn has_pieces(&self) -> bool {
        !self.pieces.is_empty()
    }

    /// What the array of this name was.
    pub(crate) fn origin(&self, name: &str) -> Origin<'a> {
        (self.origin)(name)
    }

    /// How accesses to `array` are watched.
    fn view(&self, array: &SourceArray) -> View<'a> {
        let mut pieces = self.pieces.iter();
        View {
            origin: (self.origin)(&array.name),
            piece: pieces
                .find(|(name, _)| *name == array.name)
                .map(|(_, bytes)| (*bytes).max(1)),
            pieces_in_order: self.pieces_in_order,
        }
    }
}

/// How accesses to one array are watched.
struct View<'a> {
    origin: Origin<'a>,
    /// Bytes of a piece, where accesses count piece by piece.
    piece: Option<u64>,
    /// Whether the order of pieces counts.
    pieces_in_order: bool,
}

impl View<'_> {
    /// Adds the accesses of one request to what its `threads` did, the first lane's first; pieces count as of stretch
    /// `stretch`.
    fn note(&self, threads: &mut [Deeds], request: &Request<'_>, base: u64, stretch: u64) {
        let array = self.origin.array;
        if let Some(piece) = self.piece {
            let action = mix(stretch, mix(operation(request.operation), array));
            let pieces = (request.width.bytes() / piece).max(1);
            return each(threads, request, |deeds, address| {
                let first = address.wrapping_sub(base);
                for at in 0..pieces {
                    let place = first.wrapping_add(at * piece);
                    // What was not, as the room between structures, is nobody's element.
                    let old = self
                        .origin
                        .rule
                        .as_ref()
                        .map_or(Some(place), |old| old(place));
                    let one = old.map_or(0, |place| mix(action, place));
                    deeds.pieces = match self.pieces_in_order {
                        true => mix(deeds.pieces, one),
                        false => deeds.pieces.wrapping_add(one),
                    };
                }
            });
        }
        let action = mix(kind(request), array);
        match &self.origin.rule {
            None => each(threads, request, |deeds, address| {
                deeds.next(action, address.wrapping_sub(base));
            }),
            Some(old) => {
                let new = mix(kind(request), NEW);
                each(threads, request, |deeds, address| {
                    let byte = address.wrapping_sub(base);
                    match old(byte) {
                        Some(old) => deeds.next(action, old),
                        None => deeds.next(new, byte),
                    }
                });
            }
        }
    }
}

/// Tells `note` of each lane that is on: its thread's deeds, and its address.
fn each(threads: &mut [Deeds], request: &Request<'_>, mut note: impl FnMut(&mut Deeds, u64)) {
    let lanes = threads.iter_mut().zip(request.addresses);
    if request.active == LaneMask::first(request.addresses.len()) {
        lanes.for_each(|(deeds, address)| note(deeds, *address));
    } else {
        let on = lanes.enumerate();
        let on = on.filter(|(lane, _)| request.active.contains(*lane));
        on.for_each(|(_, (deeds, address))| note(deeds, *address));
    }
}

/// The number of an array that was not.
const NEW: u64 = u64::MAX;
/// The number of memory that no array is known for.
const NOWHERE: u64 = u64::MAX - 1;

/// A digest of everything a thread asked memory for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Deeds {
    /// Accesses in their order.
    ordered: u64,
    /// The pieces: summed where their order does not count.
    pieces: u64,
}

impl Deeds {
    /// Adds an access to the place `place`.
    const fn next(&mut self, action: u64, place: u64) {
        self.ordered = mix(self.ordered ^ action, place);
    }
}

/// One run, watched.
pub(crate) struct Record {
    pub(crate) totals: Totals,
    pub(crate) arrays: BTreeMap<u32, ArrayRecord>,
    /// Wavefronts and pieces of global memory, by the site that asks for them.
    pub(crate) costs: BTreeMap<u32, u64>,
    /// `[block * threads + thread]`: what the thread asked memory for.
    pub(crate) threads: Vec<Deeds>,
    pub(crate) outcome: SourceOutcome,
    /// The first rule that is not known.
    pub(crate) unknown: Option<Unknown>,
}

/// What a run asked of one array.
#[derive(Clone, Debug, Default)]
pub(crate) struct ArrayRecord {
    /// All requests to shared memory, where the run keeps them.
    pub(crate) patterns: Patterns,
    /// The first of those that took the most wavefronts, and how many.
    pub(crate) costliest: Option<(u32, Pattern)>,
    pub(crate) shared: SharedTotals,
    pub(crate) global: GlobalTotals,
}

/// Runs the program once, watched as `watch` says.
pub(crate) fn record(
    question: &Question<'_>,
    program: &Program,
    launch: &NamedLaunch,
    watch: &Watch<'_>,
) -> Record {
    let (device, budget) = (question.device, question.budget);
    let mut recorder = Recorder {
        program,
        device,
        reader: question.reader,
        accesses: 0,
        views: program
            .arrays()
            .iter()
            .map(|array| watch.view(array))
            .collect(),
        keeps: watch.keeps,
        block_threads: launch.block_threads(),
        warp_lanes: u64::from(device.warp_lanes()),
        totals: Totals::default(),
        arrays: BTreeMap::new(),
        costs: BTreeMap::new(),
        threads: Vec::new(),
        unknown: None,
        barriers: 0,
        stores: BTreeMap::new(),
    };
    let outcome = execute(program, launch, device.warp_lanes(), budget, &mut recorder);
    Record {
        totals: recorder.totals,
        arrays: recorder.arrays,
        costs: recorder.costs,
        threads: recorder.threads,
        outcome,
        unknown: recorder.unknown,
    }
}

/// Accesses after which the run looks at whether it is to end.
const LOOKS_EVERY: u64 = 1 << 10;

/// The most threads whose deeds are kept apart.
const MAX_THREADS: usize = 1 << 20;

struct Recorder<'a> {
    program: &'a Program,
    device: &'a Device,
    reader: &'a dyn Reader,
    /// Accesses so far.
    accesses: u64,
    /// `[array]`: how it is watched.
    views: Vec<View<'a>>,
    keeps: bool,
    block_threads: u64,
    warp_lanes: u64,
    totals: Totals,
    arrays: BTreeMap<u32, ArrayRecord>,
    costs: BTreeMap<u32, u64>,
    threads: Vec<Deeds>,
    unknown: Option<Unknown>,
    /// Barriers that have been passed.
    barriers: u64,
    /// `[warp and array]`: how often the warp has written to the array, where that counts piece by piece.
    stores: BTreeMap<(u32, u32), u64>,
}

impl Observer for Recorder<'_> {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let array = self.array_of(access);
        self.count(array, access);
        self.digest(array, access);
        self.accesses += 1;
        !self.accesses.is_multiple_of(LOOKS_EVERY) || !self.reader.is_over()
    }

    fn barrier(&mut self) {
        self.barriers += 1;
    }
}

impl<'a> Recorder<'a> {
    fn array_of(&self, access: &Access<'_>) -> Option<(ArrayId, &'a SourceArray)> {
        let known = self.program.site(access.site).and_then(|site| site.array);
        let id = known.or_else(|| self.search(&access.request))?;
        self.program.array(id).map(|array| (id, array))
    }

    /// The array that the first lane's address lies in.
    fn search(&self, request: &Request<'_>) -> Option<ArrayId> {
        let lane = request.active.iter().next()?;
        let address = *request.addresses.get(lane)?;
        let holds = |array: &SourceArray| {
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

    fn count(&mut self, array: Option<(ArrayId, &SourceArray)>, access: &Access<'_>) {
        let request = &access.request;
        let cost = self.costs.entry(access.site.0).or_default();
        let record = array.map(|(id, array)| (self.arrays.entry(id.0).or_default(), array.base));
        match request.space {
            Space::Shared => match self.device.shared_counts(request) {
                Ok(counts) => {
                    self.totals.shared.add(counts, 1);
                    *cost += u64::from(counts.wavefronts);
                    if let Some((record, base)) = record {
                        record.shared.add(counts, 1);
                        let most = record.costliest.as_ref().map_or(0, |(most, _)| *most);
                        if counts.wavefronts > most {
                            record.costliest =
                                Some((counts.wavefronts, Pattern::of(request, base)));
                        }
                        if self.keeps {
                            record.patterns.add(request, base);
                        }
                    }
                }
                Err(unknown) => self.unknown = self.unknown.or(Some(unknown)),
            },
            Space::Global => match self.device.global_counts(request) {
                Ok(counts) => {
                    self.totals.global.add(counts);
                    *cost += u64::from(counts.units);
                    if let Some((record, _)) = record {
                        record.global.add(counts);
                    }
                }
                Err(unknown) => self.unknown = self.unknown.or(Some(unknown)),
            },
        }
    }

    /// A number for the stretch of the run in which the warp's reads of a shared array see the same: neither a barrier
    /// nor a write of the warp lies inside it. Of global memory, which is only read or only written, there is one.
    fn stretch(&mut self, array: Option<(ArrayId, &SourceArray)>, access: &Access<'_>) -> u64 {
        let request = &access.request;
        let Some((id, _)) = array.filter(|(id, _)| {
            let view = self.views.get(id.0 as usize);
            request.space == Space::Shared && view.is_some_and(|view| view.piece.is_some())
        }) else {
            return 0;
        };
        let written = self.stores.entry((access.warp, id.0)).or_default();
        if !matches!(request.operation, Operation::Load) {
            *written += 1;
        }
        mix(mix(1, self.barriers), *written)
    }

    fn digest(&mut self, array: Option<(ArrayId, &SourceArray)>, access: &Access<'_>) {
        let request = &access.request;
        let stretch = self.stretch(array, access);
        let first = access
            .block
            .saturating_mul(self.block_threads)
            .saturating_add(u64::from(access.warp) * self.warp_lanes);
        let threads = slots(&mut self.threads, first, request.addresses.len());
        let view = array.and_then(|(id, array)| Some((self.views.get(id.0 as usize)?, array.base)));
        match view {
            Some((view, base)) => view.note(threads, request, base, stretch),
            None => {
                let action = mix(kind(request), NOWHERE);
                each(threads, request, |deeds, address| {
                    deeds.next(action, address);
                });
            }
        }
    }
}

/// The slots of `count` threads from `first` on, as far as there are any.
fn slots(threads: &mut Vec<Deeds>, first: u64, count: usize) -> &mut [Deeds] {
    let first = usize::try_from(first).map_or(MAX_THREADS, |first| first.min(MAX_THREADS));
    let end = (first + count).min(MAX_THREADS);
    if end > threads.len() {
        threads.resize(end, Deeds::default());
    }
    &mut threads[first..end]
}

fn kind(request: &Request<'_>) -> u64 {
    operation(request.operation) << 8 | request.width.bytes()
}

/// A number for what a request does, which no other operation has.
pub(crate) const fn operation(operation: Operation) -> u64 {
    match operation {
        Operation::Load => 1,
        Operation::Store => 2,
        Operation::Atomic => 3,
        Operation::Reduction => 4,
        Operation::Increment => 5,
        Operation::CompareAndSwap => 6,
        Operation::MatrixLoad { matrices } => 16 + matrices as u64,
        Operation::MatrixStore { matrices } => 32 + matrices as u64,
        Operation::AsyncCopy => 64,
    }
}

impl GlobalTotals {
    fn add(&mut self, counts: lanescope_model::GlobalCounts) {
        self.requests += u64::from(counts.requests);
        self.units += u64::from(counts.units);
        self.ideal += u64::from(counts.ideal_units);
    }
}
