//! What each buffer holds before the run.

use js_sys::Uint8Array;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlInputElement;

use super::session;
use crate::message::Chosen;
use crate::session::Session;

/// A row for all buffers, a choice for each.
#[component]
pub(crate) fn BufferRows() -> impl IntoView {
    let session = session();
    let rows = move || {
        let names = session.buffers.get();
        let row = |name: &String| view! { <BufferChoice name=name.clone() /> };
        names.iter().map(row).collect_view()
    };
    view! {
        <div class="run-buffers" hidden=move || session.buffers.with(|all| all.is_empty())>
            <span class="run-label">{session.word(|words| words.contents)}</span>
            {rows}
        </div>
    }
}

/// The choices, by the values of the field.
const CHOICES: [(&str, Option<Chosen>); 5] = [
    ("given", None),
    ("zeros", Some(Chosen::Zeros)),
    ("iota", Some(Chosen::Iota)),
    ("random", Some(Chosen::Random)),
    ("file", Some(Chosen::File)),
];

#[component]
fn BufferChoice(name: String) -> impl IntoView {
    let session = session();
    let of = name.clone();
    let chosen = Memo::new(move |_| {
        let find =
            |all: &Vec<(String, Chosen)>| all.iter().find(|(one, _)| *one == of).map(|one| one.1);
        session.contents.with(find)
    });
    let of = name.clone();
    let choose = move |event| {
        let value = event_target_value(&event);
        let found = CHOICES.iter().find(|(key, _)| *key == value);
        session.choose(&of, found.and_then(|(_, chosen)| *chosen));
    };
    let of = name.clone();
    let take = move |event: web_sys::Event| read(session, of.clone(), &event);
    let word = move |chosen: Option<Chosen>| {
        move || {
            let words = session.words();
            match chosen {
                None => words.as_given,
                Some(Chosen::Zeros) => words.zeros,
                Some(Chosen::Iota) => words.iota,
                Some(Chosen::Random) => words.random,
                Some(Chosen::File) => words.file,
            }
        }
    };
    let options = CHOICES.map(|(key, one)| {
        view! { <option value=key selected=move || chosen.get() == one>{word(one)}</option> }
    });
    let said = name.clone();
    view! {
        <label class="run-buffer">
            <code>{said}</code>
            <select class="field" data-testid="run-contents" data-name=name on:change=choose>
                {options.into_iter().collect_view()}
            </select>
            <input
                type="file"
                aria-label=session.word(|words| words.choose_file)
                title=session.word(|words| words.choose_file)
                hidden=move || chosen.get() != Some(Chosen::File)
                on:change=take
            />
        </label>
    }
}

/// Reads the chosen file and gives the buffer its bytes.
fn read(session: Session, name: String, event: &web_sys::Event) {
    let field = event
        .target()
        .and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
    let Some(file) = field.and_then(|field| field.files()?.get(0)) else {
        return;
    };
    let bytes = wasm_bindgen_futures::JsFuture::from(file.array_buffer());
    wasm_bindgen_futures::spawn_local(async move {
        if let Ok(buffer) = bytes.await {
            session.give(&name, Uint8Array::new(&buffer));
        }
    });
}
