//! The root of the page.

use leptos::prelude::*;

/// The whole page.
#[component]
pub fn App() -> impl IntoView {
    view! {
        <main>
            <h1>"Lanescope"</h1>
            <p>"See what your warp does to memory."</p>
        </main>
    }
}
