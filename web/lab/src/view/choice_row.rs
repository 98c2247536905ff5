//! A row of the form.

use leptos::prelude::*;

use crate::session::Session;
use crate::words::Word;

/// What is chosen, and the toggles to choose among; faint where the choice changes nothing.
#[component]
pub(crate) fn ChoiceRow(
    label: Word,
    testid: &'static str,
    #[prop(optional, into)] is_idle: Signal<bool>,
    children: Children,
) -> impl IntoView {
    let session = Session::here();
    view! {
        <div class="lab-row">
            <span class="lab-label" aria-hidden="true">
                {session.word(label)}
            </span>
            <div
                class="lab-toggles"
                role="group"
                data-testid=testid
                data-idle=move || is_idle.get().then_some("")
                aria-label=session.word(label)
            >
                {children()}
            </div>
        </div>
    }
}
