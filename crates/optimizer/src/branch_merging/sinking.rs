//! Whether an access that ends both sides of an `if` is one behind it (LLVM 7's SimplifyCFG, `SinkCommonCode`).
//!
//! Read off PTX and SASS of 90 small kernels made for it (nvcc 13, `sm_90`):
//! - one way around both sides, such as a guard's, keeps stores apart: the block where all ways meet is then not
//!   the sides' own;
//! - an index that a side's load and its global store share keeps them apart, since it has two uses and does not move;
//!   not so where the store's address is known before the branch, in a loop, or behind an outer branch;
//! - zero, which needs no register, is not joined with another value, unless the address is known before, or the `if`
//!   stands in a loop: there only global stores with an access or a barrier behind them stay apart (96 loops compiled).

use super::{Diamond, Pair, access, alike};
use crate::facts::{Facts, Location};
use lanescope_ir::{
    Address, AddressSpace, Block, BlockId, Kernel, Op, Operand, Register, SiteId, Terminator,
};
use std::collections::BTreeSet;

/// Blocks without instructions that are passed, at most.
const JUMPS: usize = 64;

/// Whether two accesses become one behind the `if`.
pub(super) fn may_sink(kernel: &Kernel, facts: &Facts, diamond: Diamond, pair: Pair) -> bool {
    let (Some((first, a, _)), Some((second, b, _))) = (
        access(kernel, diamond.taken, pair.taken),
        access(kernel, diamond.otherwise, pair.otherwise),
    ) else {
        return false;
    };
    if !alike(kernel, a, b) {
        return false;
    }
    let (Op::Store { src: first, .. }, Op::Store { src: second, .. }) = (first, second) else {
        return matches!((first, second), (Op::Load { .. }, Op::Load { .. }));
    };
    if first == second {
        return true;
    }
    if is_gone_around(kernel, facts, diamond) {
        return false;
    }
    let array = |site: SiteId| kernel.sites.get(site.index()).and_then(|site| site.array);
    let one_place =
        array(a) == array(b) && (array(a).is_some() || is_same_place(kernel, facts, diamond, pair));
    let in_loop = facts.loops.innermost(diamond.from).is_some();
    let is_behind_outer = !facts
        .post_dominators
        .post_dominates(landing(kernel, diamond.join), BlockId(0));
    if !one_place {
        return false;
    }
    if is_known_before(kernel, facts, diamond, pair) {
        return true;
    }
    let is_zero = |src: &[Operand]| src.iter().all(|value| *value == Operand::Constant(0));
    if in_loop {
        return is_zero(first) == is_zero(second)
            || is_shared(kernel, a)
            || !has_access(kernel, diamond.join);
    }
    let is_inner = !facts
        .post_dominators
        .post_dominates(diamond.from, BlockId(0));
    if is_zero(first) != is_zero(second) && !is_inner {
        return false;
    }
    is_shared(kernel, a)
        || is_behind_outer
        || !shares_index(kernel, diamond.taken, pair.taken)
            && !shares_index(kernel, diamond.otherwise, pair.otherwise)
}

/// Whether a block, or the first one behind it that does anything, touches memory or waits.
fn has_access(kernel: &Kernel, block: BlockId) -> bool {
    let block = kernel.blocks.get(landing(kernel, block).index());
    block.is_some_and(|block| {
        let mut ops = block.instructions.iter().map(|instruction| &instruction.op);
        ops.any(|op| matches!(op, Op::Load { .. } | Op::Store { .. }) || op.is_fence())
    })
}

/// Whether a site goes to shared memory.
pub(super) fn is_shared(kernel: &Kernel, site: SiteId) -> bool {
    let access = kernel.sites.get(site.index());
    let array = access.and_then(|access| kernel.arrays.get(access.array?.index()));
    let space = array
        .map(|array| array.space)
        .or(access.map(|access| access.space));
    space == Some(AddressSpace::Shared)
}

