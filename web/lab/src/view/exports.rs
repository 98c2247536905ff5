//! Files, and a link with or without the results.

use leptos::prelude::*;

use crate::card;
use crate::session::Session;
use crate::words::Word;
use lanescope_ui::save;

/// What can be taken away of a report.
#[component]
pub(crate) fn Exports() -> impl IntoView {
    let session = Session::here();
    let with_results = session.with_results();
    let link = Memo::new(move |_| session.link(with_results.get()));
    let save = |text: Option<String>, ending: &str, media_type: &str| {
        if let Some(text) = text {
            save::file(&text, &format!("lanescope-lab.{ending}"), media_type);
        }
    };
    view! {
        <div class="lab-exports">
            <ExportButton
                id="lab-csv"
                label=|words| words.save_csv
                press=move || save(session.csv(), "csv", "text/csv")
            />
            <ExportButton
                id="lab-json"
                label=|words| words.save_json
                press=move || save(session.json(), "json", "application/json")
            />
            <ExportButton
                id="lab-markdown"
                label=|words| words.save_markdown
                press=move || {
                    if let Some(text) = session.markdown() {
                        save::clipboard(&text);
                    }
                }
            />
            <ExportButton
                id="lab-element"
                label=|words| words.copy_element
                press=move || {
                    if let Some(text) = session.element() {
                        save::clipboard(&text);
                    }
                }
            />
            <ExportButton
                id="lab-card"
                label=|words| words.save_card
                press=move || {
                    if let Some(svg) = session.card() {
                        save::png(&svg, card::SIZE, "lanescope-lab.png");
                    }
                }
            />
            <label for="lab-with" class="lab-check">
                <input
                    type="checkbox"
                    id="lab-with"
                    data-testid="lab-with"
                    prop:checked=with_results
                    on:change=move |event| with_results.set(event_target_checked(&event))
                />
                <span>{session.word(|words| words.with_results)}</span>
            </label>
            <input
                class="field lab-link"
                id="lab-link"
                data-testid="lab-link"
                readonly=true
                aria-label=session.word(|words| words.link)
                prop:value=link
            />
            <ExportButton
                id="lab-copy"
                label=|words| words.copy_link
                press=move || save::clipboard(&link.read_untracked())
            />
        </div>
    }
}

#[component]
fn ExportButton(id: &'static str, label: Word, press: impl Fn() + 'static) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button small"
            id=id
            data-testid=id
            on:click=move |_| press()
        >
            {Session::here().word(label)}
        </button>
    }
}
