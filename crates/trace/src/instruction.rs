//! Memory instructions by their names in PTX; those in SASS are `machine.rs`'s.

use crate::machine;
use lanescope_model::{AsyncCache, Operation, Space, Width};

/// What an instruction does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instruction {
    /// A request to one memory.
    Request {
        /// Which memory.
        space: Space,
        /// What it does there.
        operation: Operation,
        /// Bytes a lane.
        width: Width,
    },
    /// An asynchronous copy from global to shared memory.
    Copy {
        /// Through which caches.
        cache: AsyncCache,
        /// Bytes a lane.
        width: Width,
    },
}

impl Instruction {
    /// Bytes a lane.
    #[must_use]
    pub const fn width(self) -> Width {
        match self {
            Self::Request { width, .. } | Self::Copy { width, .. } => width,
        }
    }
}

/// Reads a name such as `ld.shared.b32`, `st.global.v4.f32`, `ldmatrix.x4.trans`,
/// `atom.shared.add.u32` or `red.global.add.u32`, or a name in SASS.
pub(super) fn parse(text: &str) -> Option<Instruction> {
    let lower = text.trim().to_ascii_lowercase();
    if let Some(found) = machine::parse(&lower) {
        return Some(found);
    }
    let (name, modifiers) = lower.split_once('.')?;
    let modifiers: Vec<&str> = modifiers.split('.').collect();
    match name {
        "ld" | "ldu" => plain(&modifiers, Operation::Load),
        "st" => plain(&modifiers, Operation::Store),
        "atom" if modifiers.contains(&"cas") => atomic(&modifiers, Operation::CompareAndSwap),
        "atom" => atomic(&modifiers, Operation::Atomic),
        "red" => atomic(&modifiers, Operation::Reduction),
        "cp" => copy(&modifiers),
        "ldmatrix" => matrix(&modifiers, |matrices| Operation::MatrixLoad { matrices }),
        "stmatrix" => matrix(&modifiers, |matrices| Operation::MatrixStore { matrices }),
        _ => None,
    }
}

/// Modifiers that change nothing about addresses.
const NEUTRAL: [&str; 28] = [
    "volatile",
    "relaxed",
    "acquire",
    "release",
    "acq_rel",
    "weak",
    "mmio",
    "cta",
    "cluster",
    "gpu",
    "sys",
    "ca",
    "cg",
    "cs",
    "lu",
    "cv",
    "wb",
    "wt",
    "nc",
    "l1::evict_first",
    "l1::evict_last",
    "l1::no_allocate",
    "l2::64b",
    "l2::128b",
    "l2::256b",
    "sync",
    "aligned",
    "noftz",
];

fn space(modifier: &str) -> Option<Space> {
    match modifier {
        "shared" | "shared::cta" => Some(Space::Shared),
        "global" => Some(Space::Global),
        _ => None,
    }
}

/// Bytes of a type such as `b32` or `f64`.
fn type_bytes(modifier: &str) -> Option<u64> {
    let bits = modifier.strip_prefix(['b', 'u', 's', 'f'])?;
    match bits {
        "8" => Some(1),
        "16" => Some(2),
        "32" => Some(4),
        "64" => Some(8),
        "128" => Some(16),
        _ => None,
    }
}

/// The space and the bytes a lane that modifiers name, each exactly once, and the modifiers left.
fn parts<'a>(modifiers: &[&'a str]) -> Option<(Space, u64, Vec<&'a str>)> {
    let (mut place, mut bytes, mut vector, mut rest) = (None, None, None, Vec::new());
    for &modifier in modifiers {
        let slot_taken = match (space(modifier), type_bytes(modifier), modifier) {
            (Some(space), _, _) => place.replace(space).is_some(),
            (_, Some(size), _) => bytes.replace(size).is_some(),
            (_, _, "v2") => vector.replace(2).is_some(),
            (_, _, "v4") => vector.replace(4).is_some(),
            _ => {
                rest.push(modifier);
                false
            }
        };
        if slot_taken {
            return None;
        }
    }
    rest.retain(|modifier| !NEUTRAL.contains(modifier));
    Some((place?, bytes? * vector.unwrap_or(1), rest))
}

fn plain(modifiers: &[&str], operation: Operation) -> Option<Instruction> {
    let (space, bytes, rest) = parts(modifiers)?;
    let width = Width::from_bytes(bytes)?;
    rest.is_empty().then_some(Instruction::Request {
        space,
        operation,
        width,
    })
}

fn atomic(modifiers: &[&str], operation: Operation) -> Option<Instruction> {
    let (space, bytes, rest) = parts(modifiers)?;
    let width = Width::from_bytes(bytes)?;
    let known = [
        "add", "min", "max", "and", "or", "xor", "inc", "dec", "exch", "cas",
    ];
    let [change] = rest.as_slice() else {
        return None;
    };
    known.contains(change).then_some(Instruction::Request {
        space,
        operation,
        width,
    })
}

fn matrix(modifiers: &[&str], operation: impl Fn(u8) -> Operation) -> Option<Instruction> {
    let mut matrices = None;
    for modifier in modifiers {
        let count = match *modifier {
            "x1" => 1,
            "x2" => 2,
            "x4" => 4,
            "trans" | "m8n8" | "b16" | "shared" | "shared::cta" | "sync" | "aligned" => continue,
            _ => return None,
        };
        if matrices.replace(count).is_some() {
            return None;
        }
    }
    Some(Instruction::Request {
        space: Space::Shared,
        operation: operation(matrices?),
        width: Width::Bytes16,
    })
}

