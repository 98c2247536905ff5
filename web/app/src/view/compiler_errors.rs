//! What the compiler of this machine refuses in a kernel, at its lines.

use leptos::prelude::*;

use super::editor::Editor;
use crate::compiled;
use crate::session::Session;

/// A line for each mistake; its place puts the caret there.
#[component]
pub(super) fn CompilerErrors(session: Session, editor: Editor) -> impl IntoView {
    let editor = StoredValue::new_local(editor);
    let errors = Memo::new(move |_| {
        let compiled = compiled::of_screen(session);
        compiled.map_or_else(Vec::new, |compiled| compiled.errors.clone())
    });
    let items = move || {
        let item = |(line, text): (u32, String)| {
            let place = (line > 0).then(|| {
                let go = move |_| editor.with_value(|editor| select_line(editor, line));
                view! {
                    <button type="button" class="place" on:click=go>
                        {format!("{line}:1")}
                    </button>
                }
            });
            view! {
                <li class="error">
                    {place}
                    <span>"nvcc: " {text}</span>
                </li>
            }
        };
        errors.get().into_iter().map(item).collect_view()
    };
    view! {
        <ul
            class="diagnostics"
            data-testid="compiler-errors"
            hidden=move || errors.with(Vec::is_empty)
        >
            {items}
        </ul>
    }
}

/// Selects a line of the text, from 1.
fn select_line(editor: &Editor, number: u32) {
    let text = editor.text();
    let mut start = 0;
    for (at, line) in (1..).zip(text.split('\n')) {
        if at == number {
            return editor.select(start, start + line.len());
        }
        start += line.len() + 1;
    }
}
