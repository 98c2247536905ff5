//! Where something stands in a story, for messages that name it.

use anyhow::{Error, anyhow};

/// A line of a file.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The path from the project's folder.
    pub(super) file: String,
    /// From 1.
    pub(super) line: usize,
}

impl Place {
    /// What is wrong there, and how to mend it.
    pub(super) fn fault(&self, message: impl std::fmt::Display) -> Error {
        anyhow!("{}:{}: {message}", self.file, self.line)
    }

    /// So many lines further down.
    pub(super) fn below(&self, lines: usize) -> Self {
        Self {
            file: self.file.clone(),
            line: self.line + lines,
        }
    }
}
