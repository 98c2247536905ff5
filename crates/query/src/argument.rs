//! Arguments of a kernel, as links and the command line spell them.

use std::fmt;

use lanescope_frontend::{ArgumentValue, Buffer, Contents};
use lanescope_locale::{Language, argument};

/// Why a text is no argument. Each has the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArgumentError {
    /// Neither a number nor a buffer.
    NotAValue(String),
    /// A file of contents (`@FILE`), which is read elsewhere.
    File(String),
}

impl ArgumentError {
    /// What to write instead, in `language`: lower case, no full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::NotAValue(text) => argument::not_a_value(language, text),
            Self::File(text) => argument::file_of_contents(language, text),
        }
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}

impl std::error::Error for ArgumentError {}

/// Reads a number, or the description of a buffer: its elements (`1048576`, `f32[1048576]`), what it holds (`zero`,
/// `iota`, `random:SEED`) and its offset (`offset:BYTES`), with commas between.
///
/// # Errors
/// [`ArgumentError`], which says what to write.
pub fn argument_value(text: &str) -> Result<ArgumentValue, ArgumentError> {
    let text = text.trim();
    if let Some(number) = integer(text) {
        return Ok(ArgumentValue::Integer(number));
    }
    if text.starts_with('@') {
        return Err(ArgumentError::File(text.to_owned()));
    }
    match text.trim_end_matches(['f', 'F']).parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(ArgumentValue::Real(number)),
        _ => buffer(text).map(ArgumentValue::Buffer),
    }
}

/// The text that [`argument_value`] reads as this value.
#[must_use]
pub fn argument_text(value: &ArgumentValue) -> String {
    match value {
        ArgumentValue::Integer(number) => number.to_string(),
        ArgumentValue::Real(number) => number.to_string(),
        ArgumentValue::Buffer(buffer) => {
            let contents = match buffer.contents {
                Contents::Zero => "zero".to_owned(),
                Contents::Iota => "iota".to_owned(),
                Contents::Random(seed) => format!("random:{seed}"),
            };
            let mut parts: Vec<_> = buffer.elements.iter().map(u64::to_string).collect();
            parts.push(contents);
            if buffer.base_offset > 0 {
                parts.push(format!("offset:{}", buffer.base_offset));
            }
            parts.join(",")
        }
    }
}

/// A whole number, decimal or hexadecimal; `true` and `false` too.
fn integer(text: &str) -> Option<i64> {
    match text {
        "true" => return Some(1),
        "false" => return Some(0),
        _ => {}
    }
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits
        .strip_prefix("0x")
        .or_else(|| digits.strip_prefix("0X"))
    {
        Some(hex) => i64::from_str_radix(hex, 16).ok(),
        None => digits.parse().ok(),
    }
}

fn buffer(text: &str) -> Result<Buffer, ArgumentError> {
    let mut buffer = Buffer::default();
    for part in text.split(',').map(str::trim) {
        let (what, number) = part.split_once(':').unwrap_or((part, ""));
        match (what, number.parse::<u64>()) {
            ("zero", _) if number.is_empty() => buffer.contents = Contents::Zero,
            ("iota", _) if number.is_empty() => buffer.contents = Contents::Iota,
            ("random", Ok(seed)) => buffer.contents = Contents::Random(seed),
            ("random", Err(_)) if number.is_empty() => buffer.contents = Contents::Random(1),
            ("offset", Ok(bytes)) => buffer.base_offset = bytes,
            _ => {
                buffer.elements =
                    Some(elements(part).ok_or_else(|| ArgumentError::NotAValue(part.to_owned()))?)
            }
        }
    }
    Ok(buffer)
}

/// `1048576`, or `f32[1048576]`.
fn elements(text: &str) -> Option<u64> {
    let count = match text.split_once('[') {
        Some((_, rest)) => rest.strip_suffix(']')?,
        None => text,
    };
    count.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_numbers_or_buffers() {
        let sized = |elements, contents, base_offset| Buffer {
            elements,
            base_offset,
            contents,
        };
        let cases = [
            ("1024", ArgumentValue::Integer(1024)),
            ("-1", ArgumentValue::Integer(-1)),
            ("0x10", ArgumentValue::Integer(16)),
            ("64u", ArgumentValue::Integer(64)),
            ("true", ArgumentValue::Integer(1)),
            ("2.5f", ArgumentValue::Real(2.5)),
            ("1e-3", ArgumentValue::Real(0.001)),
            (
                "f32[1024]",
                ArgumentValue::Buffer(sized(Some(1024), Contents::Zero, 0)),
            ),
            (
                "iota",
                ArgumentValue::Buffer(sized(None, Contents::Iota, 0)),
            ),
            (
                "1024,random:7,offset:4",
                ArgumentValue::Buffer(sized(Some(1024), Contents::Random(7), 4)),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(argument_value(text), Ok(expected), "{text}");
        }
        for text in ["", "abc", "f32[", "f32[x]", "inf", "random:x"] {
            assert!(argument_value(text).is_err(), "{text}");
        }
    }
}
