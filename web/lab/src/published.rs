//! Runs measured before, elsewhere, for comparison; never mixed with the visitor's own.
//!
//! # Source
//! `h200`: CUDA 13 on one NVIDIA H200, measured for this project, median of 30. The others:
//! published write-ups, as printed there; where they print no bandwidth, none is shown.

use crate::settings::Experiment;
use strum::VariantArray;

/// Lines under a heading: source, experiment, kernel, size, milliseconds, GB/s.
const CSV: &str = include_str!("published.csv");

/// Who measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub(crate) enum Publisher {
    /// CUDA on an NVIDIA H200.
    H200,
    /// A write-up on a GTX 1050 Ti.
    Gtx1050Ti,
    /// A write-up on a GTX 580.
    Gtx580,
    /// A write-up that names no GPU.
    Unnamed,
}

impl Publisher {
    pub(crate) const ALL: &'static [Self] = Self::VARIANTS;

    const fn id(self) -> &'static str {
        match self {
            Self::H200 => "h200",
            Self::Gtx1050Ti => "gtx1050ti",
            Self::Gtx580 => "gtx580",
            Self::Unnamed => "unnamed",
        }
    }
}

/// One published run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub(crate) kernel: &'static str,
    pub(crate) size: &'static str,
    pub(crate) ms: &'static str,
    /// Empty where the source gives none.
    pub(crate) rate: &'static str,
}

impl Run {
    /// The rate as a number, and whether the source says it; else from time and size, where it says both.
    pub(crate) fn gigabytes_per_second(&self) -> Option<(f64, bool)> {
        match self.rate.parse() {
            Ok(rate) => Some((rate, true)),
            Err(_) => self.computed().map(|rate| (rate, false)),
        }
    }

    /// Bytes over 1e9 and the time: of a transpose those read and written, of a sum those read.
    fn computed(&self) -> Option<f64> {
        const FLOAT_BYTES: f64 = 4.0;
        let ms: f64 = self.ms.parse().ok()?;
        let bytes = match self.size.split_once(" x ") {
            Some((rows, columns)) => {
                2.0 * FLOAT_BYTES * rows.parse::<f64>().ok()? * columns.parse::<f64>().ok()?
            }
            None => {
                let power: i32 = self.size.strip_prefix("2^")?.parse().ok()?;
                FLOAT_BYTES * 2_f64.powi(power)
            }
        };
        Some(bytes * 1e-6 / ms)
    }
}

/// What one source published for an experiment.
pub(crate) fn runs(publisher: Publisher, experiment: Experiment) -> Vec<Run> {
    let wanted = match experiment {
        Experiment::Transpose => "transpose",
        Experiment::Reduce => "reduce",
        Experiment::ReduceU32 | Experiment::Stride => return Vec::new(),
    };
    let row = |line: &'static str| {
        let mut cells = line.split(',');
        let (source, experiment) = (cells.next()?, cells.next()?);
        let run = Run {
            kernel: cells.next()?,
            size: cells.next()?,
            ms: cells.next()?,
            rate: cells.next()?,
        };
        (source == publisher.id() && experiment == wanted).then_some(run)
    };
    CSV.lines().skip(1).filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_shown_once() {
        let shown: usize = Publisher::ALL
            .iter()
            .copied()
            .flat_map(|publisher| {
                let of = move |experiment: &Experiment| runs(publisher, *experiment).len();
                Experiment::ALL.iter().map(of)
            })
            .sum();
        assert_eq!(shown, CSV.lines().count() - 1);
    }

    #[test]
    fn rates_that_are_not_printed_follow_from_time_and_size() {
        let run = |size, ms, rate| Run {
            kernel: "k",
            size,
            ms,
            rate,
        };
        let computed = |size, ms| {
            let (rate, is_said) = run(size, ms, "").gigabytes_per_second().unwrap();
            assert!(!is_said);
            format!("{rate:.2}")
        };
        assert_eq!(computed("1024 x 1024", "0.5"), "16.78");
        assert_eq!(computed("2^25", "1"), "134.22");
        assert_eq!(
            run("2^25", "1", "99").gigabytes_per_second(),
            Some((99.0, true))
        );
        assert_eq!(run("1 GiB", "1", "").gigabytes_per_second(), None);
    }

    #[test]
    fn times_and_rates_are_numbers() {
        let of = |publisher| runs(publisher, Experiment::Transpose);
        for run in Publisher::ALL.iter().copied().flat_map(of) {
            assert!(run.ms.parse::<f64>().is_ok_and(|ms| ms > 0.0), "{run:?}");
            assert!(
                run.rate.is_empty() || run.rate.parse::<f64>().is_ok(),
                "{run:?}"
            );
        }
    }
}
