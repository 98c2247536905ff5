//! What parameters of compiled code stand for, in English.

use crate::parameter_role::{ArrayMember, ParameterRole, Scratch};

pub(crate) fn text(role: ParameterRole) -> String {
    match role {
        ParameterRole::Scratch(scratch) => match scratch {
            Scratch::Global => "Triton's global scratch (hidden)",
            Scratch::Profile => "Triton's profile scratch (hidden)",
            Scratch::Either => "Triton's scratch (hidden)",
        }
        .to_owned(),
        ParameterRole::Number(argument) => format!("argument {argument}"),
        ParameterRole::Member { argument, member } => {
            format!("argument {argument}: {}", of_array(member))
        }
    }
}

fn of_array(member: ArrayMember) -> String {
    match member {
        ArrayMember::MemoryInfo => "memory info (hidden)".to_owned(),
        ArrayMember::Parent => "parent (hidden)".to_owned(),
        ArrayMember::Items => "number of elements".to_owned(),
        ArrayMember::ItemSize => "bytes per element".to_owned(),
        ArrayMember::Data => "data".to_owned(),
        ArrayMember::Shape(axis) => format!("shape[{axis}]"),
        ArrayMember::Stride(axis) => format!("strides[{axis}] in bytes"),
    }
}
