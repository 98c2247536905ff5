//! Values where paths of control meet, and what loops keep of them.

use crate::analysis::value::{Value, mix};
use crate::analysis::{ControlFlow, Loops};
use crate::{BlockId, Kernel, Register};

/// `[exposed register]`: whether the blocks write it.
pub(super) fn defined(kernel: &Kernel, exposed: &[Register], blocks: &[BlockId]) -> Vec<bool> {
    let mut found = vec![false; kernel.registers.len()];
    for block in blocks {
        let Some(block) = kernel.blocks.get(block.index()) else {
            continue;
        };
        for register in block.instructions.iter().flat_map(|one| one.op.defs()) {
            if let Some(one) = found.get_mut(register.index()) {
                *one = true;
            }
        }
    }
    let is_written = |register: &Register| found.get(register.index()) == Some(&true);
    exposed.iter().map(is_written).collect()
}

pub(super) fn scope_of(loops: &Loops, block: BlockId) -> u32 {
    loops
        .innermost(block)
        .map_or(0, |index| u32::try_from(index + 1).unwrap_or(u32::MAX))
}

/// The values at a block's entry from those at its predecessors' ends.
pub(super) fn merged(
    exposed: &[Register],
    block: BlockId,
    flow: &ControlFlow,
    loops: &Loops,
    changed: &[Vec<bool>],
    exits: &[Option<Vec<Value>>],
    lows: Option<&Vec<(u8, u64)>>,
) -> Vec<Value> {
    let done: Vec<&Vec<Value>> = flow
        .predecessors(block)
        .iter()
        .filter_map(|from| exits.get(from.index()).and_then(Option::as_ref))
        .collect();
    let pending = flow.predecessors(block).iter().any(|from| {
        flow.is_reachable(*from) && exits.get(from.index()).is_none_or(Option::is_none)
    });
    let header = loops.with_header(block);
    let scope = scope_of(loops, block);
    // What a loop does not change is one value for all its iterations.
    let around = header.map_or(scope, |header| {
        let parent = loops.get(header).and_then(|one| one.parent);
        parent.map_or(0, |index| u32::try_from(index + 1).unwrap_or(u32::MAX))
    });
    let exposed = exposed.iter().map(|register| u64::from(register.0));
    exposed
        .enumerate()
        .map(|(register, name_of)| {
            let first = done.first().and_then(|one| one.get(register)).copied();
            let Some(first) = first else {
                // The kernel's entry: registers hold nothing that is known.
                return Value::unknown(mix(1, u64::from(block.0), name_of), scope);
            };
            let mut name = mix(2, u64::from(block.0), first.number);
            let mut low = first.low;
            let mut equal = true;
            for other in done.iter().skip(1).filter_map(|one| one.get(register)) {
                equal &= other.number == first.number && other.low == first.low;
                name = mix(3, name, other.number);
                let shared = (other.number ^ first.number).trailing_zeros();
                low = low.min(other.low).min(u8::try_from(shared).unwrap_or(63));
            }
            let changes = match header {
                Some(header) => changed
                    .get(header)
                    .and_then(|one| one.get(register))
                    .copied()
                    .unwrap_or(true),
                None => pending,
            };
            if changes {
                let phi = Value::unknown(mix(4, u64::from(block.0), name_of), scope);
                return match lows.and_then(|lows| lows.get(register)) {
                    Some((low, lowest)) if header.is_some() => phi.with_low(*low, *lowest),
                    _ => phi,
                };
            }
            if equal {
                return first;
            }
            Value::unknown(name, around).with_low(low, first.number)
        })
        .collect()
}

/// Learns the low bits of what loops move: those that the first value and the value behind each turn share, when the
/// header's name stands for the first.
pub(super) fn learn(
    flow: &ControlFlow,
    loops: &Loops,
    entries: &[Option<Vec<Value>>],
    exits: &[Option<Vec<Value>>],
    lows: &mut [Vec<(u8, u64)>],
) {
    for one in loops.all() {
        let Some(entry) = entries.get(one.header.index()).and_then(Option::as_ref) else {
            continue;
        };
        let outer: Vec<&Vec<Value>> = flow
            .predecessors(one.header)
            .iter()
            .filter(|from| !one.contains(**from))
            .filter_map(|from| exits.get(from.index()).and_then(Option::as_ref))
            .collect();
        let inner: Vec<&Vec<Value>> = one
            .latches
            .iter()
            .filter_map(|from| exits.get(from.index()).and_then(Option::as_ref))
            .collect();
        let found = entry
            .iter()
            .enumerate()
            .map(|(register, phi)| {
                let values = |list: &[&Vec<Value>]| -> Vec<Value> {
                    list.iter()
                        .filter_map(|one| one.get(register))
                        .copied()
                        .collect()
                };
                let (first, turned) = (values(&outer), values(&inner));
                low_bits(*phi, &first, &turned)
            })
            .collect();
        if let Some(slot) = lows.get_mut(one.header.index()) {
            *slot = found;
        }
    }
}

fn low_bits(phi: Value, first: &[Value], turned: &[Value]) -> (u8, u64) {
    let Some(start) = first.first().copied() else {
        return (0, 0);
    };
    let mut low = start.low.min(63);
    for other in first.iter().skip(1) {
        let shared = (other.number ^ start.number).trailing_zeros();
        low = low.min(other.low).min(u8::try_from(shared).unwrap_or(63));
    }
    for value in turned {
        let shared = match value.distance(phi) {
            Some(0) => 63,
            Some(step) => u8::try_from(step.trailing_zeros()).unwrap_or(63),
            None => {
                let same = (value.number ^ start.number).trailing_zeros();
                value.low.min(u8::try_from(same).unwrap_or(63))
            }
        };
        low = low.min(shared);
    }
    (low, start.number)
}
