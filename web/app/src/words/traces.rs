//! What the page says of recorded traces.

use lanescope_locale::trace::{self, TraceWords};
use lanescope_model::Unit;
use lanescope_trace::{Fault, Totals, TraceError};

use super::Language;

/// One thing said of a trace.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TraceWord<'a> {
    Tab,
    Drop,
    Choose,
    Text,
    Hint,
    /// A trace of so many bytes is shown that no link carries.
    KeptHere(usize),
    TooLarge,
    UnreadableFile,
    Title,
    Reading {
        done: usize,
        total: usize,
    },
    Rows(&'a Totals),
    Shared(&'a Totals),
    Global(&'a Totals),
    Agreement(&'a Totals),
    Worst,
    Differing,
    Faults(usize),
    Fault(&'a Fault),
    MoreFaults(usize),
    Error(&'a TraceError),
    Row,
    Instruction,
    Cost,
    Ideal,
    Predicted,
    Measured,
    Picture {
        row: usize,
        name: &'a str,
    },
    Unread(usize),
}

/// The word in `language`.
pub(super) fn say(language: Language, word: &TraceWord<'_>) -> String {
    let words = TraceWords::of(language);
    match *word {
        TraceWord::Tab => words.tab.into(),
        TraceWord::Drop => words.drop.into(),
        TraceWord::Choose => words.choose.into(),
        TraceWord::Text => words.text.into(),
        TraceWord::Hint => words.hint.into(),
        TraceWord::TooLarge => words.too_large.into(),
        TraceWord::UnreadableFile => words.unreadable_file.into(),
        TraceWord::Title => words.title.into(),
        TraceWord::Worst => words.worst.into(),
        TraceWord::Differing => words.differing.into(),
        TraceWord::Row => words.row.into(),
        TraceWord::Instruction => words.instruction.into(),
        TraceWord::Cost => words.cost.into(),
        TraceWord::Ideal => words.ideal.into(),
        TraceWord::Predicted => words.predicted.into(),
        TraceWord::Measured => words.measured.into(),
        TraceWord::KeptHere(bytes) => trace::kept_here(language, bytes as u64),
        TraceWord::Reading { done, total } => trace::reading(language, percent(done, total)),
        TraceWord::Rows(totals) => trace::rows(language, totals.rows as u64),
        TraceWord::Shared(totals) => shared(language, totals),
        TraceWord::Global(totals) => global(language, totals),
        TraceWord::Agreement(totals) => {
            trace::agreement(language, totals.agreeing as u64, totals.compared as u64)
        }
        TraceWord::Faults(count) => trace::faults(language, count as u64),
        TraceWord::Fault(fault) => trace::fault(
            language,
            fault.line,
            fault.column,
            &fault.title,
            &fault.kind.text(language),
        ),
        TraceWord::MoreFaults(count) => trace::more_faults(language, count as u64),
        TraceWord::Error(error) => trace::not_a_trace(language, &error.text(language)),
        TraceWord::Picture { row, name } => trace::picture(language, row as u64, name),
        TraceWord::Unread(row) => trace::unread(language, row as u64),
    }
}

fn shared(language: Language, totals: &Totals) -> String {
    let counts = [
        totals.shared_requests,
        totals.wavefronts,
        totals.ideal_wavefronts,
        totals.conflicts,
    ];
    trace::shared(language, counts)
}

fn global(language: Language, totals: &Totals) -> String {
    let counts = [totals.global_requests, totals.units, totals.ideal_units];
    trace::global(language, counts, totals.unit.unwrap_or(Unit::Sector))
}

fn percent(done: usize, total: usize) -> usize {
    done.saturating_mul(100) / total.max(1)
}
