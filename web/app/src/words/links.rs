//! What is said of a link, and of a file.

use lanescope_locale::link::{self, LinkWords};
use lanescope_locale::{Language, source_kind};
use lanescope_share::Notice;

use super::opened;
use crate::link_notice::LinkNotice;

/// What `language` says about a link.
pub(crate) fn notice(language: Language, notice: &LinkNotice) -> String {
    match notice {
        LinkNotice::Notice(opened) => of_link(language, opened),
        LinkNotice::Error { error, .. } => link::unopened(language, &error.text(language)),
        LinkNotice::TooLong => LinkWords::of(language).too_long.into(),
        LinkNotice::File(fault) => opened::fault(language, fault),
        LinkNotice::Beside { kernel, kind, .. } => source_kind::set_beside(language, kernel, kind),
    }
}

fn of_link(language: Language, notice: &Notice) -> String {
    match notice {
        Notice::CutOff => LinkWords::of(language).cut_off.into(),
        Notice::Unknown { keys } => link::unknown(language, keys),
        Notice::Hidden { count } => link::hidden(language, *count),
        _ => String::new(),
    }
}
