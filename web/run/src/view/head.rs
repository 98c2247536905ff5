//! The card's title, the GPU, and the button that runs or cancels.

use leptos::prelude::*;

use super::session;

#[component]
pub(crate) fn Head() -> impl IntoView {
    let session = session();
    let name = move || {
        session.adapter.with(|adapter| {
            adapter.as_ref().map(|adapter| match adapter.name.as_str() {
                "" => session.words().unnamed.to_owned(),
                name => format!("{name} · WebGPU"),
            })
        })
    };
    let press = move |_| {
        if session.is_running() {
            session.cancel();
        } else {
            session.run(None);
        }
    };
    let said = move || {
        let words = session.words();
        match (session.is_running(), session.results.with(Option::is_some)) {
            (true, _) => words.cancel,
            (false, true) => words.again,
            (false, false) => words.run,
        }
    };
    view! {
        <div class="run-head">
            <h2>{session.word(|words| words.title)}</h2>
            <span class="run-adapter" data-testid="run-adapter">{name}</span>
            <button
                type="button"
                class="button"
                class:primary=move || !session.is_running()
                data-testid="run-again"
                data-running=move || session.is_running().then_some("")
                on:click=press
            >
                {said}
            </button>
        </div>
    }
}
