//! Load narrowing: of a vector of which some words go nowhere, only the others are loaded.
//!
//! Read off SASS of all 30 choices of words of a `float4` in shared and in global memory and of both of a `float2` (nvcc 13,
//! `sm_90`; ptxas does it): three words of four stay one load of all, the two of one half are one load of 8 bytes, and all
//! others are loads of one word each.
//!
//! What is loaded is at the same addresses as before, and nothing reads what is not.

use std::collections::BTreeMap;

use lanescope_ir::{Address, Instruction, Kernel, Op, Register, SiteId};
use lanescope_model::Width;

use crate::facts::size;
use crate::work::Work;

/// Bytes of a word.
const WORD: u64 = 4;

/// Narrows the loads of vectors.
pub(crate) fn run(kernel: &mut Kernel, work: &mut Work) {
    if !work.spend(size(kernel)) {
        return;
    }
    let mut sites = BTreeMap::new();
    for at in 0..kernel.blocks.len() {
        let Some(block) = kernel.blocks.get_mut(at) else {
            return;
        };
        let old = std::mem::take(&mut block.instructions);
        let mut list = Vec::with_capacity(old.len());
        for instruction in old {
            match narrowed(kernel, &instruction) {
                Some(pieces) => {
                    for piece in pieces {
                        list.push(load(kernel, &instruction, piece, &mut sites));
                    }
                }
                None => list.push(instruction),
            }
        }
        if let Some(block) = kernel.blocks.get_mut(at) {
            block.instructions = list;
        }
    }
}

/// A part of a vector: its bytes and what is loaded of them.
#[derive(Clone, Debug)]
struct Piece {
    from: u64,
    bytes: u64,
    dst: Vec<Option<Register>>,
    address: Address,
    site: SiteId,
}

/// The pieces in which a load is done; `None` where it stays.
fn narrowed(kernel: &Kernel, instruction: &Instruction) -> Option<Vec<Piece>> {
    let Op::Load { dst, address, site } = &instruction.op else {
        return None;
    };
    let access = kernel.sites.get(site.index())?;
    let (all, element) = (access.width.bytes(), u64::from(access.element.bytes()));
    let is_vector = all > WORD && dst.len() as u64 * element == all;
    if !is_vector || access.is_volatile || dst.iter().all(Option::is_some) {
        return None;
    }
    let of_bytes = |from: u64, bytes: u64| {
        let elements = (0..).map(|at| at * element).zip(dst);
        let inside = elements.filter(move |(at, _)| (from..from + bytes).contains(at));
        inside.map(|(_, register)| *register)
    };
    // An element of 8 bytes is two words.
    let unit = element.max(WORD);
    let is_used = |from: u64, bytes: u64| of_bytes(from, bytes).any(|one| one.is_some());
    let units: Vec<u64> = (0..all / unit)
        .map(|at| at * unit)
        .filter(|from| is_used(*from, unit))
        .collect();
    let half = all / 2;
    let pieces: Vec<(u64, u64)> = match units.as_slice() {
        [first, second] if half > unit && first / half == second / half => {
            vec![(first / half * half, half)]
        }
        [] => return None,
        few if few.len() < 3 && few.len() as u64 * unit < all => {
            few.iter().map(|from| (*from, unit)).collect()
        }
        _ => return None,
    };
    let piece = |(from, bytes): (u64, u64)| Piece {
        from,
        bytes,
        dst: of_bytes(from, bytes).collect(),
        address: *address,
        site: *site,
    };
    Some(pieces.into_iter().map(piece).collect())
}

fn load(
    kernel: &mut Kernel,
    instruction: &Instruction,
    piece: Piece,
    sites: &mut BTreeMap<(SiteId, u64), SiteId>,
) -> Instruction {
    let site = *sites.entry((piece.site, piece.bytes)).or_insert_with(|| {
        let new = SiteId(u32::try_from(kernel.sites.len()).unwrap_or(u32::MAX));
        if let Some(mut site) = kernel.sites.get(piece.site.index()).cloned() {
            site.width = Width::from_bytes(piece.bytes).unwrap_or(site.width);
            kernel.sites.push(site);
        }
        new
    });
    let offset = piece.address.offset.wrapping_add(piece.from.cast_signed());
    Instruction {
        op: Op::Load {
            dst: piece.dst,
            address: Address {
                offset,
                ..piece.address
            },
            site,
        },
        ..instruction.clone()
    }
}
