//! Results as data: what is shown, exported and linked. The JSON's shape is
//! stable; a change of it changes [`SCHEMA`].

use std::collections::BTreeMap;

use lanescope_kernels::{Kernel, Problem, Traffic};
use serde::{Deserialize, Serialize};

use crate::plan::Checks;
use crate::{
    ActiveLanes, AdapterCard, Clock, DeviceLimits, Fault, StrideTable, Timing, TimingRules, Variant,
};

/// The version of the JSON.
pub const SCHEMA: &str = "lanescope-lab/1";

/// The most spread that is told.
const MOST_SPREAD: f64 = 99.0;

/// All that one session measured on one adapter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`SCHEMA`].
    pub schema: String,
    /// The adapter measured.
    pub adapter: AdapterCard,
    /// What its device allowed.
    pub limits: DeviceLimits,
    /// The clock of every duration.
    pub clock: Clock,
    /// The experiments, in the order run.
    pub experiments: Vec<Table>,
    /// The stride probe, if it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strides: Option<StrideTable>,
}

/// One experiment: variants on one problem, and their ceilings, in the same run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Rows of the input; 1 for an array.
    pub rows: u32,
    /// Columns of the input; an array's length.
    pub columns: u64,
    /// Copies of the buffers used in turn, so that no run finds its data in a cache.
    pub buffer_sets: u32,
    /// Why the run was cut short, if it was; results so far are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Fault>,
    /// A row for each variant.
    pub results: Vec<Row>,
}

/// One variant's result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The kernel's name, or `buffer_copy`.
    pub kernel: String,
    /// `f32` or `u32`.
    pub element: String,
    /// The value of each parameter.
    pub parameters: BTreeMap<String, u32>,
    /// With or without run-time checks.
    pub checks: Checks,
    /// Lane slots that the model predicts its CUDA twin to use, where that was asked: nothing that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub predicted_lanes: Option<ActiveLanes>,
    /// What came of it.
    #[serde(flatten)]
    pub outcome: Outcome,
}

/// What came of a variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum Outcome {
    /// Verified and timed.
    Measured {
        /// Bytes that count, read and written.
        bytes: u64,
        /// Bytes over 1e9 and seconds; 0 where no bytes count.
        gigabytes_per_second: f64,
        /// Of the ceiling measured in the same run.
        ceiling_share: Option<f64>,
        /// The samples behind it.
        timing: Timing,
    },
    /// Verified, but the samples disagree.
    TooNoisy {
        /// The middle half's width over the median.
        spread: f64,
        /// What the samples say all the same.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        noise: Option<Noise>,
    },
    /// The result was wrong; there is no bandwidth of a wrong result.
    Failed {
        /// The first element that differs.
        index: u64,
    },
    /// It did not run, or not to the end.
    NotRun {
        /// Why.
        reason: Fault,
    },
}

/// Samples that disagree: their median, and between what they lie.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// The median, in seconds.
    pub seconds: f64,
    /// The fastest and the slowest sample, in seconds.
    pub range: [f64; 2],
    /// Bytes that count, read and written.
    pub bytes: u64,
}

impl Noise {
    /// What samples say, where their median is a time.
    fn of(timing: &Timing, traffic: Traffic) -> Option<Self> {
        // The slope between two passes can be negative; a time is not.
        let fastest = timing.samples.iter().copied().fold(f64::MAX, f64::min);
        let fastest = fastest.max(0.0);
        let slowest = timing.samples.iter().copied().fold(0.0, f64::max);
        let is_time = timing.seconds > 0.0 && timing.seconds.is_finite();
        is_time.then_some(Self {
            seconds: timing.seconds,
            range: [fastest, slowest],
            bytes: traffic.total_bytes(),
        })
    }

    /// Bytes over 1e9 and the median.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52 bytes")]
    pub fn gigabytes_per_second(&self) -> f64 {
        self.bytes as f64 * 1e-9 / self.seconds
    }
}

impl Row {
    pub(crate) fn new(variant: &Variant, outcome: Outcome) -> Self {
        Self {
            kernel: variant.name().to_owned(),
            element: variant.element.name().to_owned(),
            parameters: variant
                .values
                .iter()
                .map(|(n, v)| (n.to_owned(), v))
                .collect(),
            checks: variant.checks,
            predicted_lanes: None,
            outcome,
        }
    }

    /// Bandwidth in GB/s, if it was measured.
    #[must_use]
    pub fn gigabytes_per_second(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Measured {
                gigabytes_per_second,
                ..
            } => Some(gigabytes_per_second),
            _ => None,
        }
    }
}

impl Outcome {
    pub(crate) fn from_timing(timing: Timing, traffic: Traffic, rules: &TimingRules) -> Self {
        if timing.too_noisy(rules) {
            // JSON has no infinity, which the spread about a median of nothing is.
            return Self::TooNoisy {
                spread: timing.spread.min(MOST_SPREAD),
                noise: Noise::of(&timing, traffic),
            };
        }
        let bytes = traffic.total_bytes();
        #[expect(clippy::cast_precision_loss, reason = "far below 2^52 bytes")]
        let gigabytes_per_second = bytes as f64 * 1e-9 / timing.seconds;
        Self::Measured {
            bytes,
            gigabytes_per_second,
            ceiling_share: None,
            timing,
        }
    }

    pub(crate) fn from_fault(fault: Fault) -> Self {
        match fault {
            Fault::WrongResult { index } => Self::Failed { index },
            reason => Self::NotRun { reason },
        }
    }
}

/// Fills in each row's share of its ceiling: the best copy for what writes as
/// much as it reads, the best read for what only reads.
pub(crate) fn set_shares(variants: &[Variant], problem: Problem, rows: &mut [Row]) {
    let writes: Vec<bool> = variants.iter().map(|v| v.writes(problem)).collect();
    let is_ceiling = |v: &Variant| {
        v.kernel
            .is_none_or(|k| k.family == lanescope_kernels::Family::Ceiling)
    };
    let ceiling = |wanted: bool| {
        let ceilings = variants.iter().zip(&writes).zip(rows.iter());
        ceilings
            .filter(|((v, writes), _)| is_ceiling(v) && **writes == wanted)
            .filter_map(|(_, row)| row.gigabytes_per_second())
            .max_by(f64::total_cmp)
    };
    let ceilings = [ceiling(false), ceiling(true)];
    for (row, writes) in rows.iter_mut().zip(writes) {
        let Outcome::Measured {
            gigabytes_per_second,
            ceiling_share,
            ..
        } = &mut row.outcome
        else {
            continue;
        };
        *ceiling_share = ceilings[usize::from(writes)].map(|most| *gigabytes_per_second / most);
    }
}

impl Variant {
    fn writes(&self, problem: Problem) -> bool {
        self.kernel
            .is_none_or(|kernel: &Kernel| kernel.traffic(problem).written_bytes > 0)
    }
}
