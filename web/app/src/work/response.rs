//! What a worker says.

use lanescope_fixes::Advice;
use lanescope_wire::wire_enums;

use crate::answer::Whole;

/// An answer, or how far it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Response {
    /// How far it is: blocks of a launch, or runs of changed sources.
    Progress {
        /// Those done.
        done: u64,
        /// All of them, as far as that is known.
        total: u64,
    },
    /// All blocks are counted.
    Counted(Whole),
    /// All fixes are found.
    Fixed(Advice),
}

wire_enums! {
    Response { Progress { done: a, total: b }, Counted { 0: a }, Fixed { 0: a } }
}

impl Response {
    /// Whether nothing follows.
    pub(crate) const fn is_last(&self) -> bool {
        !matches!(self, Self::Progress { .. })
    }
}
