//! The bar at the top.

use leptos::prelude::Set as _;

use super::share_menu;
use crate::element::{El, by_id, el, svg};
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
    let bar = el("header").class("top").with_all(&[
        logo(),
        el("nav")
            .with(&session.say(playground, Message::Playground))
            .with(&session.say(el("a").set("href", "gallery/"), Message::Gallery))
            .with(&session.say(el("a").set("href", "lab.html"), Message::Lab)),
        el("div").class("space"),
        language_switch(session),
        theme_switch(session),
        share_menu::build(session),
    ]);
    [skip, bar]
}

fn logo() -> El {
    let bar = |x: &str, opacity: &str| {
        let place = svg("rect")
            .set("x", x)
            .set("y", "1")
            .set("width", "4")
            .set("height", "20");
        place
            .set("rx", "1")
            .set("opacity", opacity)
            .set("fill", "currentColor")
    };
    let picture = svg("svg")
        .set("viewBox", "0 0 22 22")
        .set("aria-hidden", "true")
        .with_all(&[
            bar("1", ".25"),
            bar("6.3", ".25"),
            bar("11.6", "1"),
            bar("17", ".25"),
        ]);
    el("div")
        .class("logo")
        .with(&picture)
        .with(&el("span").text("Lanescope"))
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
    let ring = svg("circle")
        .set("cx", "8")
        .set("cy", "8")
        .set("r", "6.2")
        .set("fill", "none");
    let half = svg("path")
        .set("d", "M8 1.8a6.2 6.2 0 0 1 0 12.4z")
        .set("fill", "currentColor");
    let picture = svg("svg")
        .set("viewBox", "0 0 16 16")
        .set("aria-hidden", "true")
        .with_all(&[
            ring.set("stroke", "currentColor")
                .set("stroke-width", "1.6"),
            half,
        ]);
    let switch = button("theme-switch").with(&picture);
    let switch = session.name(switch, "aria-label", Message::SwitchTheme);
    session
        .name(switch, "title", Message::SwitchTheme)
        .on("click", move |_| {
            session.edit(|state| state.theme = Some(theme::other(state.theme)));
        })
}
