//! What names a kernel's parts, and which of its blocks run, as bytes.

use lanescope_ir::{ArrayId, SiteId};
use lanescope_simt::{Blocks, Certainty, Contents, End, Executed, ParameterValue};

use crate::{wire_enums, wire_structs};

/// What was executed at a line.
type ExecutedAtLine = Executed<u32>;

wire_structs! {
    ExecutedAtLine { place, warp_instructions, thread_instructions, bulk_bytes, bulk_copies_unsized }
    SiteId { 0 }
    ArrayId { 0 }
}

wire_enums! {
    Blocks { All, First { 0: a }, Only { 0: a }, Range { 0: a, 1: b }, Alike { 0: a, 1: b } }
    End { Complete, Requests, Steps, Bytes, Observer, Deadlock, Invalid }
    ParameterValue {
        Bytes { 0: a },
        Buffer { bytes: a, base_offset: b, contents: c, offset_in_allocation: d },
        Missing,
    }
    Contents { Unknown, Zero, Iota, Random { 0: a }, Bytes { 0: a } }
    Certainty { Certain, Assumed, Partial }
}
