//! The bar at the top.

use lanescope_share::Theme;
use leptos::prelude::*;

use super::share_menu::ShareMenu;
use crate::session::{Session, session};
use crate::storage;
use crate::words::Message;

const REMEMBERED: &str = "lanescope.theme";

/// Name, parts of the page, language, theme, sharing.
#[component]
pub(crate) fn Header() -> impl IntoView {
    let session = session();
    let words = session.words();
    view! {
        <a class="skip" href="#" on:click=skip>{words.of(Message::SkipToAnswer)}</a>
        <header class="top">
            <div class="logo">
                <svg viewBox="0 0 22 22" aria-hidden="true">
                    <g fill="currentColor">
                        <rect x="1" y="1" width="4" height="20" rx="1" opacity=".25"/>
                        <rect x="6.3" y="1" width="4" height="20" rx="1" opacity=".25"/>
                        <rect x="11.6" y="1" width="4" height="20" rx="1"/>
                        <rect x="17" y="1" width="4" height="20" rx="1" opacity=".25"/>
                    </g>
                </svg>
                <span>"Lanescope"</span>
            </div>
            <nav><a aria-current="page" href="./">{words.of(Message::Playground)}</a></nav>
            <div class="space"></div>
            <button
                type="button"
                class="button"
                data-testid="lang-switch"
                lang=move || session.language.get().other().code()
                on:click=move |_| switch_language(session)
            >
                {words.of(Message::SwitchLanguage)}
            </button>
            <button
                type="button"
                class="button"
                data-testid="theme-switch"
                aria-label=words.of(Message::SwitchTheme)
                title=words.of(Message::SwitchTheme)
                on:click=move |_| switch_theme(session)
            >
                <svg viewBox="0 0 16 16" aria-hidden="true">
                    <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.6"/>
                    <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z" fill="currentColor"/>
                </svg>
            </button>
            <ShareMenu/>
        </header>
    }
}

/// Goes to the answer without a new address: the fragment is the state.
fn skip(event: leptos::ev::MouseEvent) {
    event.prevent_default();
    let answer = document().get_element_by_id("answer");
    if let Some(answer) = answer {
        use wasm_bindgen::JsCast as _;
        let _ = answer.unchecked_ref::<web_sys::HtmlElement>().focus();
    }
}

fn switch_language(session: Session) {
    let next = session.language.get_untracked().other();
    next.remember();
    session
        .state
        .update(|state| state.language = Some(next.shared()));
}

fn switch_theme(session: Session) {
    let next = if is_dark(session.state.with_untracked(|state| state.theme)) {
        Theme::Light
    } else {
        Theme::Dark
    };
    storage::remember(REMEMBERED, name(next));
    session.state.update(|state| state.theme = Some(next));
}

const fn name(theme: Theme) -> &'static str {
    match theme {
        Theme::Dark => "dark",
        Theme::Light => "light",
    }
}

/// The theme that a link names or that was chosen before; `None`: the system's.
fn wanted(linked: Option<Theme>) -> Option<&'static str> {
    let remembered = || storage::recall(REMEMBERED);
    linked.map(name).or_else(|| match remembered().as_deref() {
        Some("dark") => Some("dark"),
        Some("light") => Some("light"),
        _ => None,
    })
}

fn is_dark(linked: Option<Theme>) -> bool {
    wanted(linked).map_or_else(system_is_dark, |theme| theme == "dark")
}

fn system_is_dark() -> bool {
    let query = window().match_media("(prefers-color-scheme: dark)");
    query.ok().flatten().is_some_and(|query| query.matches())
}

/// Makes the document's language and theme those of the session.
pub(crate) fn follow(session: Session) {
    Effect::new(move || {
        let Some(root) = document().document_element() else {
            return;
        };
        // Attributes of the root element are never refused.
        let _ = root.set_attribute("lang", session.language.get().code());
    });
    let theme = Memo::new(move |_| session.state.with(|state| state.theme));
    Effect::new(move || {
        let Some(root) = document().document_element() else {
            return;
        };
        let _ = match wanted(theme.get()) {
            Some(name) => root.set_attribute("data-theme", name),
            None => root.remove_attribute("data-theme"),
        };
    });
}
