//! What the address model says of a kernel, to stand beside what was measured. The two are never
//! mixed: nothing here knows a time, but for the comparison of two rankings.
//!
//! A launch of a million workgroups is not run whole. Away from the edges every period of the
//! matrix costs the same, so three periods say what each further one adds; the sizes run keep the
//! remainder, and so the alignment of rows and what happens at the edges. Tests compare with
//! whole launches.

pub use lanescope_frontend::ArgumentValue;
use lanescope_frontend::{Budget, KernelOptions, NamedLaunch, execute};
use lanescope_kernels::{Family, Kernel, Problem, Values};
use lanescope_model::Device;
use lanescope_query::parse_compiled;
use lanescope_tally::{Kind, Sums, Tally};
use serde::{Deserialize, Serialize};

use crate::active_lanes::{ActiveLanes, SlotsByLine};

/// Periods that are run; what further ones cost follows.
const PERIODS: u64 = 2;
/// Elements after which alignments to sectors and warps are the same again.
const ALIGNMENT: u64 = 32;

/// What a kernel asks of memory on one problem, over all passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Prediction {
    /// Wavefronts of shared memory, loads and stores.
    pub shared_wavefronts: u64,
    /// Wavefronts less those without any conflict.
    pub shared_conflicts: u64,
    /// The most n of n-way.
    pub ways: u32,
    /// Requests to global memory, loads and stores.
    pub global_requests: u64,
    /// Sectors (or what the device moves instead) that they touch.
    pub sectors: u64,
    /// The fewest for the bytes asked for.
    pub ideal_sectors: u64,
    /// Lane slots used of those that warps issue.
    pub lanes: ActiveLanes,
}

impl Prediction {
    /// What `kernel` with these values costs on `device`; `None` where the model has no number.
    #[must_use]
    pub fn of(kernel: &Kernel, values: &Values, problem: Problem, device: &Device) -> Option<Self> {
        let mut whole = Counted::default();
        let mut left = problem;
        loop {
            whole = whole.plus(&pass(kernel, values, left, device)?, 1);
            let elements = kernel.output_elements(left, values);
            if kernel.family != Family::Reduction || elements <= 1 {
                return Some(whole.summary(device));
            }
            left = Problem::Length(elements);
        }
    }

    /// Sectors a request to global memory; 0 without one.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "shown with one decimal")]
    pub fn sectors_per_request(&self) -> f64 {
        self.sectors as f64 / self.global_requests.max(1) as f64
    }

    /// The same with each count as `count` makes it.
    fn with(self, count: impl Fn(fn(&Self) -> u64) -> u64, ways: u32) -> Self {
        Self {
            shared_wavefronts: count(|all| all.shared_wavefronts),
            shared_conflicts: count(|all| all.shared_conflicts),
            ways,
            global_requests: count(|all| all.global_requests),
            sectors: count(|all| all.sectors),
            ideal_sectors: count(|all| all.ideal_sectors),
            lanes: self.lanes,
        }
    }
}

/// What launches ask, to be added up; active lanes by line until the sum is known.
#[derive(Clone, Debug, Default)]
struct Counted {
    counts: Prediction,
    lanes: SlotsByLine,
}

impl Counted {
    fn summary(self, device: &Device) -> Prediction {
        Prediction {
            lanes: self.lanes.active(device.warp_lanes()),
            ..self.counts
        }
    }

    fn plus(self, other: &Self, times: u64) -> Self {
        let (own, more) = (self.counts, other.counts);
        let sum = |of: fn(&Prediction) -> u64| of(&own) + times * of(&more);
        Self {
            counts: own.with(sum, own.ways.max(more.ways)),
            lanes: self.lanes.plus(&other.lanes, times),
        }
    }

    /// What is left of this without `other`, which is no larger.
    fn less(self, other: &Self) -> Self {
        let (own, taken) = (self.counts, other.counts);
        let left = |of: fn(&Prediction) -> u64| of(&own).saturating_sub(of(&taken));
        Self {
            counts: own.with(left, own.ways),
            lanes: self.lanes.less(&other.lanes),
        }
    }

    fn add(&mut self, sums: &Sums) {
        let counts = &mut self.counts;
        counts.shared_wavefronts += sums.wavefronts;
        counts.shared_conflicts += sums.conflicts;
        counts.ways = counts.ways.max(sums.ways);
        counts.global_requests += sums.global_requests;
        counts.sectors += sums.sectors;
        counts.ideal_sectors += sums.ideal_sectors;
    }
}

