//! What names a kernel's parts, and which of its blocks run, as bytes.

use lanescope_ir::{ArrayId, SiteId};
use lanescope_simt::{Blocks, Certainty, Contents, ParameterValue};

use crate::{wire_enums, wire_structs};

wire_structs! {
    SiteId { 0 }
    ArrayId { 0 }
}

wire_enums! {
    Blocks { All, First { 0: a }, Only { 0: a }, Range { 0: a, 1: b }, Alike { 0: a, 1: b } }
    ParameterValue {
        Bytes { 0: a },
        Buffer { bytes: a, base_offset: b, contents: c, offset_in_allocation: d },
        Missing,
    }
    Contents { Unknown, Zero, Iota, Random { 0: a }, Bytes { 0: a } }
    Certainty { Certain, Assumed, Partial }
}
