//! The problems on screen, each with its lines.

use std::sync::Arc;

use lanescope_kernels::Problem;
use lanescope_lab::report::{Report, Table};
use lanescope_lab::{DeviceLimits, Fault};

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

    /// Whether any line was run: before that there is nothing to show of one.
    pub(crate) fn has_run(&self) -> bool {
        self.lines.iter().any(|line| line.outcome.is_some())
    }
}

/// What was measured.
pub(crate) fn measured(report: &Report, forecast: &Forecast, device: &str) -> Vec<Arc<Sheet>> {
    let tables = report.experiments.iter();
    tables
        .map(|table| Arc::new(Sheet::of_table(table, forecast, device)))
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
