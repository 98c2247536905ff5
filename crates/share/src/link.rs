//! A state as a link, and back.

use crate::packed::MAX_TEXT_BYTES;
use crate::{KEYS, LinkError, Notice, State, check, hidden, pairs, v1};

/// The version of the links that [`encode`] writes.
pub const VERSION: u32 = 1;

/// The most bytes of a fragment that [`decode`] reads.
pub const MAX_FRAGMENT_BYTES: usize = 16 * 1024;

/// The most bytes of a link that [`decode_kept`] reads.
pub const MAX_KEPT_BYTES: usize = 1 << 20;

/// The most bytes of a text in such a link.
const MAX_KEPT_TEXT_BYTES: usize = 8 << 20;

/// A link that opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// What it says.
    pub state: State,
    /// What to tell the reader about it.
    pub notices: Vec<Notice>,
}

/// The fragment of a link to `state`, without `#`: canonical, so that equal states make equal
/// links, byte for byte. Invisible characters are written as [`Notice::Hidden`] shows them; a
/// state that is too large makes a link of more than [`MAX_FRAGMENT_BYTES`], which
/// [`crate::Length::of`] tells.
#[must_use]
pub fn encode(state: &State) -> String {
    let mut pairs = vec![("v".to_owned(), VERSION.to_string())];
    pairs.extend(v1::write(state));
    if pairs.len() > 1 {
        pairs.insert(1, ("c".to_owned(), check::check(&pairs)));
    }
    pairs::write(&pairs)
}

/// The state that a link's fragment (or query) stands for.
///
/// # Errors
/// [`LinkError`] when the link is too long, from a newer version, or has a value that cannot be
/// read; such a link never opens as something else.
pub fn decode(fragment: &str) -> Result<Opened, LinkError> {
    decode_within(fragment, MAX_FRAGMENT_BYTES, MAX_TEXT_BYTES)
}

/// The state of a link that the page itself kept because it is longer than [`MAX_FRAGMENT_BYTES`]; at most
/// [`MAX_KEPT_BYTES`].
///
/// # Errors
/// As [`decode`].
pub fn decode_kept(link: &str) -> Result<Opened, LinkError> {
    decode_within(link, MAX_KEPT_BYTES, MAX_KEPT_TEXT_BYTES)
}

fn decode_within(fragment: &str, limit: usize, text_limit: usize) -> Result<Opened, LinkError> {
    if fragment.len() > limit {
        return Err(LinkError::TooLong {
            bytes: fragment.len(),
            limit,
        });
    }
    let pairs = pairs::read(fragment);
    if is_no_link(fragment, &pairs) {
        return Err(LinkError::NoLink {
            text: fragment.chars().take(40).collect(),
        });
    }
    let whole = is_whole(&pairs);
    let (pairs, hidden) = show_hidden(pairs);
    match open(&pairs, text_limit) {
        Ok(read) => {
            let notices = notices(read.unknown, whole, hidden + read.hidden);
            Ok(Opened {
                state: read.state,
                notices,
            })
        }
        Err(error @ LinkError::Newer { .. }) => Err(error),
        Err(error) if !whole => Err(LinkError::CutOff(Box::new(error))),
        Err(error) => Err(error),
    }
}

/// Whether a text has neither a value nor a key that is known: `#broken`, an anchor of some other page.
fn is_no_link(fragment: &str, pairs: &[(String, String)]) -> bool {
    let is_known = |key: &str| KEYS.iter().any(|known| known.name == key);
    !pairs.is_empty() && !fragment.contains('=') && !pairs.iter().any(|(key, _)| is_known(key))
}

/// Whether the check, if there is one, fits.
fn is_whole(pairs: &[(String, String)]) -> bool {
    let written = pairs.iter().find(|(key, _)| key == "c");
    written.is_none_or(|(_, value)| *value == check::check(pairs))
}

fn show_hidden(pairs: Vec<(String, String)>) -> (Vec<(String, String)>, usize) {
    let mut count = 0;
    let mut show = |text: String| {
        let (text, hidden) = hidden::shown(&text);
        count += hidden;
        text
    };
    let pairs = pairs
        .into_iter()
        .map(|(key, value)| (show(key), show(value)))
        .collect();
    (pairs, count)
}

/// Reads the pairs as the version says that they name. When a version 2 comes, version 1 stays as
/// it is and gains one step that turns its pairs into those of version 2.
fn open(pairs: &[(String, String)], text_limit: usize) -> Result<v1::Read, LinkError> {
    match version(pairs)? {
        1 => v1::read(pairs, text_limit),
        version => Err(LinkError::Newer {
            version,
            raw: pairs.to_vec(),
        }),
    }
}

/// The link's version; 1 where none is said.
fn version(pairs: &[(String, String)]) -> Result<u32, LinkError> {
    let Some((_, value)) = pairs.iter().find(|(key, _)| key == "v") else {
        return Ok(1);
    };
    match value.parse() {
        Ok(version) if version > 0 => Ok(version),
        _ => Err(LinkError::Version {
            value: value.chars().take(40).collect(),
        }),
    }
}

fn notices(unknown: Vec<String>, whole: bool, hidden: usize) -> Vec<Notice> {
    let mut notices = Vec::new();
    if !whole {
        notices.push(Notice::CutOff);
    }
    if !unknown.is_empty() {
        notices.push(Notice::Unknown { keys: unknown });
    }
    if hidden > 0 {
        notices.push(Notice::Hidden { count: hidden });
    }
    notices
}

#[cfg(test)]
mod tests {
    use super::{decode, decode_kept, encode};
    use crate::{Source, State};

    #[test]
    fn a_text_that_no_link_can_hold_is_kept() {
        let state = State {
            source: Source::Kernel("  LDG.E R1, [R2.64] ;\n".repeat(20_000)),
            ..State::default()
        };
        let link = encode(&state);
        assert!(decode(&link).is_err());
        assert_eq!(decode_kept(&link).map(|opened| opened.state), Ok(state));
    }
}
