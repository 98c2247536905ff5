//! What is wrong with a row.

use std::fmt;

/// A fault and its place.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Fault {
    /// Data rows count from 1.
    pub(crate) row: usize,
    /// Lines of the file count from 1.
    pub(crate) line: usize,
    /// Columns count from 1.
    pub(crate) column: usize,
    /// The column's title; empty past the last.
    pub(crate) title: String,
    /// What is wrong, and what should stand there.
    pub(crate) message: String,
    /// Whether the row is answered all the same.
    pub(crate) answered: bool,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            row,
            line,
            column,
            title,
            message,
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
            "{severity}: line {line}, column {column}{title}, row {row}: {message}"
        )
    }
}
