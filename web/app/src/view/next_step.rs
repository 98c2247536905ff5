//! Of a text without a kernel that is read: the next step for it, with what is to be copied.

use lanescope_locale::compiler::CompilerWords;
use leptos::prelude::*;

use super::clipboard::copy_text;
use crate::answer::{NextStep, next_step};
use crate::page::Page;
use crate::session::Session;
use crate::words::kinds;

/// The next step for the text on screen; `None` where that has a kernel.
pub(super) fn of(page: &Page) -> Option<NextStep> {
    next_step(&page.state.source, &page.answer)
}

/// Follows whether there is no kernel in the text on screen: then nothing is launched or compiled.
pub(super) fn is_without_kernel(session: Session) -> Memo<bool> {
    Memo::new(move |_| session.pages().with(|page| of(page).is_some()))
}

/// The sentence, what it takes, and the button that copies that; hidden where there is a kernel.
#[component]
pub(super) fn NextStepLine(session: Session) -> impl IntoView {
    let step = Memo::new(move |_| session.pages().with(|page| of(page)));
    let is_copied = RwSignal::new(false);
    Effect::new(move || {
        step.track();
        is_copied.set(false);
    });
    let copied = move || step.with(|step| step.as_ref().map(|step| step.copied.clone()));
    let sentence = move || {
        let language = session.language();
        step.with(|step| step.as_ref().map(|step| kinds::next_step(language, step)))
    };
    let name = move || {
        let words = CompilerWords::of(session.language());
        if is_copied.get() {
            words.command_copied
        } else {
            words.copy_command
        }
    };
    view! {
        <div class="next-step" data-testid="next-step" hidden=move || step.with(Option::is_none)>
            <p>{sentence}</p>
            <pre tabindex="0">{copied}</pre>
            <button
                type="button"
                class="button small"
                data-testid="copy-step"
                on:click=move |_| is_copied.set(copy_text(&copied().unwrap_or_default()))
            >
                {name}
            </button>
        </div>
    }
}
