//! The problems on screen, each with its lines.

use std::sync::Arc;

use lanescope_kernels::Problem;
use lanescope_lab::report::{Report, Table};
use lanescope_lab::{DeviceLimits, Fault, Prediction};

use crate::forecast::{Forecast, Question};
use crate::line::{Line, Size};
use crate::settings::Settings;

/// A problem with a line for each variant: what was measured of it, or what would run.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sheet {
    pub(crate) size: Size,
    /// Copies of the buffers that were used in turn.
    pub(crate) buffer_sets: u32,
    /// Why the run was cut short, if it was.
    pub(crate) ended: Option<Fault>,
    pub(crate) lines: Vec<Line>,
}

impl Sheet {
    fn of_table(table: &Table, forecast: &Forecast, device: &str) -> Self {
        let lines = table.results.iter();
        let lines = lines.map(|row| Line::measured(row, table, forecast, device));
        Self {
            size: Size {
                rows: table.rows,
                columns: table.columns,
            },
            buffer_sets: table.buffer_sets,
            ended: table.ended.clone(),
            lines: lines.collect(),
        }
    }

    /// The same with its lines as `order` has them: ceilings first, then the steps.
    fn ordered(mut self, order: Order) -> Self {
        match order {
            Order::Story => {}
            Order::Speed => self.lines.sort_by(|a, b| {
                let key = |line: &Line| (!line.is_ceiling(), line.seconds().unwrap_or(f64::MAX));
                let ((a, a_seconds), (b, b_seconds)) = (key(a), key(b));
                a.cmp(&b).then(a_seconds.total_cmp(&b_seconds))
            }),
        }
        self
    }

    /// `[line]`: how many times as fast a step is as the first that was measured, and as the one before it.
    pub(crate) fn steps(&self) -> Vec<Option<[f64; 2]>> {
        let (mut first, mut before) = (None, None);
        let mut step = |line: &Line| {
            let seconds = line.seconds().filter(|_| line.is_step())?;
            let times = [*first.get_or_insert(seconds), before.unwrap_or(seconds)];
            before = Some(seconds);
            Some(times.map(|other| other / seconds))
        };
        self.lines.iter().map(&mut step).collect()
    }

    /// `[line]`: what the model expects of a step as a part of what it expects of the one before: active lanes of
    /// all instructions, shared wavefronts, sectors.
    pub(crate) fn changes(&self) -> Vec<Option<[f64; 3]>> {
        #[expect(clippy::cast_precision_loss, reason = "a ratio of a few digits")]
        let part = |own: u64, other: u64| match (own, other) {
            (0, 0) => 1.0,
            (own, other) => own as f64 / other.max(1) as f64,
        };
        let mut before: Option<Prediction> = None;
        let mut change = |line: &Line| {
            let own = line.prediction.filter(|_| line.is_step())?;
            let other = before.replace(own)?;
            Some([
                part(
                    own.lanes.all.lanes_hundredths(),
                    other.lanes.all.lanes_hundredths(),
                ),
                part(own.shared_wavefronts, other.shared_wavefronts),
                part(own.sectors, other.sectors),
            ])
        };
        self.lines.iter().map(&mut change).collect()
    }

    /// Whether a tile of the articles' 32 by 32 threads is smaller here, for want of threads.
    pub(crate) fn has_small_tile(&self) -> bool {
        self.lines
            .iter()
            .any(|line| line.tile().is_some_and(|tile| tile < 32))
    }

    /// Whether any line was run: before that there is nothing to show of one.
    pub(crate) fn has_run(&self) -> bool {
        self.lines.iter().any(|line| line.outcome.is_some())
    }
}

/// In which order lines stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Order {
    /// That of the story: each step mends the one before.
    #[default]
    Story,
    /// The fastest first.
    Speed,
}

/// What was measured.
pub(crate) fn measured(
    report: &Report,
    forecast: &Forecast,
    device: &str,
    order: Order,
) -> Vec<Arc<Sheet>> {
    let tables = report.experiments.iter();
    tables
        .map(|table| Arc::new(Sheet::of_table(table, forecast, device).ordered(order)))
        .collect()
}

/// The variants that would run.
pub(crate) fn waiting(settings: &Settings, forecast: &Forecast, device: &str) -> Vec<Arc<Sheet>> {
    let variants = settings.variants(&DeviceLimits::PROMISED);
    let sheet = |problem: Problem| {
        let line = |variant| {
            let question = Question::of_variant(variant, problem, device);
            Line::waiting(variant, forecast.get(&question))
        };
        Arc::new(Sheet {
            size: size_of(problem),
            buffer_sets: 1,
            ended: None,
            lines: variants.iter().map(line).collect(),
        })
    };
    settings.problems().into_iter().map(sheet).collect()
}

fn size_of(problem: Problem) -> Size {
    match problem {
        Problem::Matrix { rows, columns } => Size {
            rows,
            columns: columns.into(),
        },
        other => Size {
            rows: 1,
            columns: other.elements(),
        },
    }
}

#[cfg(test)]
mod tests {
    use lanescope_kernels::{Kernel, KernelId};
    use lanescope_lab::Timing;
    use lanescope_lab::report::Outcome;

    use super::*;

    fn line(kernel: KernelId, seconds: f64) -> Line {
        let variant = lanescope_lab::Variant::of(Kernel::of(kernel));
        let mut line = Line::waiting(&variant, None);
        line.outcome = Some(Outcome::Measured {
            bytes: 1,
            gigabytes_per_second: 1.0,
            ceiling_share: None,
            timing: Timing {
                seconds,
                samples: Vec::new(),
                spread: 0.0,
                repeats: 1,
            },
        });
        line
    }

    fn sheet() -> Sheet {
        Sheet {
            lines: vec![
                line(KernelId::ReadVec4, 0.5),
                line(KernelId::ReduceDivergent, 8.0),
                line(KernelId::ReduceInterleaved, 2.0),
                line(KernelId::ReduceSequential, 4.0),
            ],
            ..Sheet::default()
        }
    }

    #[test]
    fn steps_are_told_against_the_first_and_the_one_before() {
        let expected = [None, Some([1.0, 1.0]), Some([4.0, 4.0]), Some([2.0, 0.5])];
        assert_eq!(sheet().steps(), expected);
        let by_speed = sheet().ordered(Order::Speed).steps();
        assert_eq!(
            by_speed[1..],
            [Some([1.0, 1.0]), Some([0.5, 0.5]), Some([0.25, 0.5])]
        );
    }

    #[test]
    fn the_fastest_step_comes_first_behind_the_ceilings() {
        let names = |sheet: Sheet| -> Vec<String> {
            sheet.lines.into_iter().map(|line| line.name).collect()
        };
        assert_eq!(
            names(sheet().ordered(Order::Speed)),
            [
                "read_vec4",
                "reduce_interleaved",
                "reduce_sequential",
                "reduce_divergent"
            ]
        );
        assert_eq!(names(sheet().ordered(Order::Story)), names(sheet()));
    }
}