/// `async.ca.4`, `async.cg.16.L2::128B`: the bytes a lane are the number among the modifiers.
fn copy(modifiers: &[&str]) -> Option<Instruction> {
    let ["async", cache, rest @ ..] = modifiers else {
        return None;
    };
    let cache = match *cache {
        "ca" => AsyncCache::All,
        "cg" => AsyncCache::PastL1,
        _ => return None,
    };
    let mut bytes = None;
    for modifier in rest {
        match modifier.parse::<u64>() {
            Ok(number) if bytes.replace(number).is_some() => return None,
            Ok(_) => {}
            Err(_) if matches!(*modifier, "shared" | "shared::cta" | "global") => {}
            Err(_) if NEUTRAL.contains(modifier) => {}
            Err(_) => return None,
        }
    }
    let width = copy_width(cache, Width::from_bytes(bytes?)?)?;
    Some(Instruction::Copy { cache, width })
}

/// `width` if a copy through `cache` can be so wide.
pub(crate) const fn copy_width(cache: AsyncCache, width: Width) -> Option<Width> {
    match (cache, width) {
        (AsyncCache::All, Width::Bytes4 | Width::Bytes8) | (_, Width::Bytes16) => Some(width),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(name: &str) -> String {
        match parse(name) {
            None => "none".to_owned(),
            Some(Instruction::Request {
                space,
                operation,
                width,
            }) => format!("{space:?} {operation:?} {}", width.bytes()),
            Some(Instruction::Copy { cache, width }) => {
                format!("Copy {cache:?} {}", width.bytes())
            }
        }
    }

    #[test]
    fn names_are_read() {
        let cases = [
            ("ld.shared.b32", "Shared Load 4"),
            ("LD.Shared.B8", "Shared Load 1"),
            ("st.global.b128", "Global Store 16"),
            ("ld.global.nc.v2.f32", "Global Load 8"),
            ("ld.volatile.shared.v4.u32", "Shared Load 16"),
            ("atom.shared.add.u32", "Shared Atomic 4"),
            ("red.global.add.u32", "Global Reduction 4"),
            ("red.relaxed.gpu.global.add.f32", "Global Reduction 4"),
            ("LDS", "Shared Load 4"),
            ("LDS.U.128", "Shared Load 16"),
            ("LDS.S16", "Shared Load 2"),
            ("STS.64", "Shared Store 8"),
            ("LDG.E.128.CONSTANT", "Global Load 16"),
            ("LDG.E.64.STRONG.GPU", "Global Load 8"),
            ("STG.E.U8", "Global Store 1"),
            ("LDSM.16.M88.4", "Shared MatrixLoad { matrices: 4 } 16"),
            ("LDSM.16.MT88", "Shared MatrixLoad { matrices: 1 } 16"),
            ("STSM.16.M88.2", "Shared MatrixStore { matrices: 2 } 16"),
            ("ATOMS.POPC.INC.32", "Shared Increment 4"),
            ("ATOMS.ADD", "Shared Atomic 4"),
            ("ATOMS.CAST.SPIN.64", "Shared CompareAndSwap 8"),
            ("ATOMG.E.ADD.STRONG.GPU", "Global Atomic 4"),
            ("RED.E.ADD.F32.FTZ.RN.STRONG.GPU", "Global Reduction 4"),
            ("ldmatrix.x4", "Shared MatrixLoad { matrices: 4 } 16"),
            ("ldmatrix.x2.trans", "Shared MatrixLoad { matrices: 2 } 16"),
            (
                "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16",
                "Shared MatrixStore { matrices: 1 } 16",
            ),
            ("cp.async.ca.4", "Copy All 4"),
            ("cp.async.ca.16", "Copy All 16"),
            ("cp.async.cg.16", "Copy PastL1 16"),
            ("cp.async.cg.shared.global.L2::128B.16", "Copy PastL1 16"),
            ("cp.async.cg.16.L2::128B", "Copy PastL1 16"),
            ("LDGSTS.E", "Copy All 4"),
            ("LDGSTS.E.64", "Copy All 8"),
            ("LDGSTS.E.BYPASS.128", "Copy PastL1 16"),
            ("LDGSTS.E.BYPASS.LTC128B.128", "Copy PastL1 16"),
        ];
        for (name, expected) in cases {
            assert_eq!(text(name), expected, "{name}");
        }
    }

    #[test]
    fn other_names_are_not() {
        let names = [
            "",
            "ld",
            "ld.",
            "ld.shared",
            "ld.b32",
            "ld.local.b32",
            "ld.shared.b33",
            "ld.shared.v2.b128",
            "ldmatrix",
            "ldmatrix.x3",
            "ldmatrix.x1.x2",
            "ld.shared.shared.b32",
            "atom.shared.u32",
            "mov.b32",
            "ld.shared.b32.b32",
            "LD.E",
            "cp.async.ca",
            "cp.async.cg.8",
            "cp.async.ca.2",
            "cp.async.ca.4.4",
            "cp.async.ca.shared.local.4",
            "cp.async.bulk.16",
            "LDGSTS.E.U16",
            "LDGSTS.E.BYPASS.64",
            "LDL.64",
            "LDS.64.64",
            "LDSM.16.M88.3",
            "ATOMS",
            "ATOMS.POPC.INC.64",
            "LDC.64",
            "MOV",
        ];
        for name in names {
            assert_eq!(parse(name), None, "{name}");
        }
    }
}
