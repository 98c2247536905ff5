//! CodeMirror in English: its own words.

use crate::editor::KEYS;

pub(crate) const WORDS: [&str; KEYS.len()] = KEYS;
