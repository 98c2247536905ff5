//! `v = a[i]; if (test) v = b[i];` as an `if` with two sides (LLVM's InstCombine, `foldPHIArgLoadIntoPHI`).
//!
//! Both loads are then one, of the address that the test chooses. So it is only where nothing else uses either value,
//! and nothing behind the first load writes memory. Read off PTX of eleven small kernels made for it (nvcc 13, `sm_90`).

use super::Diamond;
use crate::facts::Facts;
use lanescope_ir::{
    AddressSpace, Block, BlockId, Instruction, Kernel, Op, Operand, Register, Terminator, UnaryOp,
};

/// Loads of one side that are moved, at most.
const LOADS: usize = 16;

/// The kernel with a second side of the branch that ends `from`, which holds the loads that the first side's replace.
pub(super) fn completed(
    kernel: &Kernel,
    facts: &Facts,
    from: BlockId,
) -> Option<(Kernel, Diamond, usize)> {
    let block = kernel.blocks.get(from.index())?;
    let Terminator::Branch {
        predicate,
        taken,
        otherwise,
        ..
    } = block.terminator
    else {
        return None;
    };
    let leads_to = |side: BlockId, join: BlockId| {
        let block = kernel.blocks.get(side.index());
        facts.flow.predecessors(side) == [from]
            && block.is_some_and(|block| block.terminator == Terminator::Jump(join))
    };
    let (side, join) = if leads_to(taken, otherwise) {
        (taken, otherwise)
    } else if leads_to(otherwise, taken) {
        (otherwise, taken)
    } else {
        return None;
    };
    let replaced = replaced(kernel, from, side, predicate)?;
    let mut new = kernel.clone();
    let moved: Vec<Instruction> = replaced
        .iter()
        .flatten()
        .filter_map(|at| block.instructions.get(*at).cloned())
        .collect();
    let place = block.place;
    let mut at = 0..block.instructions.len();
    new.blocks.get_mut(from.index())?.instructions.retain(|_| {
        at.next()
            .is_none_or(|at| !replaced.iter().flatten().any(|one| *one == at))
    });
    let other = BlockId(u32::try_from(kernel.blocks.len()).ok()?);
    if let Terminator::Branch {
        taken, otherwise, ..
    } = &mut new.blocks.get_mut(from.index())?.terminator
    {
        let empty = if side == *taken { otherwise } else { taken };
        *empty = other;
    }
    new.blocks.push(Block {
        instructions: moved,
        terminator: Terminator::Jump(join),
        place,
    });
    let diamond = Diamond {
        from,
        taken: if side == taken { side } else { other },
        otherwise: if side == taken { other } else { side },
        join,
        is_simple: true,
    };
    Some((new, diamond, replaced.len()))
}

/// For each of the loads that end a side, in order, where the load that it replaces stands before the branch, with the
/// move of its value.
fn replaced(
    kernel: &Kernel,
    from: BlockId,
    side: BlockId,
    predicate: Operand,
) -> Option<Vec<Vec<usize>>> {
    let before = &kernel.blocks.get(from.index())?.instructions;
    let inside = &kernel.blocks.get(side.index())?.instructions;
    let mut found = Vec::new();
    for at in (0..inside.len()).rev() {
        let instruction = inside.get(at)?;
        if is_move(instruction) {
            continue;
        }
        let Some((variable, _)) = loaded(kernel, inside, at) else {
            // Arithmetic on addresses may stand between loads.
            if instruction.op.is_pure() && found.len() < LOADS {
                continue;
            }
            break;
        };
        let reads = |list: &[Instruction]| {
            let mut all = list.iter().flat_map(Instruction::registers_read);
            all.any(|one| one == variable)
        };
        let Some(own) = last_load(kernel, before, variable) else {
            break;
        };
        let behind = own.last().and_then(|last| before.get(last + 1..))?;
        if predicate == variable.into() || reads(inside) || reads(behind) {
            break;
        }
        found.push(own);
    }
    found.reverse();
    (!found.is_empty()).then_some(found)
}

fn is_move(instruction: &Instruction) -> bool {
    matches!(
        instruction.op,
        Op::Unary {
            op: UnaryOp::Move,
            a: Operand::Register(_),
            ..
        }
    ) && instruction.guard.is_none()
}

/// The variable that the load at `at` gives its value to and to nothing else, and where it is moved there.
fn loaded(kernel: &Kernel, list: &[Instruction], at: usize) -> Option<(Register, Vec<usize>)> {
    let instruction = list.get(at)?;
    let Op::Load { dst, site, .. } = &instruction.op else {
        return None;
    };
    let site = kernel.sites.get(site.index())?;
    let [Some(value)] = dst.as_slice() else {
        return None;
    };
    if instruction.guard.is_some() || site.is_volatile || site.space == AddressSpace::Local {
        return None;
    }
    let moved = list
        .iter()
        .enumerate()
        .skip(at + 1)
        .find_map(|(at, instruction)| {
            let Op::Unary { dst, a, .. } = instruction.op else {
                return None;
            };
            (is_move(instruction) && a == Operand::from(*value)).then_some((dst, at))
        });
    match moved {
        Some((variable, to)) if uses(kernel, *value) == (1, 1) => Some((variable, vec![at, to])),
        Some(_) => None,
        None => Some((*value, vec![at])),
    }
}

/// How often a register is written and read.
fn uses(kernel: &Kernel, register: Register) -> (usize, usize) {
    let all = || kernel.blocks.iter().flat_map(|block| &block.instructions);
    let defs = all()
        .filter(|instruction| instruction.writes(register))
        .count();
    let reads = all()
        .flat_map(Instruction::registers_read)
        .filter(|one| *one == register)
        .count();
    let decided = kernel.blocks.iter().filter(|block| {
        matches!(block.terminator, Terminator::Branch { predicate, .. } if predicate == register.into())
    });
    (defs, reads + decided.count())
}

/// The load that last gives `variable` its value, with its move, where it may go behind all that follows.
fn last_load(kernel: &Kernel, list: &[Instruction], variable: Register) -> Option<Vec<usize>> {
    let last = list
        .iter()
        .rposition(|instruction| instruction.writes(variable))?;
    let (at, own) = (0..=last).rev().find_map(|at| {
        let (to, own) = loaded(kernel, list, at)?;
        (to == variable && own.last() == Some(&last)).then_some((at, own))
    })?;
    let needed = list.get(at)?.registers_read();
    let mut behind = list.iter().skip(at + 1);
    let stays = |instruction: &Instruction| {
        !matches!(instruction.op, Op::Store { .. })
            && !instruction.op.is_fence()
            && !instruction.op.defs().iter().any(|def| needed.contains(def))
    };
    behind.all(stays).then_some(own)
}
