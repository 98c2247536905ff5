//! Load and store vectorization: neighbouring accesses of one block become one of 64 or 128 bits.
//!
//! Read off what nvcc of CUDA 13 makes for an H200:
//!
//! - Of 16 aligned bytes of shared memory, three words that are loaded are one load of all four, even if the fourth
//!   goes nowhere; two of one half are one load of 8 bytes. A store to shared memory between parts them.
//! - Stores are joined where their bytes make just 8 or 16 aligned ones, and no other access of shared memory stands
//!   between, nor a store to another 16 bytes.
//! - Alignment is what follows from the address's sum: arrays lie where they are declared, and a product by 4 has two
//!   zero bits. Global memory is joined only where the type says how it is aligned.
//! - In dynamic shared memory accesses to places that are apart part nothing.
//!
//! Joined accesses are neighbours in one block with nothing between them that may write (or, of stores, read) their bytes, and
//! their address is a proven multiple of the joined width: the bytes that each lane reads or writes are the same.
//!
//! NB: members of a structure with `__align__(16)` may be joined in other groups than here, and halves that are packed.

mod doubled;
mod joining;
mod rewrite;
mod window;

use std::collections::BTreeMap;

use lanescope_ir::analysis::{Uniformity, Values};
use lanescope_ir::{
    AddressSpace, BinaryOp, BlockId, Instruction, Kernel, Op, Operand, PlainAccess, ScalarType,
    SiteId,
};

use crate::facts::{Facts, Location};
use crate::library::LibraryBranches;
use crate::profile::Profile;
use crate::remark::Remark;
use crate::runtime_unrolling::piece;
use crate::work::{CHEAP, Work};

use doubled::Doubled;
use joining::join;
use rewrite::rewrite;
use window::{CANDIDATES, Candidate, Window};

pub(crate) use rewrite::{narrowed, widened};

/// Joins neighbouring accesses.
pub(crate) fn run(
    kernel: &mut Kernel,
    profile: &Profile,
    work: &mut Work,
    remarks: &mut Vec<Remark>,
) {
    let Some(facts) = Facts::of(kernel, work) else {
        return;
    };
    let thresholds = profile.thresholds;
    let widest = u64::from(thresholds.widest_access.value);
    let doubled = Doubled::of(kernel, &facts, profile.preferences);
    let uniformity = Uniformity::of_data(kernel, &facts.flow);
    let mut sites: BTreeMap<(SiteId, u64), SiteId> = BTreeMap::new();
    for block in facts.flow.reverse_postorder() {
        if !work.spend(comparisons(kernel, *block)) {
            return;
        }
        let mut found = candidates(kernel, &facts, &uniformity, *block);
        for site in found.iter_mut().flatten() {
            if site.element.bytes() < thresholds.narrowest_element.value {
                site.alignment = 0;
            } else if doubled.holds(&facts, *block, site.at, &site.location) {
                (site.alignment, site.behind) = aligned_by_type(kernel, site.site);
            }
        }
        let mut wide = Vec::new();
        for list in &found {
            join(list, widest, &mut wide);
        }
        if !wide.is_empty() {
            rewrite(kernel, *block, &wide, &mut sites, remarks);
        }
    }
}

/// Work that comparing the accesses of a block takes, at most.
fn comparisons(kernel: &Kernel, block: BlockId) -> usize {
    let instructions = kernel.blocks.get(block.index());
    let instructions = instructions
        .into_iter()
        .flat_map(|block| &block.instructions);
    let accesses = instructions
        .filter(|instruction| instruction.op.plain_access().is_some())
        .count();
    accesses * accesses.min(CANDIDATES) / CHEAP
}

