//! How requests to shared memory are drawn.

use lanescope_locale::page;
use lanescope_model::Space;
use leptos::prelude::*;

use crate::answer::{Folded, Picture, View};
use crate::session::Session;
use crate::words::Word;
use lanescope_ui::element::focus_beside;

/// Stacks by bank, or words at their addresses.
#[component]
pub(crate) fn ViewSwitch(session: Session) -> impl IntoView {
    let is_chosen = move |view| match session.view.get() {
        View::Stacks | View::EachPhase => view == View::Stacks,
        View::Addresses => view == View::Addresses,
    };
    let choice = move |view: View, key: &'static str, name: Word| {
        view! {
            <button
                type="button"
                value=key
                aria-pressed=move || is_chosen(view).to_string()
                tabindex=move || if is_chosen(view) { "0" } else { "-1" }
                on:click=move |_| session.view.set(view)
            >
                {session.word(name)}
            </button>
        }
    };
    view! {
        <div
            class="segments"
            role="group"
            data-testid="views"
            aria-label=session.word(|words| words.views)
            on:keydown=move |event| {
                if matches!(event.key().as_str(), "ArrowLeft" | "ArrowRight") {
                    session.view.update(|view| *view = other(*view));
                    focus_beside(&event);
                }
            }
        >
            {choice(View::Stacks, "stacks", |words| words.view_stacks)}
            {choice(View::Addresses, "addresses", |words| words.view_addresses)}
        </div>
    }
}

const fn other(view: View) -> View {
    match view {
        View::Stacks | View::EachPhase => View::Addresses,
        View::Addresses => View::Stacks,
    }
}

/// Shows each phase of a kernel's request, or of those that are alike the first; hidden where no two are.
#[component]
pub(crate) fn EachPhase(session: Session) -> impl IntoView {
    let phases = Memo::new(move |_| {
        session.pages().with(|page| {
            let inside = page.inside(Space::Shared).filter(|_| page.is_kernel())?;
            let Ok(Picture::Banks(report)) = &inside.picture else {
                return None;
            };
            Folded::of(report).map(|folded| folded.phases())
        })
    });
    let is_hidden = move || session.view.get() == View::Addresses || phases.get().is_none();
    let is_each = move || session.view.get() == View::EachPhase;
    let toggle = move |_| {
        session.view.set(match session.view.get_untracked() {
            View::EachPhase => View::Stacks,
            View::Stacks | View::Addresses => View::EachPhase,
        });
    };
    view! {
        <button
            type="button"
            class="button small bare"
            data-testid="each-phase"
            aria-pressed=move || is_each().to_string()
            hidden=is_hidden
            on:click=toggle
        >
            {move || page::each_phase(session.language(), phases.get().unwrap_or(0))}
        </button>
    }
}
