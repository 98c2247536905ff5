//! How far a number can be trusted.

use lanescope_locale::{Language, verdict};
use lanescope_model::Confidence;
use leptos::prelude::*;

/// Says how far a number from `source` can be trusted, with that as a tooltip.
pub(crate) fn badge(
    source: &str,
    confidence: Confidence,
    language: Language,
) -> impl IntoView + use<> {
    let meaning = verdict::meaning(language, confidence);
    view! {
        <span
            class=format!("badge {}", confidence.key())
            title=format!("{meaning}: {source}")
        >
            {verdict::confidence(language, confidence)}
        </span>
    }
}
