//! What is wrong in a text, and where.

use std::ops::Range;

use super::Fault;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The statement was left out.
    Error,
    /// The statement counts; look at it all the same.
    Warning,
}

/// One remark on a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Bytes of the text it is about.
    pub span: Range<usize>,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong; as text in lower case, no full stop: the thing and, where there is one, the
    /// fix.
    pub fault: Fault,
}

impl Diagnostic {
    pub(super) fn error(span: Range<usize>, fault: impl Into<Fault>) -> Self {
        Self {
            span,
            severity: Severity::Error,
            fault: fault.into(),
        }
    }

    pub(super) fn warning(span: Range<usize>, fault: impl Into<Fault>) -> Self {
        Self {
            span,
            severity: Severity::Warning,
            fault: fault.into(),
        }
    }
}
