//! Names of types, widths, accesses and special registers in the text form.

use crate::{ArrayId, ScalarType, SpecialRegister};
use lanescope_model::Operation;

/// The letter of a register of so many bits.
pub(super) const fn letter(bits: u8) -> char {
    match bits {
        1 => 'p',
        8 => 'y',
        16 => 'h',
        64 => 'd',
        _ => 'r',
    }
}

/// The bits of a register with that letter.
pub(super) const fn bits(letter: u8) -> Option<u8> {
    match letter {
        b'p' => Some(1),
        b'y' => Some(8),
        b'h' => Some(16),
        b'r' => Some(32),
        b'd' => Some(64),
        _ => None,
    }
}

/// The type of that name.
pub(super) fn scalar(name: &str) -> Option<ScalarType> {
    ScalarType::ALL.into_iter().find(|ty| ty.name() == name)
}

/// What an access does, by name.
pub(super) fn operation(operation: Operation) -> String {
    match operation {
        Operation::Load => "load".into(),
        Operation::Store => "store".into(),
        Operation::Atomic => "atomic".into(),
        Operation::Reduction => "reduction".into(),
        Operation::Increment => "increment".into(),
        Operation::CompareAndSwap => "cas".into(),
        Operation::AsyncCopy => "async_copy".into(),
        Operation::MatrixLoad { matrices } => format!("ldmatrix{matrices}"),
        Operation::MatrixStore { matrices } => format!("stmatrix{matrices}"),
    }
}

/// [`operation`] turned round.
pub(super) fn parse_operation(name: &str) -> Option<Operation> {
    Some(match name {
        "load" => Operation::Load,
        "store" => Operation::Store,
        "atomic" => Operation::Atomic,
        "reduction" => Operation::Reduction,
        "increment" => Operation::Increment,
        "cas" => Operation::CompareAndSwap,
        "async_copy" => Operation::AsyncCopy,
        _ => {
            if let Some(matrices) = name.strip_prefix("ldmatrix") {
                Operation::MatrixLoad {
                    matrices: matrices.parse().ok()?,
                }
            } else {
                Operation::MatrixStore {
                    matrices: name.strip_prefix("stmatrix")?.parse().ok()?,
                }
            }
        }
    })
}

/// Special registers without a number.
const PLAIN: [(&str, SpecialRegister); 16] = [
    ("thread.linear", SpecialRegister::LinearThreadIndex),
    ("lane", SpecialRegister::Lane),
    ("warp", SpecialRegister::Warp),
    ("warp_count", SpecialRegister::WarpCount),
    ("warp_size", SpecialRegister::WarpSize),
    ("mask_eq", SpecialRegister::LaneMaskEqual),
    ("mask_lt", SpecialRegister::LaneMaskLess),
    ("mask_le", SpecialRegister::LaneMaskLessEqual),
    ("mask_gt", SpecialRegister::LaneMaskGreater),
    ("mask_ge", SpecialRegister::LaneMaskGreaterEqual),
    ("dynamic_shared", SpecialRegister::DynamicSharedBytes),
    ("total_shared", SpecialRegister::TotalSharedBytes),
    ("shared_window", SpecialRegister::SharedWindow),
    ("local_window", SpecialRegister::LocalWindow),
    ("cluster_rank", SpecialRegister::ClusterRank),
    ("unpredictable", SpecialRegister::Unpredictable),
];

/// A special register's name: words parted by points.
pub(super) fn special(register: SpecialRegister) -> String {
    use SpecialRegister as S;
    let axis = |name: &str, axis: u8| match axis {
        0 => format!("{name}.x"),
        1 => format!("{name}.y"),
        2 => format!("{name}.z"),
        other => format!("{name}.{other}"),
    };
    match register {
        S::ThreadIndex(of) => axis("thread", of),
        S::BlockIndex(of) => axis("block", of),
        S::BlockSize(of) => axis("block_size", of),
        S::GridSize(of) => axis("grid_size", of),
        S::ClusterSize(of) => axis("cluster_size", of),
        S::ClusterIndex(of) => axis("cluster_index", of),
        S::Elements(array) => format!("elements.{}", array.0),
        S::ArrayAddress(array) => format!("address.{}", array.0),
        S::Variable(variable) => format!("variable.{variable}"),
        S::LinearThreadIndex
        | S::Lane
        | S::Warp
        | S::WarpCount
        | S::WarpSize
        | S::LaneMaskEqual
        | S::LaneMaskLess
        | S::LaneMaskLessEqual
        | S::LaneMaskGreater
        | S::LaneMaskGreaterEqual
        | S::DynamicSharedBytes
        | S::TotalSharedBytes
        | S::SharedWindow
        | S::LocalWindow
        | S::ClusterRank
        | S::Unpredictable => {
            let name = PLAIN.iter().find(|(_, one)| *one == register);
            name.map_or_else(String::new, |(name, _)| (*name).to_owned())
        }
    }
}

/// [`special`] turned round.
pub(super) fn parse_special(words: &[&str]) -> Option<SpecialRegister> {
    use SpecialRegister as S;
    let name = words.join(".");
    if let Some((_, register)) = PLAIN.iter().find(|(one, _)| *one == name) {
        return Some(*register);
    }
    let [name, which] = words else { return None };
    let axis = || match *which {
        "x" => Some(0),
        "y" => Some(1),
        "z" => Some(2),
        other => other.parse().ok(),
    };
    Some(match *name {
        "thread" => S::ThreadIndex(axis()?),
        "block" => S::BlockIndex(axis()?),
        "block_size" => S::BlockSize(axis()?),
        "grid_size" => S::GridSize(axis()?),
        "cluster_size" => S::ClusterSize(axis()?),
        "cluster_index" => S::ClusterIndex(axis()?),
        "elements" => S::Elements(ArrayId(which.parse().ok()?)),
        "address" => S::ArrayAddress(ArrayId(which.parse().ok()?)),
        "variable" => S::Variable(which.parse().ok()?),
        _ => return None,
    })
}
