//! The bar at the top.

use lanescope_ui::emblem;
use leptos::prelude::*;

use super::manual_dom::{holds, made};
use super::share_menu::ShareMenu;
use crate::session::Session;
use crate::words::Message;
use lanescope_ui::element::by_id;
use lanescope_ui::theme;

/// The link past it, and name, parts of the page, language, theme, sharing.
#[component]
pub(crate) fn Header(session: Session) -> impl IntoView {
    let to_answer = move |event: leptos::ev::MouseEvent| {
        // The fragment is the state: it stays.
        event.prevent_default();
        by_id("answer").focus();
    };
    view! {
        <a class="skip" href="#answer" on:click=to_answer>
            {session.text(Message::SkipToAnswer)}
        </a>
        <header class="top">
            <div class="logo" use:holds=made(emblem::banks())>
                <span>"Lanescope"</span>
            </div>
            <nav aria-label="Lanescope">
                <a aria-current="page" href="./">
                    {session.text(Message::Playground)}
                </a>
                <a href="stories/">{session.text(Message::Stories)}</a>
                <a href="lab.html">{session.text(Message::Lab)}</a>
            </nav>
            <p class="space tagline">{session.text(Message::Tagline)}</p>
            <LanguageSwitch session />
            <ThemeSwitch session />
            <ShareMenu session />
        </header>
    }
}

#[component]
fn LanguageSwitch(session: Session) -> impl IntoView {
    let change = move |_| {
        let next = session.language_now().next();
        next.remember();
        session.pointed.set(None);
        session.edit(|state| state.language = Some(next.language()));
    };
    view! {
        <button
            type="button"
            class="button"
            data-testid="lang-switch"
            lang=move || session.language().next().code()
            on:click=change
        >
            {session.text(Message::SwitchLanguage)}
        </button>
    }
}

#[component]
fn ThemeSwitch(session: Session) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button"
            data-testid="theme-switch"
            aria-label=session.text(Message::SwitchTheme)
            title=session.text(Message::SwitchTheme)
            use:holds=made(emblem::half_dark())
            on:click=move |_| session.edit(|state| state.theme = Some(theme::other(state.theme)))
        ></button>
    }
}
