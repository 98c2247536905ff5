//! A load or a store that stands in both branches of an `if` is one instruction.
//!
//! A compiler moves what both branches end with behind the `if`, and what both begin with before
//! it. Behind the `if` the address is the one of the branch taken; before it the two must be the
//! same. Measured on hardware: `x > 0 ? row[x - 1] : row[x]` is one load, and the stores of all
//! cases of a `switch` are one store.

use crate::code::{Inst, Preset, Reg};
use crate::program::Program;
use crate::{Site, SiteId};
use lanescope_model::Operation;
use std::collections::BTreeSet;

/// Instructions of both branches that are compared, at most.
const MOST_COMPARED: usize = 1024;

/// What counts when branches are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// A request, or the end of one gathered from inner branches, at this instruction.
    Request {
        at: usize,
        site: SiteId,
        inner: bool,
    },
    /// A computation on data: its kind.
    Compute(std::mem::Discriminant<Inst>, u64),
    /// Anything that is not compared.
    Wall,
}

/// Two requests that are one.
struct Pair {
    yes: usize,
    no: usize,
    same: bool,
}

/// Merges requests of all branches, the inner ones first.
pub(super) fn merge(program: &mut Program) {
    let mut merge = Merge {
        insts: Vec::with_capacity(program.code.insts.len()),
        sites: &mut program.sites,
        zeros: zeros(&program.code.presets),
        loops: 0,
        is_inner: false,
    };
    // Where each instruction stands now; what issues gathered requests stands between them.
    let mut places = Vec::with_capacity(program.code.insts.len() + 1);
    let mut open: Vec<(usize, Option<usize>)> = Vec::new();
    for inst in &program.code.insts {
        let at = merge.insts.len();
        places.push(u32::try_from(at).unwrap_or(u32::MAX));
        merge.insts.push(*inst);
        match inst {
            Inst::Enter { .. } => merge.loops += 1,
            Inst::Leave { .. } => merge.loops = merge.loops.saturating_sub(1),
            Inst::If { .. } => open.push((at, None)),
            Inst::Else { .. } => {
                if let Some(last) = open.last_mut() {
                    last.1 = Some(at);
                }
            }
            Inst::EndIf => {
                if let Some((start, Some(middle))) = open.pop() {
                    merge.is_inner = !open.is_empty();
                    merge.branch(start, middle, at);
                }
            }
            _ => {}
        }
    }
    places.push(u32::try_from(merge.insts.len()).unwrap_or(u32::MAX));
    let mut insts = merge.insts;
    for to in insts.iter_mut().filter_map(Inst::jump) {
        if let Some(place) = places.get(*to as usize) {
            *to = *place;
        }
    }
    program.code.insts = insts;
}

/// The instructions so far, with what issues the requests gathered in them.
struct Merge<'p> {
    insts: Vec<Inst>,
    sites: &'p mut [Site],
    /// The registers that hold zero.
    zeros: BTreeSet<Reg>,
    /// Loops around.
    loops: u32,
    /// Whether another branch is around.
    is_inner: bool,
}

fn zeros(presets: &[(Reg, Preset)]) -> BTreeSet<Reg> {
    let zero = |(reg, preset): &(Reg, Preset)| (*preset == Preset::Constant(0)).then_some(*reg);
    presets.iter().filter_map(zero).collect()
}

impl Merge<'_> {
    /// Merges the requests of the branch that has just ended.
    fn branch(&mut self, start: usize, middle: usize, end: usize) {
        if end - start > MOST_COMPARED {
            return;
        }
        let yes = steps(&self.insts, start + 1, middle);
        let no = steps(&self.insts, middle + 1, end);
        for pair in self.pairs(&yes, &no) {
            let issue = rewrite(&mut self.insts, self.sites, &pair, start..middle);
            self.insts.extend(issue);
        }
    }

    fn pairs(&self, yes: &[Step], no: &[Step]) -> Vec<Pair> {
        let mut found = Vec::new();
        let mut back = 0;
        while let (Some(a), Some(b)) = (nth_back(yes, back), nth_back(no, back)) {
            match (a, b) {
                (Step::Request { at: x, site: s, .. }, Step::Request { at: y, site: t, .. })
                    if self.may_sink((x, s), (y, t)) =>
                {
                    found.push(Pair {
                        yes: x,
                        no: y,
                        same: false,
                    })
                }
                (Step::Compute(a, m), Step::Compute(b, n)) if a == b && m == n => {}
                _ => break,
            }
            back += 1;
        }
        found.reverse();
        let mut front = Vec::new();
        for (a, b) in yes[..yes.len() - back].iter().zip(&no[..no.len() - back]) {
            match (*a, *b) {
                (
                    Step::Request {
                        at: x,
                        site: s,
                        inner: false,
                    },
                    Step::Request {
                        at: y,
                        site: t,
                        inner: false,
                    },
                ) if may_hoist(self.sites, s, t) => front.push(Pair {
                    yes: x,
                    no: y,
                    same: true,
                }),
                (Step::Compute(a, m), Step::Compute(b, n)) if a == b && m == n => {}
                _ => break,
            }
        }
        front.extend(found);
        front
    }

    /// Whether two requests become one behind the `if`: a store into two arrays of two values is not
    /// worth it, and zero, which needs no register, is stored on its own where no loop and no other branch is around.
    fn may_sink(&self, (x, a): (usize, SiteId), (y, b): (usize, SiteId)) -> bool {
        let sites = &self.sites;
        let (Some(a), Some(b)) = (sites.get(a.0 as usize), sites.get(b.0 as usize)) else {
            return false;
        };
        let (first, second) = (stored(&self.insts, x), stored(&self.insts, y));
        let one_place = a.array == b.array && (a.array.is_some() || self.base(x) == self.base(y));
        let is_load = a.operation == Operation::Load;
        let zero = |reg: Option<Reg>| reg.is_some_and(|reg| self.zeros.contains(&reg));
        let is_worth = first == second
            || one_place && (self.loops > 0 || self.is_inner || zero(first) == zero(second));
        alike(a, b) && (is_load || is_worth)
    }

    /// The pointer that the request at `at` counts its address from.
    fn base(&self, at: usize) -> Option<Reg> {
        let mut found = match self.insts.get(at)? {
            Inst::Request { address, .. } => *address,
            _ => return None,
        };
        for inst in self.insts[..at].iter().rev().take(MOST_COMPARED) {
            match inst {
                Inst::Address { dst, base, .. } if *dst == found => found = *base,
                Inst::Init { dst, src } if *dst == found => found = *src,
                _ => {}
            }
        }
        Some(found)
    }
}

