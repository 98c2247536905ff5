//! How far a number can be trusted.

use lanescope_model::Basis;

use crate::element::{El, el};
use crate::words::{Language, Message};

/// An empty badge.
pub(crate) fn empty() -> El {
    el("span").class("badge")
}

/// Makes the badge say how far `basis` can be trusted, with its source as a tooltip.
pub(crate) fn put(badge: &El, basis: Basis, language: Language) {
    let meaning = language.say(&Message::ConfidenceMeans(basis.confidence));
    badge.put("class", &format!("badge {}", basis.confidence.key()));
    badge.put("title", &format!("{meaning}: {}", basis.source));
    badge.put_text(&language.say(&Message::Confidence(basis.confidence)));
}
