//! Values that are ids or small numbers.

use crate::{Language, LinkError};

/// The most characters of a foreign text that a message shows.
pub(crate) const MAX_SHOWN: usize = 40;

/// An error that shows at most [`MAX_SHOWN`] characters of what stands there.
pub(crate) fn bad(key: &'static str, value: &str, expected: &'static str) -> LinkError {
    let value = value.chars().take(MAX_SHOWN).collect();
    LinkError::BadValue {
        key,
        value,
        expected,
    }
}

/// Whether `text` is made as ids are: at most 48 letters, digits, dots, hyphens and underscores.
pub(crate) fn is_word(text: &str) -> bool {
    let ok = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    (1..=48).contains(&text.len()) && text.bytes().all(ok)
}

/// One id.
pub(crate) fn read_word(key: &'static str, value: &str) -> Result<String, LinkError> {
    if is_word(value) {
        Ok(value.to_owned())
    } else {
        Err(bad(key, value, "an id"))
    }
}

/// Ids with commas between.
pub(crate) fn read_words(key: &'static str, value: &str) -> Result<Vec<String>, LinkError> {
    value.split(',').map(|word| read_word(key, word)).collect()
}

/// A number in decimal digits, without sign.
pub(crate) fn read_number<T: std::str::FromStr>(
    key: &'static str,
    value: &str,
) -> Result<T, LinkError> {
    let expected = "a whole number in range";
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { value.parse().ok() } else { None };
    number.ok_or_else(|| bad(key, value, expected))
}

/// One to three numbers with commas between; those left out are `rest`.
pub(crate) fn read_extent(
    key: &'static str,
    value: &str,
    rest: u32,
) -> Result<[u32; 3], LinkError> {
    let mut extent = [rest; 3];
    let mut parts = value.split(',');
    for (slot, part) in extent.iter_mut().zip(parts.by_ref()) {
        *slot = read_number(key, part)?;
    }
    match parts.next() {
        Some(_) => Err(bad(key, value, "one to three numbers")),
        None => Ok(extent),
    }
}

/// The shortest text that [`read_extent`] reads as `extent`.
pub(crate) fn write_extent(extent: [u32; 3], rest: u32) -> String {
    let [x, y, z] = extent;
    match (y == rest, z == rest) {
        (true, true) => format!("{x}"),
        (false, true) => format!("{x},{y}"),
        (_, false) => format!("{x},{y},{z}"),
    }
}

/// A list of ids and what each stands for.
pub(crate) type Ids<T> = [(&'static str, T)];

/// What `value` stands for in `ids`; an unknown id is an error, never a default.
pub(crate) fn read_id<T: Copy>(
    key: &'static str,
    value: &str,
    ids: &Ids<T>,
    expected: &'static str,
) -> Result<T, LinkError> {
    let found = ids.iter().find(|(id, _)| *id == value);
    found
        .map(|&(_, item)| item)
        .ok_or_else(|| bad(key, value, expected))
}

/// The id of `item` in `ids`.
pub(crate) fn id_of<T: PartialEq>(item: &T, ids: &Ids<T>) -> &'static str {
    ids.iter()
        .find(|(_, other)| other == item)
        .map_or("", |(id, _)| id)
}

/// The language of a tag.
pub(crate) fn read_language(value: &str, expected: &'static str) -> Result<Language, LinkError> {
    Language::of_tag(value).ok_or_else(|| bad("lang", value, expected))
}
