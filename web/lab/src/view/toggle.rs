//! A button that is on or off.

use leptos::prelude::*;

use crate::session::Session;

/// A choice of the form, which rests while a run is under way.
#[component]
pub(crate) fn Toggle(
    id: String,
    #[prop(into)] label: Signal<String>,
    #[prop(into)] is_on: Signal<bool>,
    #[prop(optional, into)] title: Option<Signal<&'static str>>,
    press: impl Fn() + 'static,
) -> impl IntoView {
    let session = Session::here();
    view! {
        <button
            type="button"
            class="lab-toggle"
            id=id.clone()
            data-testid=id
            title=move || title.map(|title| title.get())
            aria-pressed=move || is_on.get().to_string()
            disabled=move || session.is_running()
            on:click=move |_| press()
        >
            {label}
        </button>
    }
}
