//! What the model says of each variant, computed beside the page and kept.

use std::collections::BTreeMap;

use lanescope_kernels::{Family, Kernel, KernelId, Problem, Values};
use lanescope_lab::report::{Report, Row, Table};
use lanescope_lab::{DeviceLimits, Prediction, Variant};
use lanescope_model::Device;
use serde::{Deserialize, Serialize};

use crate::settings::Settings;

/// Which prediction is wanted: a kernel with its values, on a problem and a device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Question {
    kernel: String,
    parameters: BTreeMap<String, u32>,
    rows: u32,
    columns: u64,
    device: String,
}

impl Question {
    /// A question for each row of a report.
    pub(crate) fn of_report(report: &Report, device: &str) -> Vec<Self> {
        let of_table = |table| move |row| Self::of_row(row, table, device);
        let tables = report.experiments.iter();
        tables
            .flat_map(|table| table.results.iter().map(of_table(table)))
            .collect()
    }

    /// A question for each variant that would run, on each problem.
    pub(crate) fn of_settings(settings: &Settings, device: &str) -> Vec<Self> {
        let variants = settings.variants(&DeviceLimits::PROMISED);
        let of_problem = |problem| {
            let of = |variant| Self::of_variant(variant, problem, device);
            variants.iter().map(of).collect::<Vec<_>>()
        };
        settings
            .problems()
            .into_iter()
            .flat_map(of_problem)
            .collect()
    }

    pub(crate) fn of_variant(variant: &Variant, problem: Problem, device: &str) -> Self {
        let (rows, columns) = match problem {
            Problem::Matrix { rows, columns } => (rows, columns.into()),
            other => (1, other.elements()),
        };
        Self {
            kernel: variant.name().to_owned(),
            parameters: variant
                .values
                .iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            rows,
            columns,
            device: device.to_owned(),
        }
    }

    pub(crate) fn of_row(row: &Row, table: &Table, device: &str) -> Self {
        Self {
            kernel: row.kernel.clone(),
            parameters: row.parameters.clone(),
            rows: table.rows,
            columns: table.columns,
            device: device.to_owned(),
        }
    }

    /// The answer; `None` where the model has none, or the question came from a link and no
    /// kernel of the catalogue is meant.
    pub(crate) fn answer(&self) -> Option<Prediction> {
        let kernel = KernelId::by_name(&self.kernel).map(Kernel::of)?;
        let values = legal(kernel, &self.parameters)?;
        let problem = problem(kernel, self.rows, self.columns)?;
        Prediction::of(kernel, &values, problem, Device::by_id(&self.device)?)
    }
}

/// The values, each one that the kernel may take.
pub(crate) fn legal(kernel: &Kernel, parameters: &BTreeMap<String, u32>) -> Option<Values> {
    let mut values = kernel.defaults();
    for parameter in kernel.parameters {
        let value = *parameters.get(parameter.name)?;
        if !parameter.legal.contains(&value) {
            return None;
        }
        values = values.with(parameter.name, value);
    }
    Some(values)
}

/// The problem of a table; ceilings take a matrix as an array.
pub(crate) fn problem(kernel: &Kernel, rows: u32, columns: u64) -> Option<Problem> {
    let elements = u64::from(rows)
        .checked_mul(columns)
        .filter(|n| (1..=1 << 28).contains(n))?;
    match kernel.family {
        Family::Transpose => Some(Problem::Matrix {
            rows,
            columns: u32::try_from(columns).ok()?,
        }),
        Family::Reduction | Family::Ceiling => Some(Problem::Length(elements)),
        Family::Stride => None,
    }
}

/// The answers so far.
#[derive(Debug, Default)]
pub(crate) struct Forecast(BTreeMap<Question, Option<Prediction>>);

impl Forecast {
    /// Those of `questions` that have no answer yet.
    pub(crate) fn open(&self, questions: &[Question]) -> Vec<Question> {
        let is_open = |question: &&Question| !self.0.contains_key(question);
        questions.iter().filter(is_open).cloned().collect()
    }

    pub(crate) fn take(&mut self, answers: Vec<(Question, Option<Prediction>)>) {
        self.0.extend(answers);
    }

    /// The report with the active lanes that are predicted for `device`.
    pub(crate) fn with_predictions(&self, report: &Report, device: &str) -> Report {
        let mut report = report.clone();
        for table in &mut report.experiments {
            let questions = table.results.iter();
            let questions: Vec<_> = questions
                .map(|row| Question::of_row(row, table, device))
                .collect();
            for (row, question) in table.results.iter_mut().zip(&questions) {
                row.predicted_lanes = self.get(question).map(|counts| counts.lanes);
            }
        }
        report
    }

    pub(crate) fn get(&self, question: &Question) -> Option<Prediction> {
        self.0.get(question).copied().flatten()
    }
}
