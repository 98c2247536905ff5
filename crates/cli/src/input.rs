//! Files and standard input.

use anyhow::Context as _;
use std::io::Read as _;
use std::path::Path;

/// The most bytes that are read of one input.
const MAX_BYTES: u64 = 1 << 30;

/// The bytes of the file at `path`; `-` is standard input.
pub(crate) fn bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        std::io::stdin()
            .lock()
            .take(MAX_BYTES)
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?;
    } else {
        let file =
            std::fs::File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
        file.take(MAX_BYTES)
            .read_to_end(&mut bytes)
            .with_context(|| format!("cannot read {}", path.display()))?;
    }
    Ok(bytes)
}

/// The text of the file at `path` without a byte order mark, UTF-16 read by its mark; what is no UTF-8 becomes `U+FFFD`.
pub(crate) fn text(path: &Path) -> anyhow::Result<String> {
    Ok(decoded(bytes(path)?))
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
