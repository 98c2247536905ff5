//! A small bar beside a number.

use leptos::prelude::*;

/// So much of its full width.
#[component]
pub(crate) fn SmallBar(share: f64) -> impl IntoView {
    let width = format!("{:.1}%", share.clamp(0.0, 1.0) * 100.0);
    view! {
        <svg class="lab-bar" aria-hidden="true">
            <rect width=width height="9" rx="2"></rect>
        </svg>
    }
}
