//! Running, cancelling, and how far the run is.

use std::time::Duration;

use leptos::html::Button;
use leptos::prelude::*;

use crate::message::Progress;
use crate::session::Session;

/// The two buttons; progress stands beside them while a run is under way.
#[component]
pub(crate) fn RunButtons() -> impl IntoView {
    let session = Session::here();
    let cancel = NodeRef::<Button>::new();
    Effect::new(move || {
        if session.is_running() {
            // An effect of its own lets the button be pressed: only then can it have the focus.
            set_timeout(move || focus(cancel), Duration::ZERO);
        }
    });
    view! {
        <div class="lab-actions">
            <button
                type="button"
                class="button primary"
                id="lab-run"
                data-testid="lab-run"
                disabled=move || session.is_running()
                on:click=move |_| session.run()
            >
                {session.word(|words| words.run)}
            </button>
            <button
                type="button"
                class="button"
                id="lab-cancel"
                data-testid="lab-cancel"
                node_ref=cancel
                disabled=move || !session.is_running()
                on:click=move |_| session.cancel()
            >
                {session.word(|words| words.cancel)}
            </button>
            <Show when=move || session.is_running()>
                <RunProgress />
            </Show>
        </div>
    }
}

fn focus(button: NodeRef<Button>) {
    if let Some(button) = button.get_untracked() {
        let _ = button.focus();
    }
}

/// A bar and a line: steps done of all, and the kernel in turn.
#[component]
fn RunProgress() -> impl IntoView {
    let session = Session::here();
    let extent = move |of: fn(&Progress) -> usize| {
        move || session.progress().map(|progress| of(&progress).to_string())
    };
    let said = move || {
        let language = session.language();
        match session.progress() {
            None => language.words().waiting.to_owned(),
            Some(Progress {
                done,
                total,
                kernel,
            }) if kernel.is_empty() => {
                format!("{done} / {total} · {}", language.words().in_turn)
            }
            Some(Progress {
                done,
                total,
                kernel,
            }) => format!("{done} / {total} · {kernel}"),
        }
    };
    view! {
        <progress
            max=extent(|progress| progress.total)
            value=extent(|progress| progress.done)
        ></progress>
        <p data-testid="lab-progress">{said}</p>
    }
}
