//! Bulk copies: the bytes that they move, which no warp asks for and no wavefront or sector counts.
//!
//! `cp.async.bulk` and its tensor form (TMA) move memory without a warp's request. What comes to shared memory a barrier in
//! shared memory expects (`mbarrier.expect_tx`), and what leaves it without a tensor's map the copy says itself. A tensor's
//! box that leaves shared memory is in the map alone, which the code does not have.

use crate::line::file_of;
use crate::{Analysis, Answer};
use lanescope_frontend::{Executed, SourceOutcome};
use lanescope_syntax::bundled_files;
use serde::Serialize;

/// Bytes that bulk copies move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BulkCopies {
    /// In sum, of what is known.
    pub bytes: u64,
    /// How often a barrier expected, or a copy moved, bytes that are not known.
    pub unsized_copies: u64,
    /// By line, in the order of the text.
    pub lines: Vec<LineBulkCopies>,
}

/// The same of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineBulkCopies {
    /// The included file that it stands in; empty for the source.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub file: String,
    /// From 1, in its file.
    pub line: u32,
    /// Bytes, of what is known.
    pub bytes: u64,
}

impl BulkCopies {
    /// Of what was run; `None` where nothing is moved in bulk.
    #[must_use]
    pub fn of(analysis: &Analysis) -> Option<Self> {
        Self::of_run(&analysis.question.source, &analysis.outcome)
    }

    /// Of what a page ran of a launch.
    #[must_use]
    pub fn of_answer(answer: &Answer) -> Option<Self> {
        Self::of_run(&answer.source, answer.outcome.as_ref()?)
    }

    fn of_run(source: &str, outcome: &SourceOutcome) -> Option<Self> {
        let moves = |one: &&Executed| one.bulk_bytes != 0 || one.bulk_copies_unsized != 0;
        let moved: Vec<&Executed> = outcome.executed.iter().filter(moves).collect();
        let files = bundled_files(source);
        let line = |one: &&Executed| {
            let file = file_of(&files, one.place);
            LineBulkCopies {
                file: file.path.to_owned(),
                line: one.place.saturating_sub(file.lines_before),
                bytes: one.bulk_bytes,
            }
        };
        let sum = |of: fn(&Executed) -> u64| {
            let all = moved.iter().map(|one| of(one));
            all.fold(0, u64::saturating_add)
        };
        (!moved.is_empty()).then(|| Self {
            bytes: sum(|one| one.bulk_bytes),
            unsized_copies: sum(|one| one.bulk_copies_unsized),
            lines: moved.iter().map(line).collect(),
        })
    }
}
