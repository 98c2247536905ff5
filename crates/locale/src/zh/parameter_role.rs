//! What parameters of compiled code stand for, in Chinese.

use crate::parameter_role::{ArrayMember, ParameterRole, Scratch};

pub(crate) fn text(role: ParameterRole) -> String {
    match role {
        ParameterRole::Scratch(scratch) => match scratch {
            Scratch::Global => "Triton 的全局暂存区（隐藏）",
            Scratch::Profile => "Triton 的性能分析暂存区（隐藏）",
            Scratch::Either => "Triton 的暂存区（隐藏）",
        }
        .to_owned(),
        ParameterRole::Number(argument) => format!("参数 {argument}"),
        ParameterRole::Member { argument, member } => {
            format!("参数 {argument}：{}", of_array(member))
        }
    }
}

fn of_array(member: ArrayMember) -> String {
    match member {
        ArrayMember::MemoryInfo => "内存信息（隐藏）".to_owned(),
        ArrayMember::Parent => "所属对象（隐藏）".to_owned(),
        ArrayMember::Items => "元素个数".to_owned(),
        ArrayMember::ItemSize => "每个元素的字节数".to_owned(),
        ArrayMember::Data => "数据".to_owned(),
        ArrayMember::Shape(axis) => format!("shape[{axis}]"),
        ArrayMember::Stride(axis) => format!("strides[{axis}]（字节）"),
    }
}
