//! Refusals: what a kernel does that WGSL has no word for.

use lanescope_ir::Place;
pub use lanescope_locale::emit::RefusalKind;

/// Why a kernel is not emitted, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct Refusal {
    /// What the text does.
    pub kind: RefusalKind,
    /// Where, in the reader's text; the default where that is not known.
    pub place: Place,
}
