//! Numbers as PTX writes them.

use crate::Operand;

/// Reads a number: decimal, `0x`, `0b`, octal with a leading zero, `0f` and `0d` bit patterns, decimal fractions.
pub(crate) fn number(text: &str) -> Option<Operand<'static>> {
    let lower = text.to_ascii_lowercase();
    if let Some(bits) = lower.strip_prefix("0f").filter(|bits| bits.len() == 8) {
        return u32::from_str_radix(bits, 16).ok().map(Operand::Float32);
    }
    if let Some(bits) = lower.strip_prefix("0d").filter(|bits| bits.len() == 16) {
        return u64::from_str_radix(bits, 16).ok().map(Operand::Float64);
    }
    integer(&lower)
        .map(Operand::Integer)
        .or_else(|| lower.parse().ok().map(Operand::Float))
}

/// Reads an integer.
pub(crate) fn integer(text: &str) -> Option<u64> {
    let lower = text.to_ascii_lowercase();
    let digits = lower.strip_suffix('u').unwrap_or(&lower);
    if let Some(hex) = digits.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok();
    }
    if let Some(binary) = digits.strip_prefix("0b") {
        return u64::from_str_radix(binary, 2).ok();
    }
    match digits.strip_prefix('0') {
        Some(octal) if !octal.is_empty() => u64::from_str_radix(octal, 8).ok(),
        _ => digits.parse().ok(),
    }
}
