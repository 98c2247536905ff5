//! What is wrong with a trace or one of its rows.

use std::fmt;

use lanescope_locale::{Language, trace_fault};

/// Why a text is no trace at all.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TraceError {
    /// There is nothing in it; its first line must name the columns.
    Empty,
    /// No column is called `instruction`.
    NoInstruction,
    /// No column is called `lane0`.
    NoLanes,
    /// A column stands twice.
    Twice(String),
    /// An export of a profiler's counters: it has no lane addresses.
    Profiler,
}

impl TraceError {
    /// The error in `language`.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::Empty => trace_fault::empty(language).into(),
            Self::NoInstruction => trace_fault::no_instruction(language).into(),
            Self::NoLanes => trace_fault::no_lanes(language).into(),
            Self::Twice(title) => trace_fault::twice(language, title),
            Self::Profiler => trace_fault::profiler(language).into(),
        }
    }
}

impl fmt::Display for TraceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}

/// A fault and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Data rows count from 1.
    pub row: usize,
    /// Lines of the text count from 1.
    pub line: usize,
    /// Columns count from 1: those of the table, or of a JSON text, characters of the line.
    pub column: usize,
    /// The column's title; empty past the last.
    pub title: String,
    /// What is wrong.
    pub kind: FaultKind,
    /// Whether the row is answered all the same.
    pub answered: bool,
}

/// What is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FaultKind {
    /// A quote is opened and not closed.
    OpenQuote,
    /// The row has another number of columns than the first line.
    Columns {
        /// Of the row.
        found: usize,
        /// Of the first line.
        expected: usize,
    },
    /// No instruction is called so.
    UnknownInstruction(String),
    /// The device's warps have fewer lanes.
    NoSuchLane {
        /// The device's id.
        device: &'static str,
        /// Lanes of its warp.
        lanes: usize,
    },
    /// An offset below zero.
    Negative(String),
    /// No byte offset.
    NoOffset(String),
    /// An offset of 2^48 or more.
    TooLarge(String),
    /// No count, where a counter should stand.
    NoCount(String),
    /// An asynchronous copy without the offset that a lane reads.
    NoSources(usize),
    /// An offset that is no multiple of the access's bytes.
    Misaligned(u64),
    /// JSON that cannot be read as a row: what was expected.
    Json(JsonExpected),
}

/// What a JSON text should have had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JsonExpected {
    /// An object or a list of offsets.
    Row,
    /// A number, `null` or a text.
    Value,
    /// The end of a text or a list.
    Closing,
    /// A member that the row does not have yet.
    OtherName,
    /// The end of the list of rows.
    End,
}

impl FaultKind {
    /// What is wrong, in `language`.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::OpenQuote => trace_fault::open_quote(language).into(),
            Self::Columns { found, expected } => trace_fault::columns(language, *found, *expected),
            Self::UnknownInstruction(name) => trace_fault::unknown_instruction(language, name),
            Self::NoSuchLane { device, lanes } => {
                trace_fault::no_such_lane(language, device, *lanes)
            }
            Self::Negative(text) => trace_fault::negative(language, text),
            Self::NoOffset(text) => trace_fault::no_offset(language, text),
            Self::TooLarge(text) => trace_fault::too_large(language, text),
            Self::NoCount(text) => trace_fault::no_count(language, text),
            Self::NoSources(lane) => trace_fault::no_sources(language, *lane),
            Self::Misaligned(bytes) => trace_fault::misaligned(language, *bytes),
            Self::Json(JsonExpected::Row) => trace_fault::expected_row(language).into(),
            Self::Json(JsonExpected::Value) => trace_fault::expected_value(language).into(),
            Self::Json(JsonExpected::Closing) => trace_fault::expected_closing(language).into(),
            Self::Json(JsonExpected::OtherName) => {
                trace_fault::expected_other_name(language).into()
            }
            Self::Json(JsonExpected::End) => trace_fault::expected_end(language).into(),
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            row,
            line,
            column,
            title,
            kind,
            answered,
        } = self;
        let severity = if *answered { "warning" } else { "error" };
        let title = if title.is_empty() {
            String::new()
        } else {
            format!(" ({title})")
        };
        write!(
            out,
            "{severity}: line {line}, column {column}{title}, row {row}: {kind}"
        )
    }
}
