//! Names of registers, operands, addresses and accesses in the text form.

use crate::{Address, Kernel, Operand, Register};
use lanescope_model::Operation;
use std::fmt::Write as _;

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

/// A constant: small ones decimal, others hexadecimal.
pub(super) fn number(bits: u64) -> String {
    if bits < 0x1_0000 {
        bits.to_string()
    } else {
        format!("{bits:#x}")
    }
}

pub(super) fn register_at(kernel: &Kernel, index: usize) -> String {
    let bits = kernel.registers.get(index).copied().unwrap_or(32);
    format!("{}{index}", letter(bits))
}

pub(super) fn register(kernel: &Kernel, register: Register) -> String {
    register_at(kernel, register.index())
}

pub(super) fn operand(kernel: &Kernel, operand: Operand) -> String {
    match operand {
        Operand::Register(one) => register(kernel, one),
        Operand::Constant(bits) => number(bits),
    }
}

pub(super) fn address(kernel: &Kernel, address: &Address) -> String {
    let mut out = format!("[{}", operand(kernel, address.base));
    if let Some(index) = address.index {
        // `const` tells a second term from an offset.
        let is_constant = index.constant().is_some();
        let word = if is_constant { "const " } else { "" };
        let _ = write!(out, " + {word}{}", operand(kernel, index));
    }
    if address.offset != 0 {
        let sign = if address.offset < 0 { '-' } else { '+' };
        let _ = write!(out, " {sign} {}", number(address.offset.unsigned_abs()));
    }
    out.push(']');
    out
}
