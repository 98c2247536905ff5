//! A structure that is copied whole is read in pieces; a piece that nothing uses is not read.

use crate::code::{Inst, Reg};
use crate::program::Program;

/// Leaves out requests for pieces whose values go nowhere, if another piece of the copy is used.
pub(super) fn drop_unused(program: &mut Program) {
    let used = used_registers(&program.code.insts, usize::from(program.code.registers));
    let insts = &mut program.code.insts;
    let mut at = 0;
    while at < insts.len() {
        let place = place_of(&insts[at], &program.sites);
        let pieces = insts[at..]
            .iter()
            .take_while(|inst| place.is_some() && place_of(inst, &program.sites) == place)
            .count();
        if pieces > 1 {
            let reads: Vec<(i32, Reg)> = insts[at + pieces..]
                .iter()
                .map_while(|inst| {
                    if let Inst::Read { dst, cell } = inst {
                        Some((cell.offset, *dst))
                    } else {
                        None
                    }
                })
                .collect();
            if reads.iter().any(|(_, dst)| used[usize::from(*dst)]) {
                drop_pieces(
                    &mut insts[at..at + pieces],
                    &reads,
                    &used,
                    program.sites.as_slice(),
                );
            }
        }
        at += pieces.max(1);
    }
}

/// Where the access stands that an instruction is a request of: the pieces of one copy stand in one place.
fn place_of(inst: &Inst, sites: &[crate::Site]) -> Option<crate::Span> {
    match inst {
        Inst::Request { site, .. } => sites.get(site.0 as usize).map(|site| site.span),
        _ => None,
    }
}

fn drop_pieces(requests: &mut [Inst], reads: &[(i32, Reg)], used: &[bool], sites: &[crate::Site]) {
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
fn used_registers(insts: &[Inst], count: usize) -> Vec<bool> {
    let mut used = vec![false; count];
    loop {
        let mut changed = false;
        for inst in insts.iter().rev() {
            let root = matches!(
                inst,
                Inst::Write { .. }
                    | Inst::If { .. }
                    | Inst::Test { .. }
                    | Inst::Request { .. }
                    | Inst::Check { .. }
                    | Inst::Atomic { .. }
                    | Inst::Exchange { .. }
            );
            if root || inst.target().is_some_and(|dst| used[usize::from(dst)]) {
                for reg in inst.sources() {
                    changed |= !used[usize::from(reg)];
                    used[usize::from(reg)] = true;
                }
            }
        }
        if !changed {
            return used;
        }
    }
}
