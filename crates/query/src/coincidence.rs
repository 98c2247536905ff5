//! Whether accesses of a launch coincide though nothing in the source says so.
//!
//! `optimizer::choices` finds accesses of a thread that go to the same bytes by comparing addresses as polynomials. Where an
//! identity of integers or a range makes them equal (`t / 32 * 32 + t % 32`, `max(3, t % 4)`), it finds nothing, and a
//! compiler may. So blocks of the launch are run, and addresses compared as numbers: of equal ones a compiler may know.

use std::collections::BTreeMap;

use lanescope_frontend::{Access, Blocks, Budget, NamedLaunch, Observer, Program, execute};
use lanescope_ir::SiteId;
use lanescope_model::{Device, Operation, Space};

/// The most requests that are compared.
const MOST_REQUESTS: u64 = 2_048;
/// Steps of the blocks that are run for them.
const MOST_STEPS: u64 = 400_000;
/// The most sites that are compared with one another.
const MOST_SITES: usize = 64;

/// Whether two accesses of global memory went to the same addresses each time, in all lanes that made both, with no barrier
/// between them. Blocks in the middle and at the end of the grid are looked at: at its start numbers coincide by chance.
pub(crate) fn coincide(program: &Program, launch: &NamedLaunch, device: &Device) -> bool {
    let blocks: u64 = launch
        .grid
        .iter()
        .map(|extent| u64::from(*extent))
        .product();
    let mut requests = Requests::default();
    for block in [blocks / 2, blocks.saturating_sub(1)] {
        let launch = NamedLaunch {
            blocks: Blocks::Only(block),
            ..launch.clone()
        };
        let budget = Budget {
            requests: MOST_REQUESTS,
            steps: MOST_STEPS,
            ..Budget::default()
        };
        execute(program, &launch, device.warp_lanes(), budget, &mut requests);
    }
    requests.coincide()
}

/// A request, but for its site: by where in the launch it was made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Moment {
    block: u64,
    warp: u32,
    occurrence: u64,
}

/// What a request was, and when.
struct Made {
    /// The requests that were made before it.
    before: u64,
    /// The barriers that had opened before it.
    barriers: u64,
    /// By lane; `None` where a lane was off.
    addresses: Vec<Option<u64>>,
}

/// The requests of a site.
struct OfSite {
    stores: bool,
    made: BTreeMap<Moment, Made>,
}

/// The requests to global memory.
#[derive(Default)]
struct Requests {
    of_site: BTreeMap<SiteId, OfSite>,
    requests: u64,
    barriers: u64,
}

impl Observer for Requests {
    fn access(&mut self, access: &Access<'_>) -> bool {
        let request = &access.request;
        if request.space != Space::Global || self.of_site.len() > MOST_SITES {
            return true;
        }
        let is_store = match request.operation {
            Operation::Load => false,
            Operation::Store => true,
            Operation::Atomic
            | Operation::Reduction
            | Operation::Increment
            | Operation::CompareAndSwap
            | Operation::MatrixLoad { .. }
            | Operation::MatrixStore { .. }
            | Operation::AsyncCopy => return true,
        };
        let lanes = request.addresses.iter().zip(0_usize..);
        let addresses =
            lanes.map(|(address, lane)| request.active.contains(lane).then_some(*address));
        let moment = Moment {
            block: access.block,
            warp: access.warp,
            occurrence: access.occurrence,
        };
        let before = self.requests;
        self.requests += 1;
        let made = Made {
            before,
            barriers: self.barriers,
            addresses: addresses.collect(),
        };
        let site = self.of_site.entry(access.site).or_insert_with(|| OfSite {
            stores: is_store,
            made: BTreeMap::new(),
        });
        site.made.insert(moment, made);
        true
    }

    fn barrier(&mut self) {
        self.barriers += 1;
    }
}

impl Requests {
    fn coincide(&self) -> bool {
        let sites: Vec<_> = self.of_site.values().collect();
        sites.iter().enumerate().any(|(at, first)| {
            let mut others = sites.iter().skip(at + 1);
            others.any(|second| first.coincides(second))
        })
    }
}

impl OfSite {
    /// Whether its requests and those of another site went to the same places wherever both were made, and a compiler may
    /// make one of the two: not where what is loaded is stored to its place.
    fn coincides(&self, other: &Self) -> bool {
        let mut lanes = 0_usize;
        for (moment, made) in &self.made {
            let Some(others) = other.made.get(moment) else {
                continue;
            };
            let later_stores = if made.before < others.before {
                other.stores
            } else {
                self.stores
            };
            let is_update = later_stores && self.stores != other.stores;
            if made.barriers != others.barriers || is_update {
                return false;
            }
            let pairs = made.addresses.iter().zip(&others.addresses);
            for (address, other) in pairs.filter_map(|(pair, other)| pair.zip(*other)) {
                if address != other {
                    return false;
                }
                lanes += 1;
            }
        }
        lanes > 0
    }
}