/// The candidates of a block, parted at barriers and whatever else nothing moves past.
fn candidates(
    kernel: &Kernel,
    facts: &Facts,
    uniformity: &Uniformity,
    block: BlockId,
) -> Vec<Vec<Candidate>> {
    let mut found = Vec::new();
    let scope = facts.loops.innermost(block).map_or(0, |index| index + 1);
    let header = facts.loops.innermost(block);
    let header = header.and_then(|index| facts.loops.get(index));
    let around = Around {
        iterations: header.map_or(1, |natural_loop| piece(kernel, natural_loop.header)),
        scope: u32::try_from(scope).unwrap_or(0),
        uniformity,
    };
    let mut window = Window::default();
    facts.numbers.walk(
        kernel,
        block,
        &facts.loops,
        |at, instruction, values| match candidate(kernel, around, at, instruction, values) {
            Some((candidate, strict)) => window.push(candidate, strict),
            None if instruction.op.is_fence() => {
                found.push(std::mem::take(&mut window).list);
            }
            None if is_call(&instruction.op) => window.calls += 1,
            None => window.branches.pass(LibraryBranches::of(&instruction.op)),
        },
    );
    found.push(window.list);
    found
}

/// Whether an instruction becomes a branch around a call: a quotient by the IEEE's rules, whose slow path is a subroutine
/// (`cell_list_neighbours`). Inverses are not told from those of roots, which need none (`loads_sunk_d4`).
fn is_call(op: &Op) -> bool {
    let Op::Binary {
        op: BinaryOp::Divide,
        ty,
        a,
        ..
    } = op
    else {
        return false;
    };
    ty.is_float() && *a != Operand::Constant(lanescope_ir::eval::from_f64(*ty, 1.0))
}

/// The loop around a block, and which registers all lanes share.
#[derive(Clone, Copy)]
struct Around<'a> {
    scope: u32,
    iterations: usize,
    uniformity: &'a Uniformity,
}

fn candidate(
    kernel: &Kernel,
    around: Around<'_>,
    at: usize,
    instruction: &Instruction,
    values: &Values<'_>,
) -> Option<(Candidate, bool)> {
    let PlainAccess {
        address,
        site,
        is_store,
    } = instruction.op.plain_access()?;
    let access = kernel.sites.get(site.index())?;
    let location = Location::of(kernel, site, address, values)?;
    let array = access.array.and_then(|id| kernel.arrays.get(id.index()));
    let is_shared = location.space == AddressSpace::Shared;
    let is_dynamic = is_shared && array.is_none_or(|array| array.bytes.is_none());
    let is_aligned = access.alignment.0 > 1;
    let is_plain = instruction.guard.is_none()
        && !access.is_volatile
        && access.element != ScalarType::Bool
        && location.bytes < 16;
    let (to, behind) = if !is_plain {
        (0, 0)
    } else if is_shared {
        let mut to = location.address.alignment();
        if location.bytes < 4 && !is_dynamic {
            let declared = array.map_or(0, |array| array.alignment.min(16));
            let alone = if location.bytes == 2 { 8 } else { 0 };
            to = to.min(declared.max(alone));
        }
        (to, location.address.number & to.max(1).wrapping_sub(1))
    } else if location.space == AddressSpace::Global {
        aligned_by_type(kernel, site)
    } else {
        (0, 0)
    };
    let moves = around.scope != 0
        && location.address.scope == around.scope
        && !around.uniformity.is_uniform_operand(address.base);
    let candidate = Candidate {
        at,
        is_store,
        location,
        element: access.element,
        alignment: to,
        behind,
        is_aligned,
        run: 0,
        calls: 0,
        branches: 0,
        moves,
        iterations: around.iterations,
        site,
    };
    Some((candidate, is_shared && !is_aligned && !is_dynamic))
}

/// What the type of an access says of its address: a power of two, at most 16, and how far behind a multiple of it lies;
/// zeros where it says nothing.
fn aligned_by_type(kernel: &Kernel, site: SiteId) -> (u64, u64) {
    let alignment = kernel.sites.get(site.index()).map(|site| site.alignment);
    match alignment {
        Some((to, behind)) if to > 1 => {
            let to = u64::from(to.min(16));
            (to, u64::from(behind) % to)
        }
        _ => (0, 0),
    }
}
