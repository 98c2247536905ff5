//! Places for registers that pass: those that never hold a value at once share one.

use crate::code::{Code, Inst, Reg};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

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
        let next = barriers.partition_point(|barrier| *barrier < life.first);
        if barriers
            .get(next)
            .is_some_and(|barrier| *barrier < life.last)
        {
            code.passing[at] = false;
        } else {
            by_start.push((life.first, reg));
        }
    }
    by_start.sort_unstable();
    let mut free: BinaryHeap<Reverse<usize>> = BinaryHeap::new();
    let mut taken: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
    let mut places = 0;
    for (first, reg) in by_start {
        while let Some(Reverse((last, slot))) = taken.peek().copied()
            && last < first
        {
            taken.pop();
            free.push(Reverse(slot));
        }
        let slot = free.pop().map_or(places, |Reverse(slot)| slot);
        places = places.max(slot + 1);
        let last = lives[usize::from(reg)].map_or(first, |life| life.last);
        taken.push(Reverse((last, slot)));
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
    let loops = Loops::of(code);
    for life in lives.iter_mut().flatten() {
        let mut around = loops.around[life.last];
        while let Some(at) = around
            && life.first < loops.list[at].head
        {
            life.last = loops.list[at].end;
            around = loops.list[at].outer;
        }
    }
}

/// A loop: the first of its instructions, and the one that goes back there.
struct Turns {
    head: usize,
    end: usize,
    /// The loop around it.
    outer: Option<usize>,
}

/// All loops, and the innermost around each instruction.
struct Loops {
    list: Vec<Turns>,
    around: Vec<Option<usize>>,
}

impl Loops {
    /// Goes from the end to the beginning, as a loop is known by its end.
    fn of(code: &Code) -> Self {
        let mut list: Vec<Turns> = Vec::new();
        let mut around = vec![None; code.insts.len()];
        let mut open: Option<usize> = None;
        for (at, inst) in code.insts.iter().enumerate().rev() {
            while let Some(innermost) = open
                && at < list[innermost].head
            {
                open = list[innermost].outer;
            }
            around[at] = open;
            if let Inst::Loop { head } = inst {
                let (head, outer) = (*head as usize, open);
                open = Some(list.len());
                list.push(Turns {
                    head,
                    end: at,
                    outer,
                });
            }
        }
        Self { list, around }
    }
}
