//! Loads whose values one branch alone needs are done in it.
//!
//! A compiler moves a load, and what is computed from it, behind the next `if` where only one of its
//! branches uses the value and nothing in between may change memory: `float v = s[t]; if (t < 16)
//! out[t] = v;` asks for `s[t]` in the lanes below 16 alone. It goes on from branch to branch within.
//! Read off what nvcc of CUDA 13 makes for an H200.

use super::chains::Chains;
use crate::code::{Inst, Reg};
use crate::program::Program;
use crate::{Site, Span};
use lanescope_model::Operation;
use std::collections::BTreeSet;

/// Loads are moved so many branches deep.
const DEEPEST: u32 = 4;
/// Instructions between a load and the branch, and of that, at most.
const FARTHEST: usize = 2048;

/// Moves loads into the branches that need them.
pub(super) fn sink(program: &mut Program) {
    for _ in 0..DEEPEST {
        if !sink_once(program) {
            return;
        }
    }
}

/// One sweep from the end to the beginning; whether anything moved.
fn sink_once(program: &mut Program) -> bool {
    let code = &mut program.code;
    let readers = Chains::readers(&code.insts, code.registers);
    let setters = Chains::setters(&code.insts, code.registers);
    let sweep = Sweep {
        insts: &code.insts,
        sites: &program.sites,
        readers,
        setters,
    };
    let mut moves: Vec<Move> = Vec::new();
    let mut taken = BTreeSet::new();
    let mut at = 0;
    while at < sweep.insts.len() {
        let Some(load) = sweep.load_at(at) else {
            at += 1;
            continue;
        };
        at = load.end;
        if let Some(found) = sweep.found(&load)
            && found.insts.is_disjoint(&taken)
        {
            taken.extend(found.insts.iter().copied());
            moves.push(found);
        }
    }
    if moves.is_empty() {
        return false;
    }
    code.insts = moved(&code.insts, &moves, &taken);
    true
}

/// A load: its requests and what it reads.
struct Load {
    begin: usize,
    /// The first instruction that only reads.
    reads: usize,
    end: usize,
}

/// Instructions that go before another one.
struct Move {
    insts: BTreeSet<usize>,
    to: usize,
}

struct Sweep<'p> {
    insts: &'p [Inst],
    sites: &'p [Site],
    readers: Chains,
    setters: Chains,
}

impl Sweep<'_> {
    /// The load that begins at `at`.
    fn load_at(&self, at: usize) -> Option<Load> {
        let place = self.place(at)?;
        let requests = (at..).take_while(|at| self.place(*at) == Some(place));
        let reads = at + requests.count();
        let read = |at: &usize| matches!(self.insts.get(*at), Some(Inst::Read { .. }));
        let end = reads + (reads..).take_while(read).count();
        (end > reads).then_some(Load {
            begin: at,
            reads,
            end,
        })
    }

    /// Where the access stands that an instruction is a load of.
    fn place(&self, at: usize) -> Option<Span> {
        let Inst::Request { site, .. } = self.insts.get(at)? else {
            return None;
        };
        let site = self.sites.get(site.0 as usize)?;
        (site.operation == Operation::Load && !site.volatile).then_some(site.span)
    }

    /// Where a load goes, with what is computed from it.
    fn found(&self, load: &Load) -> Option<Move> {
        let parts = self.parts(load.end)?;
        let mut insts: BTreeSet<usize> = (load.begin..load.end).collect();
        let mut values: Vec<Reg> = self.insts[load.reads..load.end]
            .iter()
            .filter_map(Inst::target)
            .collect();
        let mut part = None;
        let mut used = false;
        while let Some(value) = values.pop() {
            if self.setters.of(value).nth(1).is_some() {
                return None;
            }
            for reader in self.readers.of(value) {
                if let Some(inside) = parts.iter().find(|part| part.contains(&reader)) {
                    used = true;
                    if *part.get_or_insert(inside) != inside {
                        return None;
                    }
                } else if reader < parts[0].start && computes(&self.insts[reader]) {
                    if insts.insert(reader) {
                        values.extend(self.insts[reader].target());
                    }
                } else {
                    return None;
                }
            }
        }
        let to = part.filter(|_| used)?.start;
        Some(Move { insts, to })
    }

    /// What lies within the branches of the `if` that comes next, or behind it where they return;
    /// `None` where something before it keeps loads from moving.
    fn parts(&self, from: usize) -> Option<Vec<std::ops::Range<usize>>> {
        let near = self.insts[from..].iter().take(FARTHEST);
        let at = from + near.take_while(|inst| is_passed(inst)).count();
        if !matches!(self.insts.get(at), Some(Inst::If { .. })) {
            return None;
        }
        let (middle, end) = self.ends(at)?;
        let yes = at + 1..middle.unwrap_or(end);
        let mut parts = vec![yes.clone()];
        match middle {
            Some(middle) => parts.push(middle + 1..end),
            None if matches!(self.insts[yes.end - 1], Inst::Return) => {
                parts.push(end + 1..self.rest(end + 1));
            }
            None => {}
        }
        Some(parts)
    }

    /// The `Else` and the `EndIf` of the `if` at `at`.
    fn ends(&self, at: usize) -> Option<(Option<usize>, usize)> {
        let mut depth = 0;
        let mut middle = None;
        for (at, inst) in self.insts.iter().enumerate().skip(at + 1).take(FARTHEST) {
            match inst {
                Inst::If { .. } | Inst::Scope => depth += 1,
                Inst::Else { .. } if depth == 0 => middle = Some(at),
                Inst::EndIf if depth == 0 => return Some((middle, at)),
                Inst::EndIf | Inst::EndScope => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// The end of what surrounds `from`.
    fn rest(&self, from: usize) -> usize {
        let mut depth = 0;
        for (at, inst) in self.insts.iter().enumerate().skip(from) {
            match inst {
                Inst::If { .. } | Inst::Scope => depth += 1,
                Inst::Else { .. } | Inst::EndIf | Inst::EndScope if depth == 0 => return at,
                Inst::EndIf | Inst::EndScope => depth -= 1,
                _ => {}
            }
        }
        self.insts.len()
    }
}

/// Whether an instruction only computes, and nothing that changes later.
const fn computes(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Unary { .. }
            | Inst::Binary { .. }
            | Inst::Convert { .. }
            | Inst::Select { .. }
            | Inst::Address { .. }
            | Inst::Init { .. }
    )
}

/// Whether a load may move past an instruction.
const fn is_passed(inst: &Inst) -> bool {
    computes(inst)
        || matches!(
            inst,
            Inst::Nothing
                | Inst::Move { .. }
                | Inst::Check { .. }
                | Inst::Request { .. }
                | Inst::Read { .. }
        )
}

/// The instructions with some of them moved.
fn moved(insts: &[Inst], moves: &[Move], taken: &BTreeSet<usize>) -> Vec<Inst> {
    let mut out = Vec::with_capacity(insts.len());
    let mut places = Vec::with_capacity(insts.len() + 1);
    for (at, inst) in insts.iter().enumerate() {
        places.push(u32::try_from(out.len()).unwrap_or(u32::MAX));
        for one in moves.iter().filter(|one| one.to == at) {
            out.extend(one.insts.iter().map(|at| insts[*at]));
        }
        if !taken.contains(&at) {
            out.push(*inst);
        }
    }
    places.push(u32::try_from(out.len()).unwrap_or(u32::MAX));
    for to in out.iter_mut().filter_map(Inst::jump) {
        if let Some(place) = places.get(*to as usize) {
            *to = *place;
        }
    }
    out
}
