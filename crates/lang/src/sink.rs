//! Where diagnostics gather.

use crate::diagnostic::{Diagnostic, DiagnosticKind, Mend};
use crate::span::{Lines, Span};

/// The most diagnostics kept of one source.
const MOST: usize = 128;

/// Gathers diagnostics, each once a place.
#[derive(Debug)]
pub(crate) struct Sink {
    pub(crate) lines: Lines,
    list: Vec<Diagnostic>,
}

impl Sink {
    pub(crate) fn new(source: &str) -> Self {
        Self {
            lines: Lines::of(source),
            list: Vec::new(),
        }
    }

    pub(crate) fn say(&mut self, span: Span, kind: DiagnosticKind) {
        self.say_with(span, kind, None);
    }

    pub(crate) fn say_with(&mut self, span: Span, kind: DiagnosticKind, mend: Option<Mend>) {
        let is_same =
            |one: &Diagnostic| one.span.start == span.start && one.kind.code() == kind.code();
        if self.is_full() || self.list.iter().any(is_same) {
            return;
        }
        let (line, column) = self.lines.place(span.start);
        self.list.push(Diagnostic {
            span,
            line,
            column,
            kind,
            mend,
        });
    }

    /// A name is unknown: `kind` is made with the nearest of `known`, which is also the mend.
    pub(crate) fn unknown<'k>(
        &mut self,
        span: Span,
        name: &str,
        known: impl Iterator<Item = &'k str>,
        kind: impl FnOnce(String, Option<String>) -> DiagnosticKind,
    ) {
        if self.is_full() {
            return;
        }
        let nearest = nearest(name, known);
        let mend = nearest
            .clone()
            .map(|replacement| Mend { span, replacement });
        self.say_with(span, kind(name.to_owned(), nearest), mend);
    }

    /// Whether the source was not read to its end.
    pub(crate) fn met_a_limit(&self) -> bool {
        use DiagnosticKind::{SourceTooLong, TooDeep, TooManyTokens};
        let is_limit = |kind: &_| {
            matches!(
                kind,
                SourceTooLong { .. } | TooDeep { .. } | TooManyTokens { .. }
            )
        };
        self.list.iter().any(|one| is_limit(&one.kind))
    }

    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= MOST
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
    }

    pub(crate) fn into_list(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|one| one.span);
        self.list
    }
}

/// The known name that is few slips from `name`, if there is one.
pub(crate) fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> Option<String> {
    if name.len() > 64 {
        return None;
    }
    let most = (name.chars().count() / 3).max(1);
    known
        .filter(|other| {
            other.len() <= 64 && other.len().abs_diff(name.len()) <= 3 * most && *other != name
        })
        .map(|other| (slips(name, other), other))
        .filter(|(slips, _)| *slips <= most)
        .min_by_key(|(slips, other)| {
            (
                *slips,
                other.len().abs_diff(name.len()),
                (*other).to_owned(),
            )
        })
        .map(|(_, other)| other.to_owned())
}

/// Letters to put in, take out, change or swap with a neighbour; another case costs nothing.
fn slips(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
