//! An expression: what it has besides its text.

use lanescope_locale::verdict;
use lanescope_model::Operation;
use lanescope_share::{self as share, Source};
use leptos::prelude::*;

use super::try_this::TryThis;
use super::variables::VariableSliders;
use crate::answer::parted;
use crate::session::Session;
use lanescope_ui::element::focus_beside;

/// What stands below the text of an expression.
#[component]
pub(crate) fn ExpressionPanel(session: Session) -> impl IntoView {
    view! {
        <VariableSliders session class="variables" />
        <BareAccess session />
    }
}

/// Makes `text` the expression, its declarations and what follows them.
pub(super) fn change(session: Session, text: &str) {
    let (declarations, accesses) = parted(text);
    session.edit(|state| {
        state.source = Source::Expression {
            accesses,
            declarations,
        };
    });
}

/// What an access without assignment does, and the one thing to try.
#[component]
fn BareAccess(session: Session) -> impl IntoView {
    let operation = Memo::new(move |_| session.pages().with(|page| page.state.operation));
    let choice = move |of: share::Operation, label: Operation, value: &'static str| {
        view! {
            <button
                type="button"
                value=value
                aria-pressed=move || (operation.get() == of).to_string()
                // One stop of the Tab key for both; the arrow keys change it.
                tabindex=move || if operation.get() == of { "0" } else { "-1" }
                on:click=move |_| session.edit(|state| state.operation = of)
            >
                {move || verdict::operation(session.language(), label)}
            </button>
        }
    };
    let step = move |event: leptos::ev::KeyboardEvent| {
        if matches!(event.key().as_str(), "ArrowLeft" | "ArrowRight") {
            session.edit(|state| state.operation = other(state.operation));
            focus_beside(&event);
        }
    };
    view! {
        <div class="controls">
            <span class="hint">{session.word(|words| words.label.bare)}</span>
            <div
                class="segments"
                role="group"
                data-testid="op"
                aria-label=session.word(|words| words.label.bare)
                on:keydown=step
            >
                {choice(share::Operation::Load, Operation::Load, "load")}
                {choice(share::Operation::Store, Operation::Store, "store")}
            </div>
            <div>
                <TryThis session />
            </div>
        </div>
    }
}

const fn other(operation: share::Operation) -> share::Operation {
    match operation {
        share::Operation::Load => share::Operation::Store,
        share::Operation::Store => share::Operation::Load,
    }
}
