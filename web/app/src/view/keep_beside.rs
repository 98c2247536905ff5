//! Keeps the state on screen as A, swaps it with what is on screen, lets it go.

use leptos::prelude::*;

use crate::beside;
use crate::session::Session;

/// The buttons of A and B.
#[component]
pub(crate) fn KeepBeside(session: Session) -> impl IntoView {
    let pages = session.pages();
    let has_beside = Memo::new(move |_| pages.with(|page| page.state.beside.is_some()));
    let can_keep = Memo::new(move |_| pages.with(|page| beside::can_keep(&page.state)));
    view! {
        <Show
            when=move || has_beside.get()
            fallback=move || {
                view! {
                    <button
                        type="button"
                        class="button small bare"
                        data-testid="keep-a"
                        hidden=move || !can_keep.get()
                        on:click=move |_| beside::keep(session)
                    >
                        {session.word(|words| words.keep_as_a)}
                    </button>
                }
            }
        >
            <button
                type="button"
                class="button small bare"
                data-testid="swap-a"
                on:click=move |_| beside::swap(session)
            >
                {session.word(|words| words.swap_ab)}
            </button>
            <button
                type="button"
                class="button small bare"
                data-testid="drop-a"
                on:click=move |_| beside::drop(session)
            >
                {session.word(|words| words.drop_a)}
            </button>
        </Show>
    }
}
