//! Where diagnostics gather.

use crate::diagnostic::{Diagnostic, DiagnosticKind, Fix, Severity};
use crate::nearest::Nearest;
use crate::reach::Reach;
use crate::span::{Lines, Span};

/// The most diagnostics kept of one source.
const MOST: usize = 128;

/// Gathers diagnostics, each once a place.
#[derive(Clone, Debug)]
pub struct Sink {
    /// The lines of the source.
    pub lines: Lines,
    list: Vec<Diagnostic>,
    nearest: Nearest,
    /// Whether the last has been said.
    closed: bool,
    /// What the kernel reaches; of the rest nothing is said.
    reach: Option<Reach>,
}

impl Sink {
    /// An empty list for this source.
    #[must_use]
    pub fn new(source: &str) -> Self {
        Self {
            lines: Lines::of(source),
            list: Vec::new(),
            nearest: Nearest::default(),
            closed: false,
            reach: None,
        }
    }

    /// One that hears nothing.
    #[must_use]
    pub fn deaf() -> Self {
        Self {
            lines: Lines::default(),
            list: Vec::new(),
            nearest: Nearest::default(),
            closed: true,
            reach: None,
        }
    }

    /// Adds a diagnostic, unless one of its kind has that place already.
    pub fn say(&mut self, span: Span, kind: DiagnosticKind) {
        self.say_with(span, kind, None);
    }

    /// [`Sink::say`] with a fix.
    pub fn say_with(&mut self, span: Span, kind: DiagnosticKind, fix: Option<Fix>) {
        let is_same = |diagnostic: &Diagnostic| {
            diagnostic.span.start == span.start && diagnostic.kind.code() == kind.code()
        };
        // Errors must find room beside notes.
        let has_room = kind.severity() != Severity::Note || self.list.len() < MOST / 2;
        if has_room && !self.is_full() && !self.list.iter().any(is_same) {
            self.put(span, kind, fix);
        }
    }

    /// Says what ends the reading, however much has been said before; what is said after it is not heard.
    pub fn say_last(&mut self, span: Span, kind: DiagnosticKind) {
        self.put(span, kind, None);
        self.closed = true;
    }

    /// From now on says nothing of what a kernel does not reach, and takes back what was said of it.
    pub fn restrict(&mut self, reach: Reach) {
        self.list
            .retain(|one| concerns_all(&one.kind) || reach.holds(one.span));
        self.reach = Some(reach);
    }

    fn put(&mut self, span: Span, kind: DiagnosticKind, fix: Option<Fix>) {
        let is_elsewhere = self.reach.as_ref().is_some_and(|reach| !reach.holds(span));
        if is_elsewhere && !concerns_all(&kind) {
            return;
        }
        // What a header of the library says has no place in the source.
        let is_library = span.end >= Span::LIBRARY.start;
        let (span, fix) = match is_library {
            true => (Span::default(), None),
            false => (span, fix),
        };
        let (line, column) = self.lines.place(span.start);
        self.list.push(Diagnostic {
            span,
            line,
            column,
            kind,
            fix,
        });
    }

    /// A name is unknown: `kind` is made with the nearest of `known`, which is also the fix.
    pub fn unknown<'k>(
        &mut self,
        span: Span,
        name: &str,
        known: impl Iterator<Item = &'k str>,
        kind: impl FnOnce(String, Option<String>) -> DiagnosticKind,
    ) {
        if self.is_full() {
            return;
        }
        let nearest = self.nearest.of(name, known);
        let fix = nearest.clone().map(|replacement| Fix { span, replacement });
        self.say_with(span, kind(name.to_owned(), nearest), fix);
    }

    /// Whether the source was not read to its end.
    #[must_use]
    pub fn met_a_limit(&self) -> bool {
        use DiagnosticKind::{SourceTooLong, TooDeep, TooManyTokens};
        let is_limit = |kind: &_| {
            matches!(
                kind,
                SourceTooLong { .. } | TooDeep { .. } | TooManyTokens { .. }
            )
        };
        self.list.iter().any(|one| is_limit(&one.kind))
    }

    /// Whether nothing more is heard.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.closed || self.list.len() >= MOST
    }

    /// Takes back what was said after the first `count` diagnostics.
    pub fn truncate(&mut self, count: usize) {
        self.list.truncate(count);
    }

    /// How many diagnostics it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The diagnostics in the order of the source, missing files first.
    #[must_use]
    pub fn into_list(mut self) -> Vec<Diagnostic> {
        // What is not there explains what is not known.
        let is_missing = |kind: &_| matches!(kind, DiagnosticKind::MissingInclude { .. });
        self.list
            .sort_by_key(|one| (!is_missing(&one.kind), one.span));
        self.list
    }
}

/// Whether it is about the whole source, wherever it was noticed.
fn concerns_all(kind: &DiagnosticKind) -> bool {
    use DiagnosticKind::{
        MissingInclude, NeedsCompiler, NoKernel, OtherLanguage, SourceTooLong, TooDeep, TooLarge,
        TooManySteps, TooManyTokens, TooManyTypes, UnknownKernel, Unterminated,
    };
    matches!(
        kind,
        MissingInclude { .. }
            | NeedsCompiler { .. }
            | NoKernel
            | OtherLanguage { .. }
            | SourceTooLong { .. }
            | TooDeep { .. }
            | TooLarge { .. }
            | TooManySteps { .. }
            | TooManyTokens { .. }
            | TooManyTypes { .. }
            | UnknownKernel { .. }
            | Unterminated { .. }
    )
}
