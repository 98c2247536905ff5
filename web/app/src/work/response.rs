//! What a worker says.

use lanescope_fixes::Advice;
use lanescope_query::Read;
use lanescope_wire::{Wire, wire_enums};

use crate::answer::{DeviceTallies, FirstRun, L1, Place, Seen, Strip, Whole};

/// An answer, or how far it is.
#[allow(
    clippy::large_enum_variant,
    reason = "one exists at a time and is moved once"
)]
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
    /// The fixes that are found so far.
    Found(Advice),
    /// All fixes are found.
    Fixed(Advice),
    /// A program ran as far as the first answer.
    First {
        /// What was read of a source that the page does not read itself.
        read: Option<Read>,
        /// `None` without device.
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
        First { read: a, run: b, place: c, seen: d }, Seen { 0: a }, Strip { 0: a }, L1 { 0: a },
        Devices { 0: a }, Found { 0: a },
    }
}

/// A message behind the number of the question that it belongs to, so that what was superseded can be told.
pub(super) fn numbered(round: u32, message: &impl Wire) -> Vec<u8> {
    let mut bytes = Vec::new();
    round.put(&mut bytes);
    message.put(&mut bytes);
    bytes
}

impl Response {
    /// Whether nothing follows.
    pub(crate) const fn is_last(&self) -> bool {
        !matches!(self, Self::Progress { .. } | Self::Found(_))
    }
}
