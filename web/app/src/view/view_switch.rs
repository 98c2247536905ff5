//! How requests to shared memory are drawn.

use leptos::prelude::*;

use crate::answer::View;
use crate::session::Session;
use crate::words::Message;
use lanescope_ui::element::focus_beside;

/// Stacks by bank, or words at their addresses.
#[component]
pub(crate) fn ViewSwitch(session: Session) -> impl IntoView {
    let choice = move |view: View, key: &'static str| {
        view! {
            <button
                type="button"
                value=key
                aria-pressed=move || (session.view.get() == view).to_string()
                tabindex=move || if session.view.get() == view { "0" } else { "-1" }
                on:click=move |_| session.view.set(view)
            >
                {session.text(Message::View(view))}
            </button>
        }
    };
    view! {
        <div
            class="segments"
            role="group"
            data-testid="views"
            aria-label=session.text(Message::Views)
            on:keydown=move |event| {
                if matches!(event.key().as_str(), "ArrowLeft" | "ArrowRight") {
                    session.view.update(|view| *view = other(*view));
                    focus_beside(&event);
                }
            }
        >
            {choice(View::Stacks, "stacks")}
            {choice(View::Addresses, "addresses")}
        </div>
    }
}

const fn other(view: View) -> View {
    match view {
        View::Stacks => View::Addresses,
        View::Addresses => View::Stacks,
    }
}
