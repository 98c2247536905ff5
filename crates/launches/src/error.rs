//! Why a recorded launch cannot be read.

use std::fmt;

/// Why a recorded launch cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LaunchError {
    /// The text is not JSON.
    NotJson {
        /// The line of the file, from 1.
        line: usize,
        /// What the JSON reader says.
        message: String,
    },
    /// A field is missing, or is not what it should be.
    Field {
        /// The field's path, as in `arguments[2].hex`.
        field: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// The file has fewer launches than the number asked for.
    NoSuchLaunch {
        /// The number asked for, from 1.
        number: usize,
        /// The launches in the file.
        launches: usize,
    },
    /// The file has several launches and none was chosen.
    SeveralLaunches {
        /// The launches in the file.
        launches: usize,
    },
}

impl fmt::Display for LaunchError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson { line, message } => write!(out, "line {line} is not JSON: {message}"),
            Self::Field { field, expected } => write!(out, "`{field}` must be {expected}"),
            Self::NoSuchLaunch { number, launches } => {
                write!(out, "no launch {number}; the file has {launches}")
            }
            Self::SeveralLaunches { launches } => write!(
                out,
                "the file has {launches} launches; choose one, as in launches.jsonl#1"
            ),
        }
    }
}

impl std::error::Error for LaunchError {}
