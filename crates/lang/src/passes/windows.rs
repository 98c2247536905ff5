//! Which requests may be done together with others, or not at all, so that they wait until that is
//! known; and which of them a loop moves.

use super::chains::Chains;
use crate::code::{Inst, Reg};
use crate::program::Program;
use lanescope_model::{Operation, Space};

/// What stands between two walls, past which no access moves.
#[derive(Default)]
struct Stretch {
    /// The instructions of its loads and stores of shared memory, and of stores to global memory
    /// and whatever of it is aligned.
    loads: Vec<usize>,
    stores: Vec<usize>,
    global: Vec<usize>,
    /// Whether a loop comes back to it.
    turns: bool,
}

/// Marks the sites.
pub(super) fn mark(program: &mut Program) {
    mark_waiting(program);
    let readers = Chains::readers(&program.code.insts, program.code.registers);
    mark_moving(program, &readers);
}

fn mark_waiting(program: &mut Program) {
    let mut stretch = Stretch::default();
    let mut found = Vec::new();
    for (at, inst) in program.code.insts.iter().enumerate() {
        match *inst {
            Inst::Barrier { .. } | Inst::Fence | Inst::Enter { .. } | Inst::Leave { .. } => {
                std::mem::take(&mut stretch).close(&mut found);
            }
            Inst::Turn { .. } | Inst::Loop { .. } => stretch.turns = true,
            Inst::Request { site: id, .. } => {
                let (Some(site), Some(habit)) = (
                    program.sites.get(id.0 as usize),
                    program.habits.get(id.0 as usize),
                ) else {
                    continue;
                };
                match (site.space, site.operation) {
                    _ if site.volatile => {}
                    (Space::Shared, Operation::Load) => stretch.loads.push(at),
                    (Space::Shared, Operation::Store) => stretch.stores.push(at),
                    (_, Operation::Store) => stretch.global.push(at),
                    (_, Operation::Load) if habit.aligned.to > 0 => stretch.global.push(at),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    stretch.close(&mut found);
    for at in found {
        if let Inst::Request { site, .. } = program.code.insts[at]
            && let Some(habit) = program.habits.get_mut(site.0 as usize)
        {
            habit.waits = true;
        }
    }
}

impl Stretch {
    /// Adds what waits to `found`.
    fn close(self, found: &mut Vec<usize>) {
        for list in [self.loads, self.stores, self.global] {
            if self.turns || list.len() > 1 {
                found.extend(list);
            }
        }
    }
}

/// Follows what loops change to the addresses that hang on it.
fn mark_moving(program: &mut Program, readers: &Chains) {
    let insts = &program.code.insts;
    let mut moves = vec![false; usize::from(program.code.registers)];
    let mut found: Vec<Reg> = insts
        .iter()
        .filter(|inst| matches!(inst, Inst::Refresh { .. }))
        .filter_map(Inst::target)
        .collect();
    while let Some(reg) = found.pop() {
        if std::mem::replace(&mut moves[usize::from(reg)], true) {
            continue;
        }
        let follow = readers.of(reg).map(|at| &insts[at]);
        let follow = follow.filter(|inst| !matches!(inst, Inst::Read { .. }));
        found.extend(follow.filter_map(Inst::target));
    }
    for inst in &program.code.insts {
        if let Inst::Request { site, address, .. } = *inst
            && let Some(habit) = program.habits.get_mut(site.0 as usize)
        {
            habit.moves |= moves[usize::from(address)];
        }
    }
}
