//! Grid, block and arguments as words of the command line.

use lanescope_lang::{ArgumentValue, Buffer, Contents};

/// Reads `X`, `X,Y` or `X,Y,Z`, each from 1; `x` may stand for the comma.
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn extent(text: &str) -> Result<[u32; 3], String> {
    let mut extent = [1; 3];
    let parts: Vec<&str> = text.split([',', 'x']).map(str::trim).collect();
    if parts.len() > extent.len() {
        return Err("write one to three numbers, as in 32,8".to_owned());
    }
    for (slot, part) in extent.iter_mut().zip(parts) {
        let number = part.parse().ok().filter(|number| *number > 0);
        *slot = number.ok_or_else(|| format!("`{part}` is no number from 1; write as in 32,8"))?;
    }
    Ok(extent)
}

/// Reads `NAME=VALUE` as two texts; a name alone stands for 1.
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn named(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    if name.trim().is_empty() {
        return Err("write NAME=VALUE".to_owned());
    }
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Reads `NAME=INTEGER`.
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn chosen(text: &str) -> Result<(String, i64), String> {
    let (name, value) = named(text)?;
    let number = integer(&value)
        .ok_or_else(|| format!("`{value}` is no whole number; write as in stride=4"))?;
    Ok((name, number))
}

/// Reads `NAME=VALUE` and checks that VALUE can be read by [`value`].
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn argument(text: &str) -> Result<(String, String), String> {
    let (name, text) = text.split_once('=').ok_or("write NAME=VALUE")?;
    if name.trim().is_empty() {
        return Err("write NAME=VALUE".to_owned());
    }
    value(text)?;
    Ok((name.trim().to_owned(), text.trim().to_owned()))
}

/// Reads a number, or the description of a buffer: its elements (`1048576`, `f32[1048576]`), what it holds (`zero`,
/// `iota`, `random:SEED`) and its offset (`offset:BYTES`), with commas between.
///
/// # Errors
/// A sentence that says what to write.
pub(crate) fn value(text: &str) -> Result<ArgumentValue, String> {
    let text = text.trim();
    if let Some(number) = integer(text) {
        return Ok(ArgumentValue::Integer(number));
    }
    match text.trim_end_matches(['f', 'F']).parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(ArgumentValue::Real(number)),
        _ => buffer(text).map(ArgumentValue::Buffer),
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

fn buffer(text: &str) -> Result<Buffer, String> {
    let mut buffer = Buffer::default();
    for part in text.split(',').map(str::trim) {
        let (what, number) = part.split_once(':').unwrap_or((part, ""));
        match (what, number.parse::<u64>()) {
            ("zero", _) if number.is_empty() => buffer.contents = Contents::Zero,
            ("iota", _) if number.is_empty() => buffer.contents = Contents::Iota,
            ("random", Ok(seed)) => buffer.contents = Contents::Random(seed),
            ("random", Err(_)) if number.is_empty() => buffer.contents = Contents::Random(1),
            ("offset", Ok(bytes)) => buffer.base_offset = bytes,
            _ => buffer.elements = Some(elements(part).ok_or_else(|| not_a_value(part))?),
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

fn not_a_value(text: &str) -> String {
    format!("`{text}` is no value; write a number, or for a buffer as in 1048576,random:7,offset:4")
}

/// `THREAD,SM`: two numbers of registers.
pub(crate) fn registers(text: &str) -> Result<(u32, u32), String> {
    let parsed = text
        .split_once(',')
        .and_then(|(thread, sm)| Some((thread.trim().parse().ok()?, sm.trim().parse().ok()?)));
    parsed.ok_or_else(|| "two numbers, as in 32,65536".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_have_one_to_three_numbers() {
        assert_eq!(extent("32"), Ok([32, 1, 1]));
        assert_eq!(extent("32,8"), Ok([32, 8, 1]));
        assert_eq!(extent("8x8x4"), Ok([8, 8, 4]));
        for text in ["", "0", "1,2,3,4", "-1", "a", "4294967296"] {
            assert!(extent(text).is_err(), "{text}");
        }
    }

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
            assert_eq!(value(text), Ok(expected), "{text}");
        }
        for text in ["", "abc", "f32[", "f32[x]", "inf", "random:x"] {
            assert!(value(text).is_err(), "{text}");
            assert!(argument(&format!("n={text}")).is_err(), "{text}");
        }
        assert!(argument("n").is_err() && argument("=1").is_err());
        assert_eq!(argument("a=2.5f"), Ok(("a".to_owned(), "2.5f".to_owned())));
    }
}
