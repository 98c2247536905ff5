//! The root of the page.

use lanescope_locale::page::PageWords;
use lanescope_share::Source;
use leptos::ev;
use leptos::prelude::*;
use web_sys::Event;

use crate::address;
use crate::answer::Headline;
use crate::beside;
use crate::session::Session;
use crate::view::access_table::AccessTable;
use crate::view::compiled_card::CompiledCard;
use crate::view::device_table::DeviceTable;
use crate::view::exports::Exports;
use crate::view::foot::Foot;
use crate::view::header::Header;
use crate::view::heat_strip;
use crate::view::layout_card::LayoutCard;
use crate::view::measured_card::MeasuredCard;
use crate::view::notices::Notices;
use crate::view::reasons::Guesses;
use crate::view::requests::{Requests, RequestsPanel};
use crate::view::run_card::RunCard;
use crate::view::second_text;
use crate::view::source_card::SourceCard;
use crate::view::trace_card::TraceCard;
use crate::view::verdict_card::VerdictCard;
use crate::view::{drop_anywhere, linked_access, paste_anywhere};
use crate::{background, compiled, opened, read_ahead};
use crate::{recent, undo};
use lanescope_ui::element::{by_id, document_element};
use lanescope_ui::theme;

/// The whole page.
#[component]
pub(crate) fn App() -> impl IntoView {
    let session = Session::start();
    provide_context(Guesses::of(session));
    Requests::provide();
    Exports::provide();
    follow_document(session);
    keep_address(session);
    undo::follow_keys(session);
    read_ahead::follow(session);
    background::follow(session);
    opened::follow(session);
    paste_anywhere::follow(session);
    compiled::follow(session, second_text::beside);
    name_tab(session);
    view! {
        <Header session />
        <Main session />
        <Foot session />
        // On a narrow screen the source stands below the picture: one tap leads to it.
        <button
            type="button"
            class="button primary to-source"
            data-testid="to-source"
            on:click=move |_| by_id("source").scroll_here()
        >
            {session.word(|words| words.to_source)}
        </button>
    }
}

/// The source on one side, the answer on the other.
#[component]
fn Main(session: Session) -> impl IntoView {
    let main = NodeRef::new();
    linked_access::mark(session, main);
    let (strip, beside) = (heat_strip::follow(session), beside::follow(session));
    let kind = session.of_page(|page| kind(&page.state.source));
    let is_awaited = session.of_page(|page| page.is_awaited().then_some(""));
    view! {
        <main
            node_ref=main
            data-source=kind
            data-awaited=is_awaited
            on:pointerover=move |event| linked_access::point(session, &event)
            on:focusin=move |event| linked_access::point(session, &event)
            on:pointerleave=move |_| session.point_at(None)
            on:dragover=|event| event.prevent_default()
            on:drop=move |event| drop_anywhere::take_dropped(session, &event)
        >
            <Notices session />
            <div class="column">
                <SourceCard session has_launch=true />
                <DeviceTable session />
            </div>
            <div class="column">
                <VerdictCard session has_fixes=true />
                <LayoutCard session />
                <TraceCard session />
                <MeasuredCard session />
                <RequestsPanel session strip beside />
                <AccessTable session />
                <RunCard session />
            </div>
            <CompiledCard session />
        </main>
    }
}

/// What the style sheet is told of the source: cards about a launch say nothing of a trace, and lines of a kernel want
/// room.
const fn kind(source: &Source) -> Option<&'static str> {
    match source {
        Source::Trace(_) => Some("trace"),
        Source::Kernel(_) => Some("kernel"),
        Source::Layout { .. } => Some("layout"),
        Source::Expression { .. } => None,
    }
}

/// Names the browser's tab by the verdict.
fn name_tab(session: Session) {
    session.follow_late(|page, _| {
        let page = page.counted_page();
        let standing = page.answer.standing();
        let is_nothing = page.verdict.headline == Headline::Nothing;
        document().set_title(&match is_nothing {
            true => format!("Lanescope: {}", PageWords::of(page.language).tagline),
            false => format!(
                "{} · Lanescope",
                page.verdict.headline.qualified(&standing, page.language)
            ),
        });
    });
}

/// Makes the document's language and theme those of the session.
pub(crate) fn follow_document(session: Session) {
    session.follow(|page, _| {
        let document = document_element();
        document.put("lang", page.language.bcp47());
        document.put_option("data-theme", theme::wanted(page.state.theme));
    });
}

/// Keeps the state and the address the same.
fn keep_address(session: Session) {
    session.follow_late(move |page, before| {
        // To write a long text as a link takes milliseconds.
        if before.is_none_or(|before| before.state != page.state) {
            session.say_too_long(address::replace(&page.state));
        }
    });
    let reopen = move || {
        if !address::is_own() {
            session.reopen();
        }
    };
    let changed = window_event_listener(ev::hashchange, move |_| reopen());
    let back = window_event_listener(ev::popstate, move |_| {
        session.forget_measured();
        reopen();
    });
    let leaving = window_event_listener(ev::pagehide, move |_| {
        hand_over();
        let state = session.state();
        address::leave(&state);
        recent::remember(&state);
    });
    on_cleanup(move || {
        changed.remove();
        back.remove();
        leaving.remove();
    });
}

/// Has an editor tell what was pasted and is still to be told.
fn hand_over() {
    if let Ok(event) = Event::new("lanescope:leaving") {
        let _ = window().dispatch_event(&event);
    }
}
