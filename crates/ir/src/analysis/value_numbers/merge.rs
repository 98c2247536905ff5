//! Values where paths of control meet, and what loops keep of them.

use super::row::Row;
use crate::analysis::value::{Value, mix};
use crate::analysis::{ControlFlow, Loops};
use crate::{BlockId, Kernel, Register};

/// `[loop][exposed register]`: whether the loop's blocks write it. Each block is looked at once: what an inner loop
/// writes, those around it write.
pub(super) fn defined(kernel: &Kernel, exposed: &[Register], loops: &Loops) -> Vec<Vec<bool>> {
    let mut slots: Vec<Option<usize>> = vec![None; kernel.registers.len()];
    for (at, register) in exposed.iter().enumerate() {
        if let Some(slot) = slots.get_mut(register.index()) {
            *slot = Some(at);
        }
    }
    let mut found = vec![vec![false; exposed.len()]; loops.all().len()];
    for (id, block) in (0..).map(BlockId).zip(&kernel.blocks) {
        let Some(own) = loops.innermost(id).and_then(|index| found.get_mut(index)) else {
            continue;
        };
        for register in block
            .instructions
            .iter()
            .flat_map(|instruction| instruction.op.defs())
        {
            let slot = slots.get(register.index()).copied().flatten();
            if let Some(one) = slot.and_then(|slot| own.get_mut(slot)) {
                *one = true;
            }
        }
    }
    // Inner loops stand behind outer ones.
    for index in (0..found.len()).rev() {
        let parent = loops.get(index).and_then(|one| one.parent);
        let Some((before, [own, ..])) = found.split_at_mut_checked(index) else {
            continue;
        };
        if let Some(outer) = parent.and_then(|parent| before.get_mut(parent)) {
            for (outer, own) in outer.iter_mut().zip(own) {
                *outer |= *own;
            }
        }
    }
    found
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
    exits: &[Option<Row>],
    lows: Option<&Vec<(u8, u64)>>,
) -> Row {
    let done: Vec<&Row> = flow
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
        let parent = loops
            .get(header)
            .and_then(|natural_loop| natural_loop.parent);
        parent.map_or(0, |index| u32::try_from(index + 1).unwrap_or(u32::MAX))
    });
    // Where one path alone leads on, nothing meets.
    if let ([only], None, false) = (done.as_slice(), header, pending) {
        return (*only).clone();
    }
    let exposed = exposed.iter().map(|register| u64::from(register.0));
    let values = exposed.enumerate().map(|(register, name_of)| {
        let at = |row: &&Row| row.get(register);
        let Some(first) = done.first().and_then(at) else {
            // The kernel's entry: registers hold nothing that is known.
            return Value::unknown(mix(1, u64::from(block.0), name_of), scope);
        };
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
        let others = done.iter().skip(1).filter_map(at);
        let is_first = |other: Value| other.number == first.number && other.low == first.low;
        if others.clone().all(is_first) {
            return first;
        }
        let (mut name, mut low) = (mix(2, u64::from(block.0), first.number), first.low);
        for other in others {
            name = mix(3, name, other.number);
            low = low.min(other.low).min(shared_bits(other, first));
        }
        Value::unknown(name, around).with_low(low, first.number)
    });
    Row::of(values, done.first().copied())
}

/// The lowest bits in which two values' numbers agree; at most 63, or 64 where they are the same.
fn shared_bits(value: Value, other: Value) -> u8 {
    let shared = (value.number ^ other.number).trailing_zeros();
    u8::try_from(shared).unwrap_or(63)
}

/// Learns the low bits of what loops move: those that the first value and the value behind each turn share, when the
/// header's name stands for the first.
pub(super) fn learn(
    flow: &ControlFlow,
    loops: &Loops,
    entries: &[Option<Row>],
    exits: &[Option<Row>],
    lows: &mut [Vec<(u8, u64)>],
) {
    for natural_loop in loops.all() {
        let Some(entry) = entries
            .get(natural_loop.header.index())
            .and_then(Option::as_ref)
        else {
            continue;
        };
        let outer: Vec<&Row> = flow
            .predecessors(natural_loop.header)
            .iter()
            .filter(|from| !natural_loop.contains(**from))
            .filter_map(|from| exits.get(from.index()).and_then(Option::as_ref))
            .collect();
        let inner: Vec<&Row> = natural_loop
            .latches
            .iter()
            .filter_map(|from| exits.get(from.index()).and_then(Option::as_ref))
            .collect();
        let found = entry
            .iter()
            .enumerate()
            .map(|(register, phi)| low_bits(phi, register, &outer, &inner))
            .collect();
        if let Some(slot) = lows.get_mut(natural_loop.header.index()) {
            *slot = found;
        }
    }
}

fn low_bits(phi: Value, register: usize, first: &[&Row], turned: &[&Row]) -> (u8, u64) {
    let at = |row: &&Row| row.get(register);
    let mut firsts = first.iter().filter_map(at);
    let Some(start) = firsts.next() else {
        return (0, 0);
    };
    let mut low = start.low.min(63);
    for other in firsts {
        low = low.min(other.low).min(shared_bits(other, start));
    }
    for value in turned.iter().filter_map(at) {
        let shared = match value.distance(phi) {
            Some(0) => 63,
            Some(step) => u8::try_from(step.trailing_zeros()).unwrap_or(63),
            None => value.low.min(shared_bits(value, start)),
        };
        low = low.min(shared);
    }
    (low, start.number)
}
