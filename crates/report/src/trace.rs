//! A trace's answers as JSON.

use lanescope_model::{Device, Unit};
use lanescope_trace::{Answer, Fault, Measured, Row, TraceError};
use serde::{Serialize, Serializer};

/// The most faults that are named; of the rest their number is.
pub const MOST_FAULTS: usize = 100;

/// A trace whose rows can be answered as often as they are asked for.
pub trait Traced {
    /// The device whose warps ask.
    fn device(&self) -> &Device;

    /// Whether it has columns of what was measured.
    fn has_measured(&self) -> bool;

    /// Its rows, each with its answer.
    fn rows(&self) -> Box<dyn Iterator<Item = (Row, Answer)> + '_>;
}

/// A trace that is held as text.
#[derive(Debug)]
pub struct Trace<'a> {
    trace: lanescope_trace::Trace,
    device: &'a Device,
}

impl<'a> Trace<'a> {
    /// Opens the trace `text` as warps of `device` ran it.
    ///
    /// # Errors
    /// When its first line does not name the columns.
    pub fn open(text: &str, device: &'a Device) -> Result<Self, TraceError> {
        Ok(Self {
            trace: lanescope_trace::Trace::open(text)?,
            device,
        })
    }

    /// Its answers as indented JSON and a line feed.
    ///
    /// # Errors
    /// None of a text that was opened.
    pub fn json(&self) -> serde_json::Result<String> {
        let mut sum = Sum::default();
        for (row, answer) in self.rows() {
            sum.add(&row, &answer);
        }
        Ok(serde_json::to_string_pretty(&TraceReport::of(self, &sum))? + "\n")
    }
}

impl Traced for Trace<'_> {
    fn device(&self) -> &Device {
        self.device
    }

    fn has_measured(&self) -> bool {
        self.trace.has_measured()
    }

    fn rows(&self) -> Box<dyn Iterator<Item = (Row, Answer)> + '_> {
        let mut trace = self.trace.clone();
        Box::new(std::iter::from_fn(move || {
            let row = trace.next_row(self.device)?;
            let answer = Answer::of(&row, self.device);
            Some((row, answer))
        }))
    }
}

/// What all rows come to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    /// Rows.
    pub rows: usize,
    /// Those that could be read.
    pub readable: usize,
    /// Faults of all rows.
    pub faults: usize,
    /// Faults of rows that are not answered because of them.
    pub malformed: usize,
    /// Rows with measured columns that have an answer.
    pub compared: usize,
    /// Those of them that agree.
    pub agreeing: usize,
}

impl Sum {
    /// Adds a row and its answer.
    pub fn add(&mut self, row: &Row, answer: &Answer) {
        let agrees = answer.agrees(&row.measured);
        self.rows += 1;
        self.readable += usize::from(row.access.is_some());
        self.faults += row.faults.len();
        self.malformed += row.faults.iter().filter(|fault| !fault.answered).count();
        self.compared += usize::from(agrees.is_some());
        self.agreeing += usize::from(agrees == Some(true));
    }
}

/// What the sectors of a copy rest on whose lanes write one place from different sources.
const RIVALS: &str = "of lanes that copy to one place from different sources, the lowest counts";

/// How many rows with measured columns agree.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Agreement {
    /// Rows with measured columns.
    pub rows: usize,
    /// Those that agree.
    pub agree: usize,
}

impl Agreement {
    /// Of `traced`, whose rows come to `sum`; `None` where nothing was measured.
    #[must_use]
    pub fn of(traced: &impl Traced, sum: &Sum) -> Option<Self> {
        traced.has_measured().then_some(Self {
            rows: sum.compared,
            agree: sum.agreeing,
        })
    }
}

/// A trace's answers: a row each, how many agree with what was measured, and what could not be read.
#[derive(Debug, Serialize)]
#[serde(bound = "T: Traced")]
pub struct TraceReport<'a, T> {
    device: &'a str,
    #[serde(serialize_with = "all_rows")]
    rows: &'a T,
    #[serde(skip_serializing_if = "Option::is_none")]
    agreement: Option<Agreement>,
    #[serde(serialize_with = "first_faults")]
    errors: &'a T,
    /// How many more there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    errors_left_out: Option<usize>,
}

