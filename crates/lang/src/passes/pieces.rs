//! Loads whose values go nowhere are left out, as a compiler does: of a structure that is copied
//! whole the pieces that nothing uses, and every load without use that is not volatile.

use super::chains::Chains;
use crate::code::{Inst, Reg};
use crate::program::Program;
use crate::{Site, Span};
use lanescope_model::Operation;
use std::collections::BTreeSet;

/// Loads that are needed only for the address of one that is not are found so many deep.
const DEEPEST: u32 = 16;

/// Leaves out requests for values that go nowhere.
pub(super) fn drop_unused(program: &mut Program) {
    for _ in 0..DEEPEST {
        if !drop_once(program) {
            return;
        }
    }
}

/// One sweep; whether it left something out.
fn drop_once(program: &mut Program) -> bool {
    let used = used_registers(&program.code.insts, program.code.registers);
    let insts = &mut program.code.insts;
    let mut dropped = false;
    let mut at = 0;
    while at < insts.len() {
        let Some(place) = place_of(&insts[at], &program.sites) else {
            at += 1;
            continue;
        };
        let is_piece = |inst: &&Inst| place_of(inst, &program.sites) == Some(place);
        let pieces = insts[at..].iter().take_while(is_piece).count();
        let reads: Vec<(i32, Reg)> = insts[at + pieces..]
            .iter()
            .map_while(|inst| match inst {
                Inst::Read { dst, cell } => Some((cell.offset, *dst)),
                _ => None,
            })
            .collect();
        let any = reads.iter().any(|(_, dst)| used[usize::from(*dst)]);
        let requests = &mut insts[at..at + pieces];
        if any && pieces > 1 {
            drop_pieces(requests, &reads, &used, &program.sites);
        } else if !any
            && !reads.is_empty()
            && !program.is_expression
            && requests.iter().all(|one| is_plain(one, &program.sites))
        {
            dropped = true;
            requests.fill(Inst::Nothing);
            drop_checks(&mut insts[at.saturating_sub(CHECKS)..at], place);
        }
        at += pieces;
    }
    dropped
}

/// Where the access stands that an instruction is a request of: the pieces of one copy stand in one place.
fn place_of(inst: &Inst, sites: &[Site]) -> Option<Span> {
    match inst {
        Inst::Request { site, .. } => sites.get(site.0 as usize).map(|site| site.span),
        _ => None,
    }
}

/// The watches of an access's indices stand so close before it.
const CHECKS: usize = 8;

/// Leaves out the watches of the access at `place`.
fn drop_checks(before: &mut [Inst], place: Span) {
    for inst in before {
        if matches!(inst, Inst::Check { span, .. } if *span == place) {
            *inst = Inst::Nothing;
        }
    }
}

/// Whether a request is a load that a compiler may leave out.
fn is_plain(inst: &Inst, sites: &[Site]) -> bool {
    let Inst::Request { site, .. } = inst else {
        return false;
    };
    sites
        .get(site.0 as usize)
        .is_some_and(|site| site.operation == Operation::Load && !site.volatile)
}

/// The places whose loads have all been left out.
pub(crate) fn left_out(program: &Program) -> Vec<Span> {
    let mut runs = vec![false; program.sites.len()];
    for inst in &program.code.insts {
        if let Inst::Request { site, .. } | Inst::Gather { site, .. } | Inst::Issue { site } = inst
            && let Some(runs) = runs.get_mut(site.0 as usize)
        {
            *runs = true;
        }
    }
    let runs = |site: &Site, at: usize| runs[at] || site.merged_into.is_some();
    let sites = || program.sites.iter().enumerate();
    let alive: BTreeSet<Span> = sites()
        .filter(|(at, site)| runs(site, *at))
        .map(|(_, site)| site.span)
        .collect();
    sites()
        .filter(|(at, site)| !runs(site, *at) && site.operation == Operation::Load)
        .map(|(_, site)| site.span)
        .filter(|span| !alive.contains(span))
        .collect()
}

fn drop_pieces(requests: &mut [Inst], reads: &[(i32, Reg)], used: &[bool], sites: &[Site]) {
    for inst in requests {
        let Inst::Request { site, offset, .. } = *inst else {
            continue;
        };
        let bytes = sites
            .get(site.0 as usize)
            .map_or(0, |site| site.width.bytes());
        let end = i64::from(offset) + bytes.cast_signed();
        let wanted = reads
            .iter()
            .any(|(at, dst)| *at >= offset && i64::from(*at) < end && used[usize::from(*dst)]);
        if !wanted {
            *inst = Inst::Nothing;
        }
    }
}

/// The registers whose values reach memory, a condition or an address.
fn used_registers(insts: &[Inst], registers: Reg) -> Vec<bool> {
    let setters = Chains::setters(insts, registers);
    let mut used = vec![false; usize::from(registers)];
    let roots = insts.iter().filter(|inst| is_root(inst));
    let mut found: Vec<Reg> = roots.flat_map(Inst::sources).collect();
    while let Some(reg) = found.pop() {
        if !std::mem::replace(&mut used[usize::from(reg)], true) {
            found.extend(setters.of(reg).flat_map(|at| insts[at].sources()));
        }
    }
    used
}

/// Whether what an instruction reads goes to memory, a condition or an address.
fn is_root(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::Write { .. }
            | Inst::If { .. }
            | Inst::Test { .. }
            | Inst::Request { .. }
            | Inst::Check { .. }
            | Inst::Atomic { .. }
            | Inst::Exchange { .. }
            | Inst::Use { .. }
    )
}
