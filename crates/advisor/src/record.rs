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

/// One run, watched.
pub(crate) struct Record {
    pub(crate) totals: Totals,
    pub(crate) arrays: BTreeMap<u32, ArrayRecord>,
    /// `[block * threads + thread]`: a digest of everything the thread asked memory for, in order.
    pub(crate) threads: Vec<u64>,
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

/// Runs the program once. `locate` names the bytes for the digests.
pub(crate) fn record(
    program: &Program,
    launch: &Launch,
    device: &Device,
    budget: Budget,
    locate: Locate<'_>,
) -> Record {
    let mut recorder = Recorder {
        program,
        device,
        locate,
        block_threads: launch.block_threads(),
        warp_lanes: u64::from(device.warp_lanes()),
        totals: Totals::default(),
        arrays: BTreeMap::new(),
        threads: Vec::new(),
        unknown: None,
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
    locate: Locate<'a>,
    block_threads: u64,
    warp_lanes: u64,
    totals: Totals,
    arrays: BTreeMap<u32, ArrayRecord>,
    threads: Vec<u64>,
    unknown: Option<Unknown>,
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

    fn digest(&mut self, array: Option<&Array>, access: &Access<'_>) {
        let request = &access.request;
        let first = access
            .block_index
            .saturating_mul(self.block_threads)
            .saturating_add(u64::from(access.warp) * self.warp_lanes);
        let kind = kind(request);
        for lane in request
            .active
            .iter()
            .take_while(|lane| *lane < request.addresses.len())
        {
            let thread = first.saturating_add(lane as u64);
            let Some(slot) = slot(&mut self.threads, thread) else {
                return;
            };
            let address = request.addresses[lane];
            let (name, byte) = match array {
                Some(array) => {
                    let byte = address.wrapping_sub(array.base);
                    (self.locate)(&array.name, byte).unwrap_or((u64::MAX, byte))
                }
                None => (u64::MAX - 1, address),
            };
            *slot = mix(mix(mix(*slot, kind), name), byte);
        }
    }
}

fn slot(threads: &mut Vec<u64>, thread: u64) -> Option<&mut u64> {
    if thread >= MAX_THREADS {
        return None;
    }
    let at = usize::try_from(thread).ok()?;
    if at >= threads.len() {
        threads.resize(at + 1, 0);
    }
    threads.get_mut(at)
}

fn kind(request: &Request<'_>) -> u64 {
    let operation = match request.operation {
        Operation::Load => 1,
        Operation::Store => 2,
        Operation::Atomic => 3,
        Operation::Reduction => 4,
        Operation::Increment => 5,
        Operation::MatrixLoad { matrices } => 16 + u64::from(matrices),
        Operation::MatrixStore { matrices } => 32 + u64::from(matrices),
        #[allow(unreachable_patterns)] // the model may learn further operations
        _ => 64,
    };
    operation << 8 | request.width.bytes()
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
