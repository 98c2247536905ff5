//! Tensor cores: values that are not followed, and descriptors of shared memory.

use crate::builder::Builder;
use crate::instruction::{Refused, SassInstruction};
use crate::operand::Kind;
use crate::site::SiteForm;
use lanescope_ir::{AddressSpace, Op, Register};
use lanescope_model::Operation;

/// 32-bit registers that a lane gets of a product.
fn registers(i: &SassInstruction<'_>) -> u8 {
    let first = i.modifiers.first().copied().unwrap_or_default();
    let is_half = i.modifiers.iter().filter(|name| **name == "F16").count() > 0 && !i.has("F32");
    match i.name {
        // A matrix transposed in registers.
        "MOVM" => 1,
        "DMMA" if first == "884" || first == "8x8x4" => 4,
        "DMMA" => 8,
        "IMMA" | "BMMA" if matches!(first, "8816" | "8832" | "88128" | "88256") => 2,
        "HMMA" if first == "884" && !is_half => 8,
        "HMMA" if is_half && first != "884" => 2,
        // M x N x K: a warp group's 128 lanes have N / 2 words each.
        "HGMMA" | "IGMMA" | "QGMMA" | "BGMMA" => {
            let columns = first.split('x').nth(1).and_then(|n| n.parse::<u8>().ok());
            let columns = columns.unwrap_or(u8::MAX);
            columns / if is_half { 4 } else { 2 }
        }
        _ => 4,
    }
}

fn written(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<Vec<Register>, Refused> {
    let Kind::Register(name) = i.operand(0)?.kind else {
        return Err(Refused);
    };
    Ok((0..registers(i))
        .filter_map(|distance| builder.behind_register(name, distance))
        .collect())
}

/// `HMMA`, `IMMA`, `DMMA`, `MOVM`: a product of matrices in registers, or one transposed.
pub(crate) fn multiply(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let dst = written(builder, i)?;
    builder.emit(Op::Unmodelled {
        name: i.text.to_owned(),
        dst,
        src: Vec::new(),
        is_pure: true,
    });
    Ok(())
}

/// `HGMMA`: a product of matrices of which at least one is read from shared memory by descriptor.
pub(crate) fn group_multiply(
    builder: &mut Builder<'_>,
    i: &SassInstruction<'_>,
) -> Result<(), Refused> {
    let dst = written(builder, i)?;
    let site = builder.site(SiteForm {
        text: i.text.to_owned(),
        space: AddressSpace::Shared,
        operation: Operation::Load,
        ..SiteForm::default()
    });
    let addresses = Vec::new();
    builder.emit(Op::BulkAccess {
        addresses,
        dst,
        site,
        bytes: None,
    });
    Ok(())
}

/// `TEX`, `TLD`, `SULD`, `SUST`: the texture pipe.
pub(crate) fn texture(builder: &mut Builder<'_>, i: &SassInstruction<'_>) -> Result<(), Refused> {
    let is_store = i.name.starts_with("SUST") || i.name.starts_with("SURED");
    let mut dst = Vec::new();
    // A texture instruction gives up to four words, in two registers' pairs.
    for operand in i.operands.iter().take(if is_store { 0 } else { 2 }) {
        match operand.kind {
            Kind::Register(name) => {
                dst.extend((0..2).filter_map(|distance| builder.behind_register(name, distance)));
            }
            Kind::Predicate(name) => dst.extend(builder.predicate(name)),
            _ => {}
        }
    }
    let site = builder.site(SiteForm {
        text: i.text.to_owned(),
        operation: if is_store {
            Operation::Store
        } else {
            Operation::Load
        },
        ..SiteForm::default()
    });
    let src = builder.reads(i);
    builder.emit(Op::Texture { dst, src, site });
    Ok(())
}
