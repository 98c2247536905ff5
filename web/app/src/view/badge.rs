//! How far a number can be trusted.

use lanescope_model::Basis;
use leptos::prelude::*;

use crate::words::{Message, Words};

/// Says how far `basis` can be trusted, with its source as a tooltip.
pub(crate) fn badge(basis: Basis, language: Words) -> impl IntoView + use<> {
    let meaning = language.say(&Message::ConfidenceMeans(basis.confidence));
    view! {
        <span
            class=format!("badge {}", basis.confidence.key())
            title=format!("{meaning}: {}", basis.source)
        >
            {language.say(&Message::Confidence(basis.confidence))}
        </span>
    }
}
