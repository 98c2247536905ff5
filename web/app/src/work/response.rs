//! What a worker says.

use lanescope_fixes::Advice;
use lanescope_wire::wire_enums;

use crate::answer::{DeviceTallies, FirstRun, L1, Place, Seen, Strip, Whole};

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
    /// A long program ran as far as the first answer; `None` without device.
    First {
        run: Option<FirstRun>,
        place: Place,
        seen: Vec<Seen>,
    },
    /// The requests that were looked at.
    Seen(Vec<Seen>),
    /// What an access costs over time.
    Strip(Option<Strip>),
    /// What a cache would fetch.
    L1(Option<L1>),
    /// What all devices come to.
    Devices(DeviceTallies),
}

wire_enums! {
    Response {
        Progress { done: a, total: b }, Counted { 0: a }, Fixed { 0: a },
        First { run: a, place: b, seen: c }, Seen { 0: a }, Strip { 0: a }, L1 { 0: a },
        Devices { 0: a },
    }
}

impl Response {
    /// Whether nothing follows.
    pub(crate) const fn is_last(&self) -> bool {
        !matches!(self, Self::Progress { .. })
    }
}