/// Turns two requests into gathering ones; what issues them goes behind the `if`.
fn rewrite(
    insts: &mut [Inst],
    sites: &mut [Site],
    pair: &Pair,
    yes_range: std::ops::Range<usize>,
) -> Option<Inst> {
    let (first, second) = (site_of(insts[pair.yes])?, site_of(insts[pair.no])?);
    let inner = matches!(insts[pair.no], Inst::Issue { .. });
    let (master, other) = if inner {
        (second, first)
    } else {
        (first, second)
    };
    for inst in &mut insts[yes_range] {
        if let Inst::Gather { site, .. } | Inst::Issue { site } = inst
            && *site == other
        {
            *site = master;
        }
    }
    for at in [pair.yes, pair.no] {
        insts[at] = match insts[at] {
            Inst::Request {
                address, offset, ..
            } => Inst::Gather {
                site: master,
                address,
                offset,
                same: pair.same,
            },
            _ => Inst::Nothing,
        };
    }
    let absorbed = sites.get_mut(other.0 as usize)?;
    absorbed.merged_into = Some(master);
    let (depends, array) = (absorbed.depends_on, absorbed.array);
    let site = sites.get_mut(master.0 as usize)?;
    site.depends_on = site.depends_on.or(depends);
    site.array = site.array.filter(|id| array == Some(*id));
    Some(Inst::Issue { site: master })
}

fn site_of(inst: Inst) -> Option<SiteId> {
    match inst {
        Inst::Request { site, .. } | Inst::Issue { site } => Some(site),
        _ => None,
    }
}

fn nth_back(steps: &[Step], n: usize) -> Option<Step> {
    steps
        .len()
        .checked_sub(n + 1)
        .and_then(|at| steps.get(at))
        .copied()
}

fn alike(a: &Site, b: &Site) -> bool {
    a.operation == b.operation
        && a.width == b.width
        && a.space == b.space
        && !a.volatile
        && !b.volatile
        && matches!(a.operation, Operation::Load | Operation::Store)
}

fn may_hoist(sites: &[Site], a: SiteId, b: SiteId) -> bool {
    match (sites.get(a.0 as usize), sites.get(b.0 as usize)) {
        (Some(a), Some(b)) => alike(a, b) && a.array == b.array && a.operation == Operation::Load,
        _ => false,
    }
}

/// The register that the store at `at` writes.
fn stored(insts: &[Inst], at: usize) -> Option<Reg> {
    match insts.get(at + 1) {
        Some(Inst::Write { src, .. }) => Some(*src),
        _ => None,
    }
}

/// A branch as it is compared: what only makes addresses is left out.
fn steps(insts: &[Inst], start: usize, end: usize) -> Vec<Step> {
    let addresses = address_registers(&insts[start..end]);
    let mut list = Vec::new();
    let mut depth = 0_u32;
    for (at, inst) in insts.iter().enumerate().take(end).skip(start) {
        let makes_address = inst.target().is_some_and(|dst| addresses.contains(&dst));
        match inst {
            Inst::If { .. } | Inst::Scope => {
                depth += 1;
                list.push(Step::Wall);
            }
            Inst::EndIf | Inst::EndScope => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            Inst::Request { site, .. } => list.push(Step::Request {
                at,
                site: *site,
                inner: false,
            }),
            Inst::Issue { site } => list.push(Step::Request {
                at,
                site: *site,
                inner: true,
            }),
            Inst::Gather { .. } => list.push(Step::Wall),
            Inst::Nothing
            | Inst::Check { .. }
            | Inst::Move { .. }
            | Inst::Init { .. }
            | Inst::Read { .. }
            | Inst::Write { .. }
            | Inst::Address { .. } => {}
            _ if makes_address => {}
            Inst::Unary { op, .. } => {
                list.push(Step::Compute(std::mem::discriminant(inst), *op as u64))
            }
            Inst::Binary { op, .. } => {
                list.push(Step::Compute(std::mem::discriminant(inst), *op as u64))
            }
            Inst::Convert { .. } | Inst::Select { .. } => {
                list.push(Step::Compute(std::mem::discriminant(inst), 0))
            }
            _ => list.push(Step::Wall),
        }
    }
    list
}

/// The registers that addresses and indices are made of.
fn address_registers(insts: &[Inst]) -> BTreeSet<Reg> {
    let mut found = BTreeSet::new();
    for inst in insts.iter().rev() {
        match inst {
            Inst::Request { address, .. } | Inst::Gather { address, .. } => {
                found.insert(*address);
            }
            Inst::Check { index, .. } => {
                found.insert(*index);
            }
            _ if inst.target().is_some_and(|dst| found.contains(&dst)) => {
                found.extend(inst.sources())
            }
            _ => {}
        }
    }
    found
}
