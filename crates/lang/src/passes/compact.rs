//! Takes out what has been left out.

use crate::code::Inst;

/// Removes [`Inst::Nothing`] and fixes the jumps.
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
    for to in insts.iter_mut().filter_map(Inst::jump) {
        *to = places.get(*to as usize).copied().unwrap_or(last).min(last);
    }
}
