//! Diagnostics: what a reader of the text should know.

use lanescope_locale::ptx_fault::PtxFault;

use crate::Span;

/// How much a diagnostic weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Something is not counted or not known.
    Note,
    /// Something could not be read.
    Error,
}

/// What is the matter at a place of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How much it weighs.
    pub severity: Severity,
    /// What is the matter.
    pub fault: PtxFault,
    /// Where.
    pub span: Span,
}

/// Diagnostics a text gets at most.
const MOST: usize = 100;

/// A bounded list of diagnostics.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds one, unless it is said already or there are enough.
    pub(crate) fn push(&mut self, severity: Severity, span: Span, fault: PtxFault) {
        if self.list.len() < MOST && !self.list.iter().any(|known| known.fault == fault) {
            self.list.push(Diagnostic {
                severity,
                fault,
                span,
            });
        }
    }

    pub(crate) fn error(&mut self, span: Span, fault: PtxFault) {
        self.push(Severity::Error, span, fault);
    }

    /// All, in the order found.
    #[must_use]
    pub fn as_slice(&self) -> &[Diagnostic] {
        &self.list
    }
}

impl Diagnostics {
    /// Adds those of another list.
    pub(crate) fn extend(&mut self, other: &Self) {
        for diagnostic in other.as_slice() {
            self.push(
                diagnostic.severity,
                diagnostic.span,
                diagnostic.fault.clone(),
            );
        }
    }
}
