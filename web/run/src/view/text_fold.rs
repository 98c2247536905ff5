//! What runs: sizes that were taken, differences from the text, and the WGSL.

use lanescope_locale::run_card;
use lanescope_run::{Given, Taken};
use leptos::prelude::*;

use super::session;
use crate::session::Session;

#[component]
pub(crate) fn TextFold() -> impl IntoView {
    let session = session();
    let taken = move || {
        session.text.with(|text| {
            let all = text.iter().flat_map(|text| &text.taken);
            let all: Vec<String> = all.map(|one| input_text(session, one)).collect();
            all.join(" · ")
        })
    };
    let notes = move || {
        session.text.with(|text| {
            let all = text.iter().flat_map(|text| &text.notes);
            let note = |note: String| view! { <li>{note}</li> };
            let all = all.map(|one| one.text(session.language()).to_owned());
            all.map(note).collect_view()
        })
    };
    let count = move || {
        session
            .text
            .with(|text| text.as_ref().map_or(0, |text| text.notes.len()))
    };
    let wgsl = move || {
        session
            .text
            .with(|text| text.as_ref().map(|text| text.wgsl.clone()))
    };
    view! {
        <p class="run-said" data-testid="run-taken" hidden=move || taken().is_empty()>{taken}</p>
        <details class="run-text" hidden=move || session.text.with(Option::is_none)>
            <summary>{session.word(|words| words.wgsl)}</summary>
            <p class="run-said" hidden=move || count() == 0>
                {move || format!("{}: {}", session.words().notes, count())}
            </p>
            <ul class="run-notes" data-testid="run-notes">{notes}</ul>
            <pre tabindex="0" data-testid="run-wgsl">{wgsl}</pre>
        </details>
    }
}

/// What was taken for a parameter that nobody gave.
fn input_text(session: Session, Taken { name, given, .. }: &Taken) -> String {
    let (language, words) = (session.language(), session.words());
    let (elements, contents) = match given {
        Given::Zero => return run_card::taken_zero(language, name),
        Given::Zeros(elements) => (elements, words.zeros),
        Given::Iota(elements) => (elements, words.iota),
        Given::Random(elements) => (elements, words.random),
        Given::Bytes(elements) => (elements, words.file),
    };
    run_card::taken(language, name, *elements, contents)
}
