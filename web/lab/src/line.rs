//! One variant on one problem: what was measured of it, and what the model says.

use lanescope_kernels::{Family, Kernel, KernelId, Values};
use lanescope_lab::report::{Outcome, Row, Table};
use lanescope_lab::{Agreement, Prediction, Variant, agreement, prediction};
use lanescope_share::{Launch, Source, State};

use crate::forecast::{self, Forecast, Question};
use crate::words::{Words, rate};

/// One variant on one problem.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line {
    pub(crate) name: String,
    /// `None` for the device's own copy, and for what only a link names.
    pub(crate) kernel: Option<KernelId>,
    /// `None` where a link's values are none of the kernel's.
    values: Option<Values>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) prediction: Option<Prediction>,
}

impl Line {
    /// A variant that has not run.
    pub(crate) fn waiting(variant: &Variant, prediction: Option<Prediction>) -> Self {
        Self {
            name: variant.name().to_owned(),
            kernel: variant.kernel.map(|kernel| kernel.id),
            values: Some(variant.values.clone()),
            outcome: None,
            prediction,
        }
    }

    pub(crate) fn measured(row: &Row, table: &Table, forecast: &Forecast, device: &str) -> Self {
        let kernel = KernelId::by_name(&row.kernel);
        let values = |kernel| forecast::legal(Kernel::of(kernel), &row.parameters);
        Self {
            name: row.kernel.clone(),
            kernel,
            values: kernel.and_then(values),
            outcome: Some(row.outcome.clone()),
            prediction: forecast.get(&Question::of_row(row, table, device)),
        }
    }

    /// What was measured, as other pages and texts show it: milliseconds, times the first and times the one before where `step`
    /// has them, GB/s. `None` where nothing was.
    pub(crate) fn figures(&self, step: Option<[f64; 2]>) -> Option<[String; 4]> {
        let Some(Outcome::Measured {
            gigabytes_per_second,
            timing,
            ..
        }) = &self.outcome
        else {
            return None;
        };
        let time = format!("{:.4}", timing.seconds * 1e3);
        let [first, before] = step.map_or_else(Default::default, |step| {
            step.map(|times| format!("{times:.2}×"))
        });
        Some([time, first, before, rate(*gigabytes_per_second)])
    }

    /// The active lanes that the model predicts, of how many.
    pub(crate) fn lanes(&self, language: Words) -> Option<String> {
        Some(language.lanes(&self.prediction?.lanes))
    }

    /// What was reached of the copy's bandwidth, as a part of one, where it was measured.
    pub(crate) fn ceiling_share(&self) -> Option<f64> {
        match &self.outcome {
            Some(Outcome::Measured { ceiling_share, .. }) => *ceiling_share,
            None
            | Some(Outcome::TooNoisy { .. } | Outcome::Failed { .. } | Outcome::NotRun { .. }) => {
                None
            }
        }
    }

    pub(crate) fn kernel(&self) -> Option<&'static Kernel> {
        self.kernel.map(Kernel::of)
    }

    pub(crate) fn is_ceiling(&self) -> bool {
        self.kernel()
            .is_none_or(|kernel| kernel.family == Family::Ceiling)
    }

    /// Whether it is a step of the story: neither a ceiling nor a copy that bounds it.
    pub(crate) fn is_step(&self) -> bool {
        !self.is_ceiling() && self.kernel().is_none_or(|kernel| !kernel.copies)
    }

    pub(crate) fn gigabytes_per_second(&self) -> Option<f64> {
        match self.outcome.as_ref()? {
            Outcome::Measured {
                gigabytes_per_second,
                ..
            } => Some(*gigabytes_per_second).filter(|rate| rate.is_finite() && *rate > 0.0),
            Outcome::TooNoisy { .. } | Outcome::Failed { .. } | Outcome::NotRun { .. } => None,
        }
    }

    pub(crate) fn seconds(&self) -> Option<f64> {
        match self.outcome.as_ref()? {
            Outcome::Measured { timing, .. } => {
                Some(timing.seconds).filter(|seconds| *seconds > 0.0)
            }
            Outcome::TooNoisy { .. } | Outcome::Failed { .. } | Outcome::NotRun { .. } => None,
        }
    }

    /// The block of threads, as `32 x 8`.
    pub(crate) fn block(&self) -> Option<String> {
        let [x, y] = self.kernel()?.workgroup(self.values.as_ref()?);
        Some(if y == 1 {
            x.to_string()
        } else {
            format!("{x} × {y}")
        })
    }

    /// The side of a square tile of shared memory, in threads.
    pub(crate) fn tile(&self) -> Option<u32> {
        let mut all = self.values.as_ref()?.iter();
        all.find(|(name, _)| *name == "TILE").map(|(_, side)| side)
    }

    /// The parameters besides the block's, as `UNROLL=4`.
    pub(crate) fn parameters(&self) -> String {
        let shown = |name: &str| !["BLOCK", "BLOCK_X", "BLOCK_Y"].contains(&name);
        let values = self.values.iter().flat_map(Values::iter);
        let pairs = values.filter(|(name, _)| shown(name));
        pairs
            .map(|(name, value)| format!("{name}={value}"))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The page with the kernel's twin as its source, launched on this problem.
    pub(crate) fn source_link(&self, size: Size) -> Option<String> {
        let (kernel, values) = (self.kernel()?, self.values.as_ref()?);
        let problem = forecast::problem(kernel, size.rows, size.columns)?;
        let launch = prediction::launch(kernel, values, problem)?;
        let arguments = launch
            .arguments
            .iter()
            .filter_map(|argument| match argument.value {
                prediction::ArgumentValue::Integer(n) => {
                    Some((argument.name.clone(), n.to_string()))
                }
                _ => None,
            });
        let state = State {
            source: Source::Kernel(kernel.twin(values)),
            launch: Launch {
                grid: launch.grid,
                block: launch.block,
                arguments: arguments.collect(),
                ..Launch::default()
            },
            ..State::default()
        };
        Some(format!("./#{}", lanescope_share::encode(&state)))
    }
}

/// Rows and columns of a problem; an array has one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) rows: u32,
    pub(crate) columns: u64,
}

impl Size {
    /// As settings spell it: `64x32`, or `2048` for an array.
    pub(crate) fn spell(self) -> String {
        match self.rows {
            1 => self.columns.to_string(),
            rows => format!("{rows}x{}", self.columns),
        }
    }
}

/// Whether the measured ranking is the predicted one.
pub(crate) fn ranking(lines: &[Line]) -> (Agreement, Option<[&str; 2]>) {
    let ranks = |kernel: &Kernel| kernel.family != Family::Ceiling && !kernel.copies;
    let kernels: Vec<_> = lines
        .iter()
        .filter(|line| line.kernel().is_some_and(ranks))
        .collect();
    let both: Vec<_> = kernels
        .iter()
        .filter_map(|line| Some((line, line.prediction?, line.seconds()?)))
        .collect();
    let pairs: Vec<_> = both
        .iter()
        .map(|(_, counts, seconds)| (*counts, *seconds))
        .collect();
    let found = agreement(&pairs);
    let name = |i: usize| both.get(i).map(|(line, ..)| line.name.as_str());
    let named = found
        .furthest
        .and_then(|[first, faster]| Some([name(first)?, name(faster)?]));
    (found, named)
}
