//! The bar at the top.

use lanescope_locale::label::switch_theme;
use lanescope_ui::emblem;
use lanescope_ui::language::remember_language;
use leptos::prelude::*;

use super::manual_dom::{holds, made};
use super::share_menu::ShareMenu;
use crate::session::Session;
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
            {session.word(|words| words.label.skip_to_answer)}
        </a>
        <header class="top">
            <div class="logo" use:holds=made(emblem::banks())>
                <span>"Lanescope"</span>
            </div>
            <nav aria-label="Lanescope">
                <a aria-current="page" href="./">
                    {session.word(|words| words.label.playground)}
                </a>
                <a href="stories/">{session.word(|words| words.label.stories)}</a>
                <a href="lab.html">{session.word(|words| words.label.lab)}</a>
            </nav>
            <p class="space tagline">{session.word(|words| words.tagline)}</p>
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
        remember_language(next);
        session.pointed.set(None);
        session.edit(|state| state.language = Some(next));
    };
    view! {
        <button
            type="button"
            class="button"
            data-testid="lang-switch"
            lang=move || session.language().next().bcp47()
            on:click=change
        >
            {move || session.language().next().name()}
        </button>
    }
}

#[component]
fn ThemeSwitch(session: Session) -> impl IntoView {
    let label = move || switch_theme(session.language());
    view! {
        <button
            type="button"
            class="button"
            data-testid="theme-switch"
            aria-label=label
            title=label
            use:holds=made(emblem::half_dark())
            on:click=move |_| session.edit(|state| state.theme = Some(theme::other(state.theme)))
        ></button>
    }
}