fn all_rows<T: Traced, S: Serializer>(traced: &&T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(
        traced
            .rows()
            .map(|(row, answer)| RowReport::of(row, &answer)),
    )
}

fn first_faults<T: Traced, S: Serializer>(traced: &&T, to: S) -> Result<S::Ok, S::Error> {
    let faults = traced.rows().flat_map(|(row, _)| row.faults);
    to.collect_seq(faults.take(MOST_FAULTS).map(FaultReport::of))
}

#[derive(Serialize)]
struct FaultReport {
    row: usize,
    line: usize,
    column: usize,
    title: String,
    message: String,
    answered: bool,
}

#[derive(Serialize)]
struct MeasuredReport {
    wavefronts: Option<u64>,
    conflicts: Option<u64>,
    sectors: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    launch_sectors: Option<u64>,
}

#[derive(Serialize)]
struct RowReport {
    row: usize,
    instruction: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pattern: String,
    wavefronts: Option<u32>,
    ideal_wavefronts: Option<u32>,
    conflicts: Option<u32>,
    ways: Option<u32>,
    sectors: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page_sectors: Option<u32>,
    ideal_sectors: Option<u32>,
    /// Whether the wavefronts are a lower bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_least: bool,
    /// What the sectors rest on.
    #[serde(skip_serializing_if = "Option::is_none")]
    assumed: Option<&'static str>,
    bytes_used: Option<u32>,
    bytes_moved: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<MeasuredReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agrees: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
}

impl<'a, T: Traced> TraceReport<'a, T> {
    /// The document of `traced`, whose rows come to `sum`.
    #[must_use]
    pub fn of(traced: &'a T, sum: &Sum) -> Self {
        let left_out = sum.faults.saturating_sub(MOST_FAULTS);
        Self {
            device: traced.device().id(),
            rows: traced,
            agreement: Agreement::of(traced, sum),
            errors: traced,
            errors_left_out: (left_out > 0).then_some(left_out),
        }
    }
}

impl RowReport {
    fn of(row: Row, answer: &Answer) -> Self {
        let global = answer.global();
        let in_sectors = global.filter(|counts| counts.unit == Unit::Sector);
        let ideal = in_sectors.map(|counts| counts.ideal_units);
        let unknown = match answer {
            Answer::Unknown(why) => Some(why.to_string()),
            _ => None,
        };
        Self {
            row: row.number,
            instruction: row.name,
            pattern: row.pattern,
            wavefronts: answer.wavefronts(),
            ideal_wavefronts: answer.ideal_wavefronts(),
            conflicts: answer.conflicts(),
            ways: answer.ways(),
            sectors: answer.sectors(),
            page_sectors: answer.page_sectors(),
            ideal_sectors: ideal.or(answer.copy().map(|counts| counts.ideal_sectors)),
            at_least: answer.is_bound(),
            assumed: answer.has_rivals().then_some(RIVALS),
            bytes_used: global.map(|counts| counts.bytes_used),
            bytes_moved: global.map(|counts| counts.bytes_moved),
            measured: MeasuredReport::of(row.measured),
            agrees: answer.agrees(&row.measured),
            unknown,
        }
    }
}

impl FaultReport {
    fn of(fault: Fault) -> Self {
        Self {
            row: fault.row,
            line: fault.line,
            column: fault.column,
            message: fault.kind.to_string(),
            title: fault.title,
            answered: fault.answered,
        }
    }
}

impl MeasuredReport {
    /// `None` where nothing was measured.
    fn of(measured: Measured) -> Option<Self> {
        (measured != Measured::default()).then_some(Self {
            wavefronts: measured.wavefronts,
            conflicts: measured.conflicts,
            sectors: measured.sectors,
            launch_sectors: measured.launch_sectors,
        })
    }
}
