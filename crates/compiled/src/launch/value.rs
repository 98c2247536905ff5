//! Values as the bytes of parameters.

use lanescope_frontend::{Buffer, Contents as Given};
use lanescope_simt::{Contents, ParameterValue};

/// A floating-point number of 4 or 8 bytes.
pub(super) fn real(value: f64, bytes: u32) -> Vec<u8> {
    match bytes {
        4 => single(value).to_le_bytes().to_vec(),
        _ => value.to_le_bytes().to_vec(),
    }
}

/// The lowest bytes, sign-extended above eight.
pub(super) fn low_bytes(value: i64, count: u32) -> Vec<u8> {
    let sign = if value < 0 { 0xff } else { 0 };
    let bytes = value
        .to_le_bytes()
        .into_iter()
        .chain(std::iter::repeat(sign));
    bytes.take(usize::try_from(count).unwrap_or(0)).collect()
}

/// Bytes of an element of `f32[1024]`; `None` where no type is written.
pub(super) fn element_bytes(text: &str) -> Option<u64> {
    let (ty, _) = text.split_once('[')?;
    let bits = ty.trim_start_matches(|c: char| !c.is_ascii_digit());
    Some((bits.parse::<u64>().ok()? / 8).max(1))
}

pub(super) fn pointer(buffer: Buffer, element_bytes: u64) -> ParameterValue {
    ParameterValue::Buffer {
        bytes: buffer
            .elements
            .map(|elements| elements.saturating_mul(element_bytes)),
        base_offset: buffer.base_offset,
        contents: match buffer.contents {
            Given::Zero => Contents::Unknown,
            Given::Iota => Contents::Iota,
            Given::Random(seed) => Contents::Random(seed),
        },
        offset_in_allocation: 0,
    }
}

/// The nearest 32-bit float.
#[allow(clippy::cast_possible_truncation)]
pub(super) const fn single(value: f64) -> f32 {
    value as f32
}

/// A pointer that nobody gave: to as much as is asked for, aligned as allocations are.
pub(super) const fn unbounded() -> ParameterValue {
    ParameterValue::Buffer {
        bytes: None,
        base_offset: 0,
        contents: Contents::Unknown,
        offset_in_allocation: 0,
    }
}