/// Whether another way leads to the join by a branch, as a guard around the `if` does.
fn is_gone_around(kernel: &Kernel, facts: &Facts, diamond: Diamond) -> bool {
    let branches_to = |block: &Block, is_there: &dyn Fn(BlockId) -> bool| match &block.terminator {
        Terminator::Branch {
            taken, otherwise, ..
        } => is_there(*taken) || is_there(*otherwise),
        Terminator::Switch { .. }
        | Terminator::Indirect { .. }
        | Terminator::Jump(_)
        | Terminator::Exit => false,
    };
    let is_bare_exit = |block: BlockId| {
        kernel.blocks.get(block.index()).is_some_and(|block| {
            block.instructions.is_empty() && matches!(block.terminator, Terminator::Exit)
        })
    };
    // All returns of a kernel are one block.
    let join = landing(kernel, diamond.join);
    let is_join = |block: BlockId| {
        let block = landing(kernel, block);
        block == join || is_bare_exit(join) && is_bare_exit(block)
    };
    let mut reachable = facts.flow.reverse_postorder().iter();
    reachable.any(|block| {
        let body = kernel.blocks.get(block.index());
        body.is_some_and(|body| branches_to(body, &is_join))
    })
}

/// Where a jump to this block ends: behind blocks that hold nothing but a jump.
fn landing(kernel: &Kernel, block: BlockId) -> BlockId {
    let mut at = block;
    for _ in 0..JUMPS {
        match kernel.blocks.get(at.index()) {
            Some(Block {
                instructions,
                terminator: Terminator::Jump(next),
                ..
            }) if instructions.is_empty() => at = *next,
            _ => break,
        }
    }
    at
}

/// Whether the store's address is computed before the branch, or something has gone to its place there.
fn is_known_before(kernel: &Kernel, facts: &Facts, diamond: Diamond, pair: Pair) -> bool {
    let is_made_here = |register: Register| {
        [diamond.taken, diamond.otherwise].iter().any(|side| {
            let block = kernel.blocks.get(side.index());
            block.is_some_and(|block| {
                let mut defs = block
                    .instructions
                    .iter()
                    .flat_map(|instruction| instruction.op.defs());
                defs.any(|def| def == register)
            })
        })
    };
    let (Some((_, _, first)), Some((_, _, second))) = (
        access(kernel, diamond.taken, pair.taken),
        access(kernel, diamond.otherwise, pair.otherwise),
    ) else {
        return false;
    };
    let parts = |address: lanescope_ir::Address| {
        let list = [Some(address.base), address.index];
        list.into_iter().flatten().filter_map(Operand::register)
    };
    if first == second && !parts(first).any(is_made_here) {
        return true;
    }
    let Some(wanted) = location(kernel, facts, diamond.taken, pair.taken) else {
        return false;
    };
    let is_loaded_first = |side: BlockId, end: usize| {
        touches(kernel, facts, side, &wanted, |at, op| {
            at < end && matches!(op, Op::Load { .. })
        })
    };
    if is_loaded_first(diamond.taken, pair.taken)
        && is_loaded_first(diamond.otherwise, pair.otherwise)
    {
        return true;
    }
    let mut block = Some(diamond.from);
    while let Some(above) = block {
        if touches(kernel, facts, above, &wanted, |_, _| true) {
            return true;
        }
        block = facts
            .dominators
            .immediate(above)
            .filter(|over| *over != above);
    }
    false
}

/// Whether an access in this block goes to that place, of those that `counts` tells by position and operation.
fn touches(
    kernel: &Kernel,
    facts: &Facts,
    block: BlockId,
    wanted: &Location,
    counts: impl Fn(usize, &Op) -> bool,
) -> bool {
    let mut found = false;
    facts
        .numbers
        .walk(kernel, block, &facts.loops, |at, instruction, values| {
            if let Op::Load { address, site, .. } | Op::Store { address, site, .. } =
                &instruction.op
                && counts(at, &instruction.op)
            {
                let here = Location::of(kernel, *site, address, values);
                found |= here.is_some_and(|here| here.is_same(wanted));
            }
        });
    found
}

