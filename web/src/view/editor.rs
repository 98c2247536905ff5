//! A field for source text, coloured, with a gutter.

use leptos::prelude::*;

use crate::highlight::{Underline, highlight};

/// A transparent field over coloured text of the same size. `gutter` fills the margin.
#[component]
pub(crate) fn Editor(
    id: &'static str,
    #[prop(into)] label: Signal<String>,
    #[prop(into)] text: Signal<String>,
    #[prop(into)] underlines: Signal<Vec<Underline>>,
    #[prop(into)] gutter: ViewFn,
    change: Callback<String>,
) -> impl IntoView {
    let pieces =
        Memo::new(move |_| text.with(|text| underlines.with(|lines| highlight(text, lines))));
    let coloured = move || {
        let span =
            |piece: crate::highlight::Piece| view! { <span class=piece.class>{piece.text}</span> };
        pieces.get().into_iter().map(span).collect_view()
    };
    view! {
        <label for=id>{label}</label>
        <div class="editor">
            <div class="gutter">{move || gutter.run()}</div>
            <div class="scroll">
                <div class="paper">
                    <pre aria-hidden="true">{coloured}"\n"</pre>
                    <textarea
                        id=id
                        data-testid=id
                        spellcheck="false"
                        autocapitalize="off"
                        autocomplete="off"
                        wrap="off"
                        prop:value=move || text.get()
                        on:input:target=move |event| change.run(event.target().value())
                    ></textarea>
                </div>
            </div>
        </div>
    }
}
