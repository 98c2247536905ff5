//! What can be taken away of a run: a link with its results, a table in Markdown, a file.

use lanescope_ui::save;
use leptos::prelude::*;

use super::session;
use crate::session::Session;
use crate::shared::SharedRun;

/// Three buttons, once there are results.
#[component]
pub(crate) fn Exports() -> impl IntoView {
    let session = session();
    let copied = RwSignal::new(false);
    let link = move |_| {
        if let Some((shared, link)) = shared(session) {
            drop(shared);
            save::clipboard(&link);
            copied.set(true);
        }
    };
    let markdown = move |_| {
        if let Some((shared, link)) = shared(session) {
            save::clipboard(&shared.markdown(session.language(), &link));
            copied.set(true);
        }
    };
    let json = move |_| {
        if let Some((shared, _)) = shared(session) {
            save::file(&shared.json(), "lanescope-run.json", "application/json");
        }
    };
    let is_nothing = move || session.results.with(Option::is_none) || !session.is_current();
    view! {
        <div class="run-exports" data-testid="run-exports" hidden=is_nothing>
            <button type="button" class="button small" data-testid="run-link" on:click=link>
                {session.word(|words| words.copy_link)}
            </button>
            <button type="button" class="button small" data-testid="run-markdown" on:click=markdown>
                {session.word(|words| words.copy_markdown)}
            </button>
            <button type="button" class="button small" data-testid="run-json" on:click=json>
                {session.word(|words| words.save_json)}
            </button>
            <span class="run-said" role="status" hidden=move || !copied.get()>
                {session.word(|words| words.copied)}
            </span>
        </div>
    }
}

/// What was measured, and the address of the page with it.
fn shared(session: Session) -> Option<(SharedRun, String)> {
    let shared = session.shared()?;
    let fragment = shared.fragment(&session.shown())?;
    let here = window().location().href().ok()?;
    let page = here.split('#').next().unwrap_or_default();
    Some((shared, format!("{page}#{fragment}")))
}
