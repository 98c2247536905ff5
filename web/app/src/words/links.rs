//! What is said of a link, and of a file.

use lanescope_locale::link::{self, LinkWords};
use lanescope_share::Notice;

use super::{Language, Words, opened};
use crate::link_notice::LinkNotice;

/// What `language` says about a link.
pub(super) fn say(language: Language, notice: &LinkNotice) -> String {
    match notice {
        LinkNotice::Notice(opened) => notice_words(language, opened),
        LinkNotice::Error { error, .. } => link::unopened(language, &error.text(language)),
        LinkNotice::TooLong => LinkWords::of(language).too_long.into(),
        LinkNotice::File(fault) => opened::say(language, fault),
        LinkNotice::Beside { kernel, kind, .. } => Words(language).set_beside(kernel, kind),
    }
}

fn notice_words(language: Language, notice: &Notice) -> String {
    match notice {
        Notice::CutOff => LinkWords::of(language).cut_off.into(),
        Notice::Unknown { keys } => link::unknown(language, keys),
        Notice::Hidden { count } => link::hidden(language, *count),
        _ => String::new(),
    }
}
