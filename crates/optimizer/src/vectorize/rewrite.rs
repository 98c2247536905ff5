//! Accesses replaced by wide ones.

use std::collections::BTreeMap;

use lanescope_ir::{
    Address, BlockId, Instruction, Kernel, Op, Operand, PlainAccess, Register, ScalarType, SiteId,
    UnaryOp,
};
use lanescope_model::Width;

use super::joining::Wide;
use crate::facts::{bits, fresh, unguarded};
use crate::remark::{Remark, RemarkKind, note};

/// What stands in an instruction's place.
enum Change {
    /// These instructions, which end with the wide access.
    Replace(Vec<Instruction>),
}

pub(super) fn rewrite(
    kernel: &mut Kernel,
    block: BlockId,
    wide: &[Wide],
    sites: &mut BTreeMap<(SiteId, u64), SiteId>,
    remarks: &mut Vec<Remark>,
) {
    let Some(old) = kernel
        .blocks
        .get(block.index())
        .map(|block| block.instructions.clone())
    else {
        return;
    };
    let mut changes: BTreeMap<usize, Change> = BTreeMap::new();
    for wide_access in wide {
        let mut members = wide_access.members.clone();
        members.sort_unstable();
        let anchor = if wide_access.is_store {
            members.last()
        } else {
            members.first()
        };
        let Some((anchor, behind)) = anchor.copied() else {
            continue;
        };
        let access = |at: usize| old.get(at)?.op.plain_access();
        let Some(PlainAccess { site, address, .. }) = access(anchor) else {
            continue;
        };
        let new = wide_site(kernel, sites, site, wide_access.bytes);
        let address = Address {
            offset: address.offset.wrapping_sub(behind.cast_signed()),
            ..*address
        };
        for (at, _) in &members {
            if let Some(PlainAccess { site, .. }) = access(*at) {
                let bytes = u32::try_from(wide_access.bytes).unwrap_or(16);
                note(remarks, site, RemarkKind::Vectorized { into: new, bytes });
            }
        }
        let made = if wide_access.is_store {
            store(
                kernel,
                &old,
                &members,
                (new, address),
                anchor,
                wide_access.bytes,
            )
        } else {
            load(
                kernel,
                &old,
                &members,
                (new, address),
                anchor,
                wide_access.bytes,
            )
        };
        changes.extend(
            made.into_iter()
                .map(|(at, list)| (at, Change::Replace(list))),
        );
    }
    let mut out = Vec::with_capacity(old.len());
    for (at, instruction) in old.into_iter().enumerate() {
        match changes.remove(&at) {
            Some(Change::Replace(list)) => out.extend(list),
            None => out.push(instruction),
        }
    }
    if let Some(body) = kernel.blocks.get_mut(block.index()) {
        body.instructions = out;
    }
}

/// The site of the wide access that begins with another's.
fn wide_site(
    kernel: &mut Kernel,
    sites: &mut BTreeMap<(SiteId, u64), SiteId>,
    site: SiteId,
    bytes: u64,
) -> SiteId {
    *sites.entry((site, bytes)).or_insert_with(|| {
        let new = SiteId(u32::try_from(kernel.sites.len()).unwrap_or(u32::MAX));
        if let Some(mut access) = kernel.sites.get(site.index()).cloned() {
            access.width = Width::from_bytes(bytes).unwrap_or(access.width);
            kernel.sites.push(access);
        }
        new
    })
}

type Made = Vec<(usize, Vec<Instruction>)>;

/// The type of an access's elements, the bytes of one, and a new register for each element in so many bytes.
fn elements(kernel: &mut Kernel, site: SiteId, bytes: u64) -> (ScalarType, u64, Vec<Register>) {
    let element = kernel
        .sites
        .get(site.index())
        .map_or(ScalarType::U32, |site| site.element);
    let size = u64::from(element.bytes()).max(1);
    let parts = (0..bytes / size).map(|_| fresh(kernel, element.bits()));
    (element, size, parts.collect())
}

