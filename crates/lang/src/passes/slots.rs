//! Places for registers that pass: those that never hold a value at once share one.

use crate::code::{Code, Inst, Reg};

/// Where a register is first and last used.
#[derive(Clone, Copy)]
struct Life {
    first: usize,
    last: usize,
}

/// Gives each passing register a place; one that lives across a barrier passes no longer.
pub(crate) fn assign(code: &mut Code) {
    let lives = lives(code);
    let barriers: Vec<usize> = places(code, |inst| matches!(inst, Inst::Barrier { .. }));
    code.slots = vec![0; usize::from(code.registers)];
    let mut by_start: Vec<(usize, Reg)> = Vec::new();
    for reg in 0..code.registers {
        let at = usize::from(reg);
        let Some(life) = lives[at].filter(|_| code.passing[at]) else {
            continue;
        };
        if barriers
            .iter()
            .any(|barrier| (life.first..life.last).contains(barrier))
        {
            code.passing[at] = false;
        } else {
            by_start.push((life.first, reg));
        }
    }
    by_start.sort_unstable();
    let mut free_from: Vec<usize> = Vec::new();
    for (first, reg) in by_start {
        let last = lives[usize::from(reg)].map_or(first, |life| life.last);
        let slot = free_from
            .iter()
            .position(|end| *end < first)
            .unwrap_or_else(|| {
                free_from.push(0);
                free_from.len() - 1
            });
        free_from[slot] = last;
        code.slots[usize::from(reg)] = u16::try_from(slot).unwrap_or(u16::MAX);
    }
}

fn places(code: &Code, test: impl Fn(&Inst) -> bool) -> Vec<usize> {
    code.insts
        .iter()
        .enumerate()
        .filter(|(_, inst)| test(inst))
        .map(|(at, _)| at)
        .collect()
}

fn lives(code: &Code) -> Vec<Option<Life>> {
    let mut lives: Vec<Option<Life>> = vec![None; usize::from(code.registers)];
    for (at, inst) in code.insts.iter().enumerate() {
        for reg in inst.sources().chain(inst.target()) {
            let life = lives[usize::from(reg)].get_or_insert(Life {
                first: at,
                last: at,
            });
            life.last = at;
        }
    }
    stretch(code, &mut lives);
    lives
}

/// What a loop uses and was made before it lives to the loop's end.
fn stretch(code: &Code, lives: &mut [Option<Life>]) {
    let loops: Vec<(usize, usize)> = code
        .insts
        .iter()
        .enumerate()
        .filter_map(|(at, inst)| {
            if let Inst::Loop { head } = inst {
                Some((*head as usize, at))
            } else {
                None
            }
        })
        .collect();
    // Inner loops end first, so that one pass carries a life outward.
    for life in lives.iter_mut().flatten() {
        for (head, end) in &loops {
            if life.first < *head && life.last >= *head && life.last < *end {
                life.last = *end;
            }
        }
    }
}
