//! What the parser and the run have to say, each with its place and its mend.

use lanescope_lang::{Diagnostic, Severity};
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlTextAreaElement;

use crate::words::{Message, Words};

/// The diagnostics of one field: its text begins at byte `offset` of the source and at line
/// `first_line`.
#[component]
pub(crate) fn Diagnostics(
    field: &'static str,
    words: Words,
    #[prop(into)] diagnostics: Signal<Vec<Diagnostic>>,
    #[prop(into)] offset: Signal<u32>,
    #[prop(into)] first_line: Signal<u32>,
    mend: Callback<(usize, usize, String)>,
) -> impl IntoView {
    let line =
        move |diagnostic: Diagnostic| {
            let start = diagnostic.span.start.saturating_sub(offset.get_untracked()) as usize;
            let end = diagnostic.span.end.saturating_sub(offset.get_untracked()) as usize;
            let (line, column) = (
                diagnostic.line.saturating_sub(first_line.get_untracked()) + 1,
                diagnostic.column,
            );
            let code = diagnostic.kind.code();
            let class = match diagnostic.severity() {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "warning note",
            };
            let button = diagnostic.mend.clone().map(|change| {
            let start = change.span.start.saturating_sub(offset.get_untracked()) as usize;
            let end = change.span.end.saturating_sub(offset.get_untracked()) as usize;
            let replacement = change.replacement.clone();
            let label = move || words.say(Message::Apply { replacement: &replacement });
            let apply = move |_| mend.run((start, end, change.replacement.clone()));
            view! { " " <button type="button" class="button small" on:click=apply>{label}</button> }
        });
            view! {
                <li class=class data-code=code>
                    <button type="button" class="place" on:click=move |_| select(field, start, end)>
                        {words.of(Message::Place { line, column })}
                    </button>
                    <span>{move || words.language().diagnostic(&diagnostic)} {button}</span>
                </li>
            }
        };
    view! {
        <ul class="diagnostics" class:visually-hidden=move || diagnostics.with(Vec::is_empty)>
            {move || diagnostics.get().into_iter().map(line).collect_view()}
        </ul>
    }
}

/// Puts the focus into the field and selects the bytes `start..end` of its text.
fn select(field: &str, start: usize, end: usize) {
    let Some(element) = document().get_element_by_id(field) else {
        return;
    };
    let Ok(area) = element.dyn_into::<HtmlTextAreaElement>() else {
        return;
    };
    let text = area.value();
    let units = |bytes: usize| {
        let before = text.get(..bytes.min(text.len())).unwrap_or(&text);
        u32::try_from(before.encode_utf16().count()).unwrap_or(u32::MAX)
    };
    let _ = area.focus();
    let _ = area.set_selection_range(units(start), units(end));
}