/// One pass over the whole problem.
fn pass(kernel: &Kernel, values: &Values, problem: Problem, device: &Device) -> Option<Counted> {
    let run = |problem| whole(kernel, values, problem, device);
    let [columns_reach, rows_reach] = kernel.reach(values);
    // A workgroup that takes several tiles has as many along each side before another one joins.
    let tiles = u64::from(values.get("TILES"));
    let even = |reach: u64| least_common_multiple(reach, ALIGNMENT) * tiles;
    match problem {
        Problem::Length(length) => {
            // The last workgroup of a single pass reads what the others left: 32 at a time.
            let groups = if kernel.single_pass { ALIGNMENT } else { 1 };
            let period = even(columns_reach) * groups;
            along(length, period, |length| run(Problem::Length(length)))
        }
        Problem::Matrix { rows, columns } => along(rows.into(), even(rows_reach), |rows| {
            along(columns.into(), even(columns_reach), |columns| {
                run(Problem::Matrix {
                    rows: u32::try_from(rows).ok()?,
                    columns: u32::try_from(columns).ok()?,
                })
            })
        }),
        Problem::Stride {
            stride_words,
            rounds,
            workgroups,
        } => along(workgroups.into(), 1, |workgroups| {
            run(Problem::Stride {
                stride_words,
                rounds,
                workgroups: u32::try_from(workgroups).ok()?,
            })
        }),
    }
}

/// What `size` costs, from a few periods of it and its remainder.
fn along(size: u64, period: u64, mut run: impl FnMut(u64) -> Option<Counted>) -> Option<Counted> {
    let more = (size / period).saturating_sub(PERIODS);
    if more <= 1 {
        return run(size);
    }
    let least = size - more * period;
    let (few, next) = (run(least)?, run(least + period)?);
    let each = next.less(&few);
    Some(few.plus(&each, more))
}

fn least_common_multiple(a: u64, b: u64) -> u64 {
    let (mut large, mut small) = (a.max(1), b.max(1));
    while small > 0 {
        (large, small) = (small, large % small);
    }
    a.max(1) / large * b.max(1)
}

/// A whole launch, run.
fn whole(kernel: &Kernel, values: &Values, problem: Problem, device: &Device) -> Option<Counted> {
    let parsed = parse_compiled(&kernel.twin(values), &KernelOptions::default());
    let launch = launch(kernel, values, problem)?;
    let mut tally = Tally::new(device);
    let lanes = device.warp_lanes();
    let outcome = execute(
        &parsed.program,
        &launch,
        lanes,
        Budget::default(),
        &mut tally,
    );
    let mut found = Counted {
        lanes: SlotsByLine::of(&outcome.executed),
        ..Counted::default()
    };
    for kind in KINDS {
        let sums = tally.kind(kind);
        if sums.unknown.is_some() {
            return None;
        }
        found.add(&sums);
    }
    outcome.exact().then_some(found)
}

const KINDS: [Kind; 10] = [
    Kind::SharedLoad,
    Kind::SharedStore,
    Kind::SharedAtomic,
    Kind::MatrixLoad,
    Kind::MatrixStore,
    Kind::AsyncCopy,
    Kind::GlobalLoad,
    Kind::GlobalStore,
    Kind::GlobalAtomic,
    Kind::GlobalReduction,
];

/// How a kernel's twin is launched on a problem: one pass, the grid never folded.
#[must_use]
pub fn launch(kernel: &Kernel, values: &Values, problem: Problem) -> Option<NamedLaunch> {
    let grid = kernel.dispatch(problem, values, u32::MAX)?;
    let [x, y] = kernel.workgroup(values);
    let whole = |launch: NamedLaunch, name: &str, value: u64| {
        Some(launch.with(name, ArgumentValue::Integer(i64::try_from(value).ok()?)))
    };
    let bare = NamedLaunch::new(grid, [x, y, 1]);
    match problem {
        Problem::Length(length) => whole(bare, "n", length),
        Problem::Matrix { rows, columns } => {
            whole(whole(bare, "columns", columns.into())?, "rows", rows.into())
        }
        Problem::Stride {
            stride_words,
            rounds,
            ..
        } => whole(
            whole(bare, "stride", stride_words.into())?,
            "rounds",
            rounds.into(),
        ),
    }
}
