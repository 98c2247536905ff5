//! What there is to say about the link that was opened.

use leptos::prelude::*;

use crate::session::{Said, session};
use crate::words::Message;

/// One line for each, until it is closed.
#[component]
pub(crate) fn Notices() -> impl IntoView {
    let session = session();
    let words = session.words();
    let line = move |(index, said): (usize, Said)| {
        let class = if matches!(said, Said::Error(_)) {
            "notice error"
        } else {
            "notice"
        };
        view! {
            <div class=class role="alert">
                <span>{move || words.language().said(&said)}</span>
                <div class="space"></div>
                <button
                    type="button"
                    class="button small"
                    on:click=move |_| session.said.update(|all| { all.remove(index); })
                >
                    {words.of(Message::Close)}
                </button>
            </div>
        }
    };
    view! {
        <div class="notices" data-testid="notices">
            {move || session.said.get().into_iter().enumerate().map(line).collect_view()}
        </div>
    }
}
