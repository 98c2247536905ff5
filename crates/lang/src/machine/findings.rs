//! What a run finds wrong, each once a place.

use crate::{Diagnostic, DiagnosticKind, Site, Span};
use std::collections::BTreeSet;

#[derive(Debug)]
pub(super) struct Findings {
    pub(super) list: Vec<Diagnostic>,
    seen: BTreeSet<(&'static str, Span)>,
    most: usize,
}

impl Findings {
    pub(super) fn new(most: u32) -> Self {
        Self {
            list: Vec::new(),
            seen: BTreeSet::new(),
            most: most as usize,
        }
    }

    /// Whether a finding of this kind at this place would be news.
    pub(super) fn is_news(&self, code: &'static str, span: Span) -> bool {
        // What makes a count doubtful must find room beside what does not.
        let most = match code {
            "race" | "out-of-range" => self.most / 2,
            _ => self.most,
        };
        self.list.len() < most && !self.seen.contains(&(code, span))
    }

    pub(super) fn say(&mut self, span: Span, line: u32, column: u32, kind: DiagnosticKind) {
        if self.is_news(kind.code(), span) {
            self.seen.insert((kind.code(), span));
            self.list.push(Diagnostic {
                span,
                line,
                column,
                kind,
                fix: None,
            });
        }
    }

    pub(super) fn say_at(&mut self, site: &Site, kind: DiagnosticKind) {
        self.say(site.span, site.line, site.column, kind);
    }
}
