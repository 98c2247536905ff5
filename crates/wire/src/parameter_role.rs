//! What parameters of compiled code stand for, as bytes.

use lanescope_locale::parameter_role::{ArrayMember, ParameterRole, Scratch};

use crate::wire_enums;

wire_enums! {
    ParameterRole { Scratch { 0: a }, Number { 0: a }, Member { argument: a, member: b } }
    Scratch { Global, Profile, Either }
    ArrayMember { MemoryInfo, Parent, Items, ItemSize, Data, Shape { 0: a }, Stride { 0: a } }
}
