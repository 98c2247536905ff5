//! Memory instructions by their names in SASS, as disassemblers and recorders print them.

use super::Instruction;
use crate::instruction::copy_width;
use lanescope_model::{AsyncCache, Operation, Space, Width};

/// Modifiers that change nothing about addresses: caching, ordering, address width, rounding.
const NEUTRAL: [&str; 24] = [
    "e", "u", "constant", "sys", "gpu", "cta", "sm", "vc", "strong", "weak", "private", "mmio",
    "ef", "el", "lu", "na", "ltc64b", "ltc128b", "ltc256b", "rn", "ftz", "spin", "desc", "noinc",
];

/// Operators of atomics.
const CHANGES: [&str; 10] = [
    "add", "min", "max", "and", "or", "xor", "inc", "dec", "exch", "safeadd",
];

/// Bytes that a modifier says, as in `LDS.U.128` or `RED.E.ADD.F64`.
fn bytes(modifier: &str) -> Option<u64> {
    match modifier {
        "8" | "u8" | "s8" => Some(1),
        "16" | "u16" | "s16" => Some(2),
        "32" | "u32" | "s32" | "f32" | "f16x2" | "bf16x2" | "bf16_v2" => Some(4),
        "64" | "u64" | "s64" | "f64" => Some(8),
        "128" => Some(16),
        _ => None,
    }
}

/// Reads a name such as `LDS.64`, `LDG.E.128.CONSTANT`, `LDSM.16.M88.4`, `ATOMS.POPC.INC.32` or `RED.E.ADD.F32`, in lower
/// case. Generic accesses (`LD`, `ST`) do not say which memory and are not read.
pub(super) fn parse(lower: &str) -> Option<Instruction> {
    let mut words = lower.split('.');
    let name = words.next()?;
    let modifiers: Vec<&str> = words.filter(|word| !NEUTRAL.contains(word)).collect();
    match name {
        "lds" => plain(Space::Shared, Operation::Load, &modifiers),
        "sts" => plain(Space::Shared, Operation::Store, &modifiers),
        "ldg" => plain(Space::Global, Operation::Load, &modifiers),
        "stg" => plain(Space::Global, Operation::Store, &modifiers),
        "ldsm" => matrix(&modifiers, |matrices| Operation::MatrixLoad { matrices }),
        "stsm" => matrix(&modifiers, |matrices| Operation::MatrixStore { matrices }),
        "atoms" if modifiers.first() == Some(&"popc") => (modifiers.get(1..)? == ["inc", "32"])
            .then_some(Instruction::Request {
                space: Space::Shared,
                operation: Operation::Increment,
                width: Width::Bytes4,
            }),
        "atoms" => atomic(Space::Shared, Operation::Atomic, &modifiers),
        "atomg" => atomic(Space::Global, Operation::Atomic, &modifiers),
        "ldgsts" => copy(&modifiers),
        "red" | "redg" => atomic(Space::Global, Operation::Reduction, &modifiers),
        _ => None,
    }
}

/// The width that modifiers say at most once; 4 bytes where none does.
fn width(modifiers: &[&str]) -> Option<Width> {
    match modifiers {
        [] => Some(Width::Bytes4),
        [one] => Width::from_bytes(bytes(one)?),
        _ => None,
    }
}

fn plain(space: Space, operation: Operation, modifiers: &[&str]) -> Option<Instruction> {
    Some(Instruction::Request {
        space,
        operation,
        width: width(modifiers)?,
    })
}

fn atomic(space: Space, operation: Operation, modifiers: &[&str]) -> Option<Instruction> {
    let (change, rest) = modifiers.split_first()?;
    let operation = match *change {
        "cas" | "cast" => Operation::CompareAndSwap,
        change if CHANGES.contains(&change) => operation,
        _ => return None,
    };
    Some(Instruction::Request {
        space,
        operation,
        width: width(rest)?,
    })
}

/// `LDGSTS.E.BYPASS.128`: past L1 where it says so.
fn copy(modifiers: &[&str]) -> Option<Instruction> {
    let cache = match modifiers.contains(&"bypass") {
        true => AsyncCache::PastL1,
        false => AsyncCache::All,
    };
    let rest: Vec<&str> = modifiers
        .iter()
        .copied()
        .filter(|word| *word != "bypass")
        .collect();
    let width = copy_width(cache, width(&rest)?)?;
    Some(Instruction::Copy { cache, width })
}

/// `16.M88.4`, `16.MT88.2`; one matrix where no number follows.
fn matrix(modifiers: &[&str], operation: impl Fn(u8) -> Operation) -> Option<Instruction> {
    let matrices = match modifiers {
        ["16", "m88" | "mt88"] => 1,
        ["16", "m88" | "mt88", "2"] => 2,
        ["16", "m88" | "mt88", "4"] => 4,
        _ => return None,
    };
    Some(Instruction::Request {
        space: Space::Shared,
        operation: operation(matrices),
        width: Width::Bytes16,
    })
}
