//! The bar at the top.

use lanescope_ui::emblem;
use leptos::prelude::Set as _;

use super::share_menu;
use crate::element::{El, by_id, el};
use crate::session::Session;
use crate::theme;
use crate::words::Message;

/// The link past it, and name, parts of the page, language, theme, sharing.
pub(crate) fn build(session: Session) -> [El; 2] {
    let skip = session
        .say(
            el("a").class("skip").set("href", "#answer"),
            Message::SkipToAnswer,
        )
        .on("click", |event| {
            // The fragment is the state: it stays.
            event.prevent_default();
            by_id("answer").focus();
        });
    let playground = el("a").set("aria-current", "page").set("href", "./");
    let name = el("span").text("Lanescope");
    let logo = el("div").class("logo").with(&emblem::banks()).with(&name);
    let bar = el("header").class("top").with_all(&[
        logo,
        el("nav")
            .with(&session.say(playground, Message::Playground))
            .with(&session.say(el("a").set("href", "gallery/"), Message::Gallery))
            .with(&session.say(el("a").set("href", "lab.html"), Message::Lab)),
        session.say(el("p").class("space tagline"), Message::Tagline),
        language_switch(session),
        theme_switch(session),
        share_menu::build(session),
    ]);
    [skip, bar]
}

fn button(testid: &str) -> El {
    el("button")
        .set("type", "button")
        .class("button")
        .testid(testid)
}

fn language_switch(session: Session) -> El {
    let switch = session.say(button("lang-switch"), Message::SwitchLanguage);
    let switched = switch.clone();
    session.follow(move |page, _| switched.put("lang", page.language.other().code()));
    switch.on("click", move |_| {
        let next = session.page().language.other();
        next.remember();
        session.pointed.set(None);
        session.edit(|state| state.language = Some(next.shared()));
    })
}

fn theme_switch(session: Session) -> El {
    let switch = button("theme-switch").with(&emblem::half_dark());
    let switch = session.name(switch, "aria-label", Message::SwitchTheme);
    session
        .name(switch, "title", Message::SwitchTheme)
        .on("click", move |_| {
            session.edit(|state| state.theme = Some(theme::other(state.theme)));
        })
}
