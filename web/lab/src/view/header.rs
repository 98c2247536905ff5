//! The bar at the top.

use lanescope_ui::element::El;
use lanescope_ui::emblem;
use leptos::prelude::*;
use web_sys::Element;

use crate::session::Session;

const NAME: &str = "Lanescope";

/// Where one is, the language and the colours.
#[component]
pub(crate) fn Header() -> impl IntoView {
    let session = Session::here();
    view! {
        <header class="top">
            <a class="logo" href="./" use:begins_with=Picture(emblem::banks)>
                <span>{NAME}</span>
            </a>
            <nav aria-label="Lanescope">
                <a href="./">{session.label(|words| words.playground)}</a>
                <a href="stories/">{session.label(|words| words.stories)}</a>
                <a href="./lab.html" aria-current="page">
                    {session.label(|words| words.lab)}
                </a>
            </nav>
            <div class:space=true></div>
            <LanguageSwitch />
            <ThemeSwitch />
        </header>
    }
}

#[component]
fn LanguageSwitch() -> impl IntoView {
    let session = Session::here();
    view! {
        <button
            type="button"
            class="button"
            id="lang-switch"
            data-testid="lang-switch"
            lang=move || session.language().next().code()
            on:click=move |_| session.switch_language()
        >
            {move || session.language().next().name()}
        </button>
    }
}

#[component]
fn ThemeSwitch() -> impl IntoView {
    let session = Session::here();
    let name = move || session.language().switch_theme();
    view! {
        <button
            type="button"
            class="button"
            id="theme-switch"
            data-testid="theme-switch"
            aria-label=name
            title=name
            use:begins_with=Picture(emblem::half_dark)
            on:click=move |_| session.switch_theme()
        ></button>
    }
}

/// Makes a picture that is shared with pages without a framework.
#[derive(Clone, Copy)]
struct Picture(fn() -> El);

/// The directive that puts a picture first into an element.
fn begins_with(host: Element, Picture(make): Picture) {
    if let Some(picture) = make().element() {
        let _ = host.prepend_with_node_1(picture);
    }
}