/// Whether something that the block computes for this store's address serves another access's address too.
fn shares_index(kernel: &Kernel, block: BlockId, at: usize) -> bool {
    let Some(block) = kernel.blocks.get(block.index()) else {
        return false;
    };
    let own = address_inputs(block, at);
    // What depends on one of them, as far as the walk has come.
    let mut hanging = BTreeSet::new();
    for (place, instruction) in block.instructions.iter().enumerate() {
        if let Op::Load { address, .. } | Op::Store { address, .. } = &instruction.op
            && place != at
            && address_registers(address).any(|register| hanging.contains(&register))
        {
            return true;
        }
        let read = instruction.registers_read();
        let hangs = read.into_iter().any(|register| hanging.contains(&register));
        for def in instruction.op.defs() {
            if hangs || own.contains(&def) {
                hanging.insert(def);
            } else {
                hanging.remove(&def);
            }
        }
    }
    false
}

fn address_registers(address: &Address) -> impl Iterator<Item = Register> {
    let operands = [Some(address.base), address.index];
    operands.into_iter().flatten().filter_map(Operand::register)
}

/// Registers made in the block that the address of an access depends on.
fn address_inputs(block: &Block, at: usize) -> BTreeSet<Register> {
    let mut inputs = BTreeSet::new();
    let Some(Op::Load { address, .. } | Op::Store { address, .. }) = block
        .instructions
        .get(at)
        .map(|instruction| &instruction.op)
    else {
        return inputs;
    };
    let mut wanted: BTreeSet<Register> = address_registers(address).collect();
    for instruction in block.instructions.iter().take(at).rev() {
        let made: Vec<Register> = instruction
            .op
            .defs()
            .into_iter()
            .filter(|def| wanted.contains(def))
            .collect();
        if made.is_empty() {
            continue;
        }
        for register in &made {
            wanted.remove(register);
        }
        inputs.extend(made);
        wanted.extend(instruction.registers_read());
    }
    inputs
}

/// Whether two loads are one before the `if`.
pub(super) fn may_hoist(kernel: &Kernel, facts: &Facts, diamond: Diamond, pair: Pair) -> bool {
    let is_load = |block: BlockId, at: usize| {
        let found = access(kernel, block, at);
        found.and_then(|(op, site, _)| matches!(op, Op::Load { .. }).then_some(site))
    };
    match (
        is_load(diamond.taken, pair.taken),
        is_load(diamond.otherwise, pair.otherwise),
    ) {
        (Some(first), Some(second)) => {
            alike(kernel, first, second) && is_same_place(kernel, facts, diamond, pair)
        }
        _ => false,
    }
}

/// Whether both accesses go to the same bytes of the same array.
fn is_same_place(kernel: &Kernel, facts: &Facts, diamond: Diamond, pair: Pair) -> bool {
    match (
        location(kernel, facts, diamond.taken, pair.taken),
        location(kernel, facts, diamond.otherwise, pair.otherwise),
    ) {
        (Some(a), Some(b)) => a.is_same(&b) && a.array == b.array,
        _ => false,
    }
}

/// Where the access at a position of a block goes.
pub(super) fn location(
    kernel: &Kernel,
    facts: &Facts,
    block: BlockId,
    wanted: usize,
) -> Option<Location> {
    let mut found = None;
    facts
        .numbers
        .walk(kernel, block, &facts.loops, |at, instruction, values| {
            if at == wanted
                && let Op::Load { address, site, .. } | Op::Store { address, site, .. } =
                    &instruction.op
            {
                found = Location::of(kernel, *site, address, values);
            }
        });
    found
}
