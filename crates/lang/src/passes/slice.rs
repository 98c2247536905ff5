//! Leaves out what no address and no branch needs.

use crate::ArrayId;
use crate::code::{Cell, Inst, Reg};
use crate::program::Program;
use std::collections::BTreeSet;

/// What memory must be followed.
#[derive(Default)]
struct Memories {
    arrays: BTreeSet<u32>,
    local: BTreeSet<Option<ArrayId>>,
    any: bool,
}

impl Memories {
    fn needs(&self, cell: &Cell) -> bool {
        match cell.array {
            None if cell.local => !self.local.is_empty(),
            Some(_) if cell.local => self.local.contains(&cell.array) || self.local.contains(&None),
            Some(id) => self.any || self.arrays.contains(&id.0),
            None => self.any || !self.arrays.is_empty(),
        }
    }

    /// From now on what a cell holds counts; whether that is new.
    fn need(&mut self, cell: &Cell) -> bool {
        match cell.array {
            _ if cell.local => self.local.insert(cell.array),
            Some(id) => self.arrays.insert(id.0),
            None => !std::mem::replace(&mut self.any, true),
        }
    }
}

/// Leaves out computations, reads and writes, and branches without effect.
pub(super) fn drop_needless(program: &mut Program) {
    let insts = &mut program.code.insts;
    let regions = regions(insts);
    let mut needed = vec![false; usize::from(program.code.registers)];
    let mut memories = Memories::default();
    let mut acting = vec![false; insts.len()];
    while pass(insts, &regions, &mut needed, &mut memories, &mut acting) {}
    for (at, inst) in insts.iter_mut().enumerate() {
        if !stays(inst, at, &needed, &memories, &acting, &regions) {
            *inst = Inst::Nothing;
        }
    }
}

/// For each instruction the innermost `if` around it (of an `else` or end: its own).
fn regions(insts: &[Inst]) -> Vec<Option<usize>> {
    let mut open: Vec<Option<usize>> = Vec::new();
    let innermost = |open: &[Option<usize>]| open.iter().rev().copied().flatten().next();
    insts
        .iter()
        .enumerate()
        .map(|(at, inst)| match inst {
            Inst::If { .. } => {
                let around = innermost(&open);
                open.push(Some(at));
                around
            }
            Inst::Scope => {
                let around = innermost(&open);
                open.push(None);
                around
            }
            Inst::Else { .. } => open.last().copied().flatten(),
            Inst::EndIf => open.pop().flatten(),
            Inst::EndScope => {
                open.pop();
                innermost(&open)
            }
            _ => innermost(&open),
        })
        .collect()
}

/// One sweep; whether it found something new.
fn pass(
    insts: &[Inst],
    regions: &[Option<usize>],
    needed: &mut [bool],
    memories: &mut Memories,
    acting: &mut [bool],
) -> bool {
    let mut changed = false;
    for (at, inst) in insts.iter().enumerate().rev() {
        let wanted = inst.target().is_some_and(|dst| needed[usize::from(dst)]);
        let acts = match inst {
            Inst::Request { .. }
            | Inst::Gather { .. }
            | Inst::Issue { .. }
            | Inst::Check { .. }
            | Inst::Break { .. }
            | Inst::Return
            | Inst::Barrier { .. }
            | Inst::Fence
            | Inst::Test { .. }
            | Inst::Loop { .. } => true,
            Inst::Move { .. } | Inst::Exchange { .. } => wanted,
            Inst::Write { cell, .. } => memories.needs(cell),
            Inst::Atomic { cell, .. } => wanted || memories.needs(cell),
            Inst::Read { .. } => wanted,
            Inst::If { .. } => acting[at],
            _ => false,
        };
        if acts
            && let Some(around) = regions[at]
            && !acting[around]
        {
            acting[around] = true;
            changed = true;
        }
        if acts && let Inst::Read { cell, .. } | Inst::Atomic { cell, .. } = inst {
            changed |= memories.need(cell);
        }
        if acts || wanted {
            changed |= need_sources(inst, needed);
        }
    }
    changed
}

fn need_sources(inst: &Inst, needed: &mut [bool]) -> bool {
    let mut changed = false;
    for reg in inst.sources() {
        changed |= !std::mem::replace(&mut needed[usize::from(reg as Reg)], true);
    }
    changed
}

fn stays(
    inst: &Inst,
    at: usize,
    needed: &[bool],
    memories: &Memories,
    acting: &[bool],
    regions: &[Option<usize>],
) -> bool {
    match inst {
        Inst::Use { .. } => false,
        Inst::If { .. } => acting[at],
        Inst::Else { .. } | Inst::EndIf => regions[at].is_none_or(|start| acting[start]),
        Inst::Write { cell, .. } => memories.needs(cell),
        Inst::Atomic { dst, cell, .. } => needed[usize::from(*dst)] || memories.needs(cell),
        _ => inst.target().is_none_or(|dst| needed[usize::from(dst)]),
    }
}
