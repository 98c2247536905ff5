//! Links to plain expressions, read and written in a small part of the code that all links take.

use crate::v1::{self, set_embed, set_launch, set_selection};
use crate::word::{read_id, read_language, read_word};
use crate::{Device, LinkError, Source, State, check, hidden, pairs};

/// The state of a link to an expression whose keys say no more than its source, its launch shape, the device, what is
/// looked into and how it is shown. `None` for any other link, and for one of which [`crate::decode`] would have
/// something to say; where it is not `None`, it is what [`crate::decode`] opens.
#[must_use]
pub fn decode_plain(fragment: &str) -> Option<State> {
    if fragment.len() > crate::MAX_FRAGMENT_BYTES {
        return None;
    }
    let pairs = pairs::read(fragment);
    let mut state = State::default();
    let (mut accesses, mut declarations) = (Vec::new(), Vec::new());
    for (index, (key, value)) in pairs.iter().enumerate() {
        let is_again = pairs.iter().take(index).any(|(before, _)| before == key);
        if hidden::shown(value).1 > 0 || (is_again && !matches!(key.as_str(), "e" | "d" | "x")) {
            return None;
        }
        match key.as_str() {
            "e" => accesses.push(value.as_str()),
            "d" => declarations.push(value.as_str()),
            _ => set(&mut state, key, value, &pairs).ok().flatten()?,
        }
    }
    state.source = Source::Expression {
        accesses: accesses.join("\n"),
        declarations: declarations.join("\n"),
    };
    Some(state)
}

/// Takes one key; `None` where it is not one of a plain expression.
fn set(
    state: &mut State,
    key: &str,
    value: &str,
    pairs: &[(String, String)],
) -> Result<Option<()>, LinkError> {
    match key {
        "v" if value == "1" => {}
        "c" if *value == check::check(pairs) => {}
        "o" => state.operation = read_id("o", value, v1::OPERATIONS, "")?,
        "g" => set_launch(&mut state.launch, "g", value)?,
        "b" => set_launch(&mut state.launch, "b", value)?,
        "gpu" if !value.starts_with("custom:") => {
            state.device = Device::Known(read_word("gpu", value)?);
        }
        "at" => set_selection(&mut state.selection, "at", value)?,
        "bl" => set_selection(&mut state.selection, "bl", value)?,
        "wp" => set_selection(&mut state.selection, "wp", value)?,
        "it" => set_selection(&mut state.selection, "it", value)?,
        "x" => set_selection(&mut state.selection, "x", value)?,
        "lang" => state.language = Some(read_language(value, "")?),
        "theme" => state.theme = Some(read_id("theme", value, v1::THEMES, "")?),
        "embed" => set_embed(state, "embed", value)?,
        _ => return Ok(None),
    }
    Ok(Some(()))
}

/// The link to a state that [`decode_plain`] reads: what [`crate::encode`] writes for it, byte for byte.
#[must_use]
pub fn encode_plain(state: &State) -> String {
    let mut pairs = vec![("v".to_owned(), crate::VERSION.to_string())];
    pairs.extend(v1::write_plain(state));
    if pairs.len() > 1 {
        pairs.insert(1, ("c".to_owned(), check::check(&pairs)));
    }
    pairs::write(&pairs)
}
