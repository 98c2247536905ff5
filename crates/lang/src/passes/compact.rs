//! Takes out what has been left out.

use crate::code::Inst;

/// Removes [`Inst::Nothing`] and mends the jumps.
pub(super) fn compact(insts: &mut Vec<Inst>) {
    let mut kept = 0_u32;
    let places: Vec<u32> = insts
        .iter()
        .map(|inst| {
            let here = kept;
            kept += u32::from(*inst != Inst::Nothing);
            here
        })
        .chain([0])
        .collect();
    let last = kept;
    insts.retain(|inst| *inst != Inst::Nothing);
    for inst in insts.iter_mut() {
        if let Inst::If { otherwise: to, .. }
        | Inst::Else { end: to }
        | Inst::Test { exit: to, .. }
        | Inst::Loop { head: to } = inst
        {
            *to = places.get(*to as usize).copied().unwrap_or(last).min(last);
        }
    }
}
