//! The root of the page.

use lanescope_share::Source;
use leptos::ev;
use leptos::prelude::*;

use crate::address;
use crate::answer::Headline;
use crate::beside;
use crate::element::{El, by_id, document_element, el};
use crate::reader;
use crate::session::Session;
use crate::theme;
use crate::view::{
    access_table, compiled_card, device_table, drop_anywhere, facts_card, fix_chips, header,
    heat_strip, inside_card, launch_card, layout_card, linked_access, measured_card, notices,
    source_card, trace_card, verdict_card,
};
use crate::words::Message;
use crate::{recent, undo};

/// Builds the whole page in `root`.
pub(crate) fn build(root: &El) {
    let session = Session::start();
    follow_document(session);
    keep_address(session);
    undo::follow_keys(session);
    reader::follow(session);
    let main = el("main");
    let strip = heat_strip::follow(session);
    let beside = beside::follow(session);
    let main = linked_access::follow(session, main)
        .with(&notices::build(session))
        .with(&el("div").class("column").with_all(&[
            source_card::build(session, Some(launch_card::build(session))),
            device_table::build(session),
            facts_card::build(session),
        ]))
        .with(&el("div").class("column").with_all(&[
            verdict_card::build(session).with(&fix_chips::build(session)),
            layout_card::build(session),
            trace_card::build(session),
            measured_card::build(session),
            inside_card::build(session, 0, strip, beside),
            inside_card::build(session, 1, strip, beside),
            access_table::build(session),
        ]))
        .with(&compiled_card::build(session));
    header::build(session)
        .iter()
        .for_each(|part| root.add(part));
    let main = drop_anywhere::follow(session, main);
    follow_kind(session, main.clone());
    root.add(&main);
    root.add(&session.say(el("footer").class("foot"), Message::Trust));
    root.add(&to_source(session));
    name_tab(session);
    session.run();
}

/// On a narrow screen the source stands below the picture: one tap leads to it.
fn to_source(session: Session) -> El {
    let button = el("button").set("type", "button").testid("to-source");
    session
        .say(button.class("button primary to-source"), Message::ToSource)
        .on("click", |_| by_id("source").scroll_here())
}

/// Names the browser's tab by the verdict.
fn name_tab(session: Session) {
    session.follow_late(|page, _| {
        let said = Message::Qualified(&page.verdict.headline, page.answer.standing().status);
        let is_nothing = page.verdict.headline == Headline::Nothing;
        document().set_title(&match is_nothing {
            true => format!("Lanescope: {}", page.language.say(&Message::Tagline)),
            false => format!("{} · Lanescope", page.language.say(&said)),
        });
    });
}

/// Tells the style sheet what kind of source is open: cards about a launch say nothing of a trace,
/// and lines of a kernel want room.
fn follow_kind(session: Session, main: El) {
    session.follow(move |page, _| {
        let kind = match page.state.source {
            Source::Trace(_) => Some("trace"),
            Source::Kernel(_) => Some("kernel"),
            Source::Layout { .. } => Some("layout"),
            Source::Expression { .. } => None,
        };
        main.put_option("data-source", kind);
    });
}

/// Makes the document's language and theme those of the session.
pub(crate) fn follow_document(session: Session) {
    session.follow(|page, _| {
        let document = document_element();
        document.put("lang", page.language.code());
        document.put_option("data-theme", theme::wanted(page.state.theme));
    });
}

/// Keeps the state and the address the same.
fn keep_address(session: Session) {
    session.follow_late(move |page, _| session.say_too_long(address::replace(&page.state)));
    let reopen = move || {
        if !address::is_own() {
            session.reopen();
        }
    };
    let changed = window_event_listener(ev::hashchange, move |_| reopen());
    let back = window_event_listener(ev::popstate, move |_| reopen());
    let leaving = window_event_listener(ev::pagehide, move |_| {
        let state = &session.page().state;
        address::leave(state);
        recent::remember(state);
    });
    on_cleanup(move || {
        changed.remove();
        back.remove();
        leaving.remove();
    });
}
