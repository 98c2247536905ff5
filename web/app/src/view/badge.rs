//! How far a number can be trusted.

use lanescope_model::Confidence;
use leptos::prelude::*;

use crate::words::{Message, Words};

/// Says how far a number from `source` can be trusted, with that as a tooltip.
pub(crate) fn badge(
    source: &str,
    confidence: Confidence,
    language: Words,
) -> impl IntoView + use<> {
    let meaning = language.say(&Message::ConfidenceMeans(confidence));
    view! {
        <span
            class=format!("badge {}", confidence.key())
            title=format!("{meaning}: {source}")
        >
            {language.say(&Message::Confidence(confidence))}
        </span>
    }
}
