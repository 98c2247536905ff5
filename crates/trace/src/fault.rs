//! What is wrong with a trace or one of its rows.

use std::fmt;

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

impl fmt::Display for TraceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => out.write_str("the file is empty; its first line must name the columns"),
            Self::NoInstruction => {
                out.write_str("no column `instruction`; the first line must name the columns")
            }
            Self::NoLanes => {
                out.write_str("no column `lane0`; offsets stand in `lane0` … `lane31`")
            }
            Self::Twice(title) => write!(out, "column `{title}` stands twice"),
            Self::Profiler => out.write_str(
                "it is an export of Nsight Compute, counters without lane addresses; `lanescope compare` lays it beside \
                 the prediction",
            ),
        }
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
}

impl fmt::Display for FaultKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OpenQuote => out.write_str("a quote is opened and not closed"),
            Self::Columns { found, expected } => {
                write!(
                    out,
                    "the row has {found} columns, the first line {expected}"
                )
            }
            Self::UnknownInstruction(name) => write!(
                out,
                "unknown instruction `{name}`; there are such as `ld.shared.b32`, `st.global.b128`, `ldmatrix.x4`, `atom.shared.add.u32`, `red.global.add.u32`"
            ),
            Self::NoSuchLane { device, lanes } => {
                write!(out, "a warp of {device} has {lanes} lanes")
            }
            Self::Negative(text) => write!(out, "`{text}` is negative; offsets count bytes from 0"),
            Self::NoOffset(text) => write!(
                out,
                "`{text}` is no byte offset; write a whole number, or nothing for a lane that is off"
            ),
            Self::TooLarge(text) => write!(out, "`{text}` is too large; offsets end below 2^48"),
            Self::NoCount(text) => write!(out, "`{text}` is no count"),
            Self::Misaligned(bytes) => write!(
                out,
                "the offset is no multiple of {bytes}; hardware refuses such an access"
            ),
            Self::Json(JsonExpected::Row) => {
                out.write_str("expected an object or a list of offsets")
            }
            Self::Json(JsonExpected::Value) => out.write_str("expected a number, a text or `null`"),
            Self::Json(JsonExpected::Closing) => {
                out.write_str("a bracket or a quote is opened and not closed")
            }
        }
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
