//! Files and standard input.

use anyhow::Context as _;
use std::io::Read;
use std::path::Path;

/// The most bytes that are read of one input.
const MAX_BYTES: u64 = 1 << 30;

/// The most bytes of a text that becomes a link, a picture or fixes: what the page holds.
pub(crate) const MOST_TEXT_BYTES: u64 = 8 << 20;

/// The bytes of the file at `path`; `-` is standard input.
///
/// # Errors
/// When it cannot be read, or holds more than a gibibyte: a part of it would be another text.
pub(crate) fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    bytes_of_at_most(path, MAX_BYTES)
}

/// The same of at most `most` bytes. A file that is too large is refused by its size, before it is read.
fn bytes_of_at_most(path: &Path, most: u64) -> anyhow::Result<Vec<u8>> {
    let named = || format!("cannot read {}", name(path));
    if path.as_os_str() == "-" {
        return all(std::io::stdin().lock(), most).with_context(named);
    }
    let file = std::fs::File::open(path).with_context(|| format!("cannot open {}", name(path)))?;
    let size = file.metadata().map_or(0, |data| data.len());
    if size > most {
        return Err(too_large(most)).with_context(named);
    }
    all(file, most).with_context(named)
}

fn too_large(most: u64) -> anyhow::Error {
    anyhow::anyhow!("it holds more than {most} bytes")
}

/// What there is to read, of at most `most` bytes.
fn all(reader: impl Read, most: u64) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = reader
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if u64::try_from(read).is_ok_and(|read| read <= most) {
        Ok(bytes)
    } else {
        Err(too_large(most))
    }
}

/// The text of the file at `path` without a byte order mark, UTF-16 read by its mark; what is no UTF-8 becomes `U+FFFD`.
pub(crate) fn text(path: &Path) -> anyhow::Result<String> {
    Ok(decoded(bytes(path)?))
}

/// [`text`] of a file of at most `most` bytes.
pub(crate) fn text_of_at_most(path: &Path, most: u64) -> anyhow::Result<String> {
    Ok(decoded(bytes_of_at_most(path, most)?))
}

/// Bytes as text without a byte order mark, UTF-16 read by that; what is no UTF-8 becomes `U+FFFD`.
pub(crate) fn decoded(bytes: Vec<u8>) -> String {
    if let Some(text) = utf16(&bytes) {
        return text;
    }
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    text.strip_prefix('\u{feff}')
        .map(str::to_owned)
        .unwrap_or(text)
}

/// The text of UTF-16, which spreadsheets and shells of Windows write with a byte order mark.
fn utf16(bytes: &[u8]) -> Option<String> {
    let (unit, rest): (fn([u8; 2]) -> u16, _) = match bytes {
        [0xff, 0xfe, rest @ ..] => (u16::from_le_bytes, rest),
        [0xfe, 0xff, rest @ ..] => (u16::from_be_bytes, rest),
        _ => return None,
    };
    let (pairs, odd) = rest.as_chunks();
    let units = pairs.iter().map(|pair| unit(*pair));
    let cut = (!odd.is_empty()).then_some(0xd800); // half a character at the end is none
    let signs = char::decode_utf16(units.chain(cut));
    Some(
        signs
            .map(|sign| sign.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect(),
    )
}

/// What messages call the input at `path`.
pub(crate) fn name(path: &Path) -> String {
    if path.as_os_str() == "-" {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::{all, decoded};

    #[test]
    fn what_is_too_long_is_refused_and_not_cut() {
        assert_eq!(all(&b"abcd"[..], 4).expect("four bytes"), b"abcd");
        let refused = all(&b"abcde"[..], 4).expect_err("five bytes");
        assert_eq!(refused.to_string(), "it holds more than 4 bytes");
    }

    #[test]
    fn utf_16_is_read_by_its_mark() {
        let text = "a\u{1d11e}é";
        let units = || text.encode_utf16();
        let little = [0xff, 0xfe]
            .into_iter()
            .chain(units().flat_map(u16::to_le_bytes));
        let big = [0xfe, 0xff]
            .into_iter()
            .chain(units().flat_map(u16::to_be_bytes));
        assert_eq!(decoded(little.clone().collect()), text);
        assert_eq!(decoded(big.collect()), text);
        assert_eq!(
            decoded(little.chain([7]).collect()),
            format!("{text}\u{fffd}")
        );
    }
}