fn load(
    kernel: &mut Kernel,
    old: &[Instruction],
    members: &[(usize, u64)],
    (site, address): (SiteId, Address),
    anchor: usize,
    bytes: u64,
) -> Made {
    let (element, size, parts) = elements(kernel, site, bytes);
    let mut is_wanted = vec![false; parts.len()];
    let mut made = Vec::new();
    for (at, behind) in members {
        let Some(Instruction {
            op: Op::Load { dst, site: own, .. },
            place,
            ..
        }) = old.get(*at)
        else {
            continue;
        };
        let first = usize::try_from(behind / size).unwrap_or(0);
        let from = kernel
            .sites
            .get(own.index())
            .map_or(element, |site| site.element);
        let mut list = Vec::new();
        for (dst, part) in dst.iter().zip(first..) {
            let (Some(dst), Some(value)) = (dst, parts.get(part)) else {
                continue;
            };
            if let Some(flag) = is_wanted.get_mut(part) {
                *flag = true;
            }
            let op = widened(from, bits(kernel, *dst), *dst, (*value).into());
            list.push(unguarded(op, *place));
        }
        made.push((*at, list));
    }
    let dst = parts
        .iter()
        .zip(&is_wanted)
        .map(|(part, wanted)| wanted.then_some(*part))
        .collect();
    let op = Op::Load { dst, address, site };
    if let (Some(first), Some(guarded)) = (
        made.iter_mut().find(|(at, _)| *at == anchor),
        old.get(anchor),
    ) {
        first.1.insert(0, unguarded(op, guarded.place));
    }
    made
}

fn store(
    kernel: &mut Kernel,
    old: &[Instruction],
    members: &[(usize, u64)],
    (site, address): (SiteId, Address),
    anchor: usize,
    bytes: u64,
) -> Made {
    let (element, size, parts) = elements(kernel, site, bytes);
    let mut made: Made = Vec::new();
    for (at, behind) in members {
        let Some(Instruction {
            op: Op::Store { src, .. },
            place,
            ..
        }) = old.get(*at)
        else {
            continue;
        };
        let first = usize::try_from(behind / size).unwrap_or(0);
        let mut list = Vec::new();
        for (operand, part) in src.iter().zip(first..) {
            let Some(value) = parts.get(part) else {
                continue;
            };
            list.push(unguarded(
                narrowed(kernel, *operand, element, *value),
                *place,
            ));
        }
        made.push((*at, list));
    }
    let src = parts.iter().map(|part| Operand::Register(*part)).collect();
    let op = Op::Store { src, address, site };
    if let (Some(last), Some(guarded)) = (
        made.iter_mut().find(|(at, _)| *at == anchor),
        old.get(anchor),
    ) {
        last.1.push(unguarded(op, guarded.place));
    }
    made
}

/// `dst = a`, an element of memory extended as a load does.
pub(crate) fn widened(from: ScalarType, to_bits: u32, dst: Register, a: Operand) -> Op {
    if from.bits() == to_bits {
        return Op::Unary {
            op: UnaryOp::Move,
            ty: from,
            dst,
            a,
        };
    }
    Op::Convert {
        from,
        to: unsigned(to_bits),
        rounding: lanescope_ir::Rounding::TowardsZero,
        saturate: false,
        dst,
        a,
    }
}

/// `dst = operand`, truncated as a store does.
pub(crate) fn narrowed(kernel: &Kernel, operand: Operand, to: ScalarType, dst: Register) -> Op {
    match operand {
        Operand::Constant(constant) => Op::Unary {
            op: UnaryOp::Move,
            ty: to,
            dst,
            a: Operand::Constant(constant & to.mask()),
        },
        Operand::Register(register) if bits(kernel, register) == to.bits() => Op::Unary {
            op: UnaryOp::Move,
            ty: to,
            dst,
            a: operand,
        },
        Operand::Register(register) => Op::Convert {
            from: unsigned(bits(kernel, register)),
            to,
            rounding: lanescope_ir::Rounding::TowardsZero,
            saturate: false,
            dst,
            a: operand,
        },
    }
}

/// The unsigned type of so many bits.
const fn unsigned(bits: u32) -> ScalarType {
    match bits {
        8 => ScalarType::U8,
        16 => ScalarType::U16,
        64 => ScalarType::U64,
        _ => ScalarType::U32,
    }
}
