//! A link in English.

use crate::link::LinkWords;

pub(crate) const WORDS: &LinkWords = &LinkWords {
    cut_off: "This link was cut off or changed by hand; it may not be what was sent.",
    too_long: "This source is too long for a link (16,384 bytes at most). It stays in this tab, even after a reload; to pass it on, save it as a file.",
};

pub(crate) fn unknown(keys: &[String]) -> String {
    format!(
        "Made with a newer version: {} {} ignored ({}).",
        keys.len(),
        if keys.len() == 1 {
            "setting"
        } else {
            "settings"
        },
        keys.join(", ")
    )
}

pub(crate) fn hidden(count: usize) -> String {
    format!("{count} invisible characters in this link are shown as U+FFFD.")
}

pub(crate) fn unopened(why: &str) -> String {
    format!(
        "This link does not open: {why}. The first example stands here instead; the address stays until you change something."
    )
}
