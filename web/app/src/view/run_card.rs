//! The run card: a module of its own, loaded by a press.

use lanescope_locale::run_card::RunWords;
use lanescope_share::{Source, encode};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use web_sys::HtmlElement;

use super::next_step;
use crate::page::Page;
use crate::reader;
use crate::session::Session;

#[wasm_bindgen]
extern "C" {
    /// Shows in `root` the card for a link, and runs it where that was pressed; `heard` is told whether it has come.
    #[wasm_bindgen(js_name = lanescopeRun)]
    fn show(root: &HtmlElement, fragment: &str, is_pressed: bool, heard: &Closure<dyn FnMut(bool)>);
}

/// How far the card has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    Closed,
    Loading,
    Open,
    Failed,
}

/// A button in the card's place, and once it is pressed the card.
#[component]
pub(crate) fn RunCard(session: Session) -> impl IntoView {
    let root = NodeRef::<Div>::new();
    let standing = RwSignal::new(Standing::Closed);
    let is_pressed = RwSignal::new(false);
    let come = move |is_come| {
        let next = match is_come {
            true => Standing::Open,
            false => Standing::Failed,
        };
        if standing.get_untracked() != next {
            standing.set(next);
        }
    };
    let heard = StoredValue::new_local(Closure::<dyn FnMut(bool)>::new(come));
    Effect::new(move || {
        let is_wanted = matches!(standing.get(), Standing::Loading | Standing::Open);
        if is_wanted && let Some(root) = root.get() {
            let link = session.late_pages().with(|page| encode(&page.state));
            let is_pressed = is_pressed.get_untracked();
            heard.with_value(|heard| show(&root, &link, is_pressed, heard));
        }
    });
    // Results that came with the link are shown; nothing runs.
    Effect::new(move || {
        let has_results = session.late_pages().with(|page| {
            page.state.lab.results.is_some() && has_card(page) && next_step::of(page).is_none()
        });
        if has_results && standing.get_untracked() == Standing::Closed {
            standing.set(Standing::Loading);
        }
    });
    let is_hidden = move || {
        session
            .late_pages()
            .with(|page| !has_card(page) || next_step::of(page).is_some())
    };
    let is_open = move || standing.get() == Standing::Open;
    let words = move || RunWords::of(session.language());
    view! {
        <section class="card" data-testid="run-card" hidden=is_hidden>
            <div class="head" hidden=is_open>
                <h2>{move || words().title}</h2>
                <button
                    type="button"
                    class="button primary small"
                    data-testid="run-open"
                    disabled=move || standing.get() == Standing::Loading
                    on:click=move |_| {
                        is_pressed.set(true);
                        standing.set(Standing::Loading);
                    }
                >
                    {move || words().run}
                </button>
            </div>
            <p class="hint" hidden=is_open>
                {move || match standing.get() {
                    Standing::Closed | Standing::Open => words().lead,
                    Standing::Loading => words().loading,
                    Standing::Failed => words().failed,
                }}
            </p>
            <div node_ref=root data-testid="run-root"></div>
        </section>
    }
}

/// Whether the page shows a kernel that runs: translated, or in WGSL as it is.
fn has_card(page: &Page) -> bool {
    matches!(&page.state.source, Source::Kernel(text) if !reader::language(text).is_compiled())
}
