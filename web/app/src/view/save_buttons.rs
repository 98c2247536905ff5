//! Buttons that save what a card shows.

use std::rc::Rc;

use leptos::prelude::*;

use crate::export::{Table, save_table, save_text};

/// Buttons that save a table as CSV and as JSON, and whatever else can be saved.
#[component]
pub(crate) fn TableButtons(
    table: impl Fn() -> Table + 'static,
    stem: &'static str,
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let table = Rc::new(table);
    let button = |name: &'static str, as_json: bool| {
        let table = Rc::clone(&table);
        view! {
            <button
                type="button"
                class="button small bare"
                on:click=move |_| save_table(&table(), stem, as_json)
            >
                {name}
            </button>
        }
    };
    view! {
        <div class="tools">
            {button("CSV", false)} {button("JSON", true)} {children.map(|children| children())}
        </div>
    }
}

/// A button that saves an SVG, where there is one.
#[component]
pub(crate) fn SvgButton(
    svg: impl Fn() -> Option<String> + 'static,
    stem: &'static str,
) -> impl IntoView {
    let save = move |_| {
        if let Some(svg) = svg() {
            save_text(&svg, "image/svg+xml", &format!("{stem}.svg"));
        }
    };
    view! {
        <button type="button" class="button small bare" on:click=save>
            "SVG"
        </button>
    }
}
