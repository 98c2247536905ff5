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
use std::collections::{BTreeMap, BTreeSet};

/// Loads are moved so many branches deep.
const DEEPEST: u32 = 4;
/// Uses of values that one sweep looks at; behind them loads stay where they are.
const MOST_USES: usize = 20_000;

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
    let is_branch = |inst: &Inst| matches!(inst, Inst::If { .. });
    if !code.insts.iter().any(is_branch) {
        return false;
    }
    let readers = Chains::readers(&code.insts, code.registers);
    let setters = Chains::setters(&code.insts, code.registers);
    let mut sweep = Sweep {
        insts: &code.insts,
        sites: &program.sites,
        readers,
        setters,
        ahead: ahead(&code.insts),
        branches: branches(&code.insts),
        uses: 0,
    };
    let mut moves: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
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
            moves.entry(found.to).or_default().extend(found.insts);
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
    /// `[instruction]`: the next one, itself included, that no load moves past.
    ahead: Vec<u32>,
    /// By the place of its `if`.
    branches: BTreeMap<usize, Branch>,
    /// Uses looked at.
    uses: usize,
}

/// An `if`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Branch {
    middle: Option<usize>,
    end: usize,
    /// Where what surrounds it ends, or its other part begins.
    rest: usize,
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
    fn found(&mut self, load: &Load) -> Option<Move> {
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
                self.uses += 1;
                if self.uses > MOST_USES {
                    return None;
                }
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
        let at = *self.ahead.get(from)? as usize;
        let Branch { middle, end, rest } = *self.branches.get(&at)?;
        let yes = at + 1..middle.unwrap_or(end);
        let mut parts = vec![yes.clone()];
        match middle {
            Some(middle) => parts.push(middle + 1..end),
            None if matches!(self.insts[yes.end - 1], Inst::Return) => {
                parts.push(end + 1..rest);
            }
            None => {}
        }
        Some(parts)
    }
}

/// `[instruction]`: the next one, itself included, that no load moves past.
fn ahead(insts: &[Inst]) -> Vec<u32> {
    let mut next = insts.len();
    let mut list = vec![0; insts.len()];
    for (at, inst) in insts.iter().enumerate().rev() {
        if !is_passed(inst) {
            next = at;
        }
        list[at] = u32::try_from(next).unwrap_or(u32::MAX);
    }
    list
}

/// Every `if`, by its place.
fn branches(insts: &[Inst]) -> BTreeMap<usize, Branch> {
    let mut found: BTreeMap<usize, Branch> = BTreeMap::new();
    // Of each frame that is open: its `if`, the `else`, and the branches in it whose rest is not known.
    let mut open: Vec<(Option<usize>, Option<usize>, Vec<usize>)> = vec![(None, None, Vec::new())];
    for (at, inst) in insts.iter().enumerate() {
        match inst {
            Inst::If { .. } => open.push((Some(at), None, Vec::new())),
            Inst::Scope => open.push((None, None, Vec::new())),
            Inst::Else { .. } => {
                let Some((_, middle, inside)) = open.last_mut() else {
                    continue;
                };
                *middle = Some(at);
                close(&mut found, inside, at);
            }
            Inst::EndIf | Inst::EndScope => {
                let Some((begin, middle, mut inside)) = open.pop() else {
                    continue;
                };
                close(&mut found, &mut inside, at);
                if let Some(begin) = begin {
                    let rest = insts.len();
                    let end = at;
                    found.insert(begin, Branch { middle, end, rest });
                    if let Some(around) = open.last_mut() {
                        around.2.push(begin);
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// What surrounds these branches ends.
fn close(found: &mut BTreeMap<usize, Branch>, inside: &mut Vec<usize>, end: usize) {
    for begin in inside.drain(..) {
        if let Some(branch) = found.get_mut(&begin) {
            branch.rest = end;
        }
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

/// The instructions with some of them moved before others.
fn moved(
    insts: &[Inst],
    moves: &BTreeMap<usize, Vec<usize>>,
    taken: &BTreeSet<usize>,
) -> Vec<Inst> {
    let mut out = Vec::with_capacity(insts.len());
    let mut places = Vec::with_capacity(insts.len() + 1);
    for (at, inst) in insts.iter().enumerate() {
        places.push(u32::try_from(out.len()).unwrap_or(u32::MAX));
        let here = moves.get(&at).into_iter().flatten();
        out.extend(here.map(|at| insts[*at]));
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

#[cfg(test)]
mod tests {
    use crate::{Access, Budget, KernelOptions, Launch, execute, parse_kernel};

    /// The lanes of the load of `s[63 - t]`.
    fn lanes(body: &str) -> u64 {
        let source = format!(
            "__global__ void k(float* out, int n) {{
              __shared__ float s[64];
              int t = threadIdx.x;
              s[t] = 1;
              __syncthreads();
              float v = s[63 - t];
              {body}
            }}"
        );
        let parsed = parse_kernel(&source, &KernelOptions::default());
        assert_eq!(parsed.diagnostics, [], "{body}");
        let is_load = |access: &Access<'_>| {
            let site = parsed.program.site(access.site);
            site.is_some_and(|site| site.span.text(&source) == "s[63 - t]")
        };
        let mut lanes = 0;
        let mut observe = |access: &Access<'_>| {
            if is_load(access) {
                lanes |= access.request.active.0;
            }
            true
        };
        let launch = Launch::new([1, 1, 1], [32, 1, 1]);
        let budget = Budget {
            watched_blocks: 0,
            ..Budget::default()
        };
        execute(&parsed.program, &launch, 32, budget, &mut observe);
        lanes
    }

    #[test]
    fn what_one_branch_needs_is_loaded_there() {
        let all = u64::from(u32::MAX);
        for (body, expected) in [
            ("if (t < 16) out[t] = v;", 0xffff),
            ("if (t < 16) { out[t] = v; out[t + 64] = v * v; }", 0xffff),
            ("float u = v * 2 + 1; if (t < 16) out[t] = u;", 0xffff),
            ("if (t < 16) { if (t < 4) out[t] = v; }", 0xf),
            ("if (t < 16) out[t] = 1; else out[t] = v;", 0xffff_0000),
            ("if (t >= 16) return; out[t] = v;", 0xffff),
            ("if (t < 16) out[t] = v; else out[t] = sqrtf(v);", all),
            ("out[t] = v; if (t < 16) out[t + 64] = v;", all),
            ("out[t] = 1; if (t < 16) out[t + 64] = v;", all),
            ("__syncthreads(); if (t < 16) out[t] = v;", all),
            ("if (t < 16 && v > 0) out[t] = v;", all),
            ("if (t < 16) out[t] = 1; out[t + 64] = v;", all),
        ] {
            assert_eq!(lanes(body), expected, "{body}");
        }
    }
}
