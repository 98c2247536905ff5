//! The page inside another page: the answer and its picture, the source folded, and the way back.

use leptos::ev;
use leptos::prelude::*;

use crate::address;
use crate::app::follow_document;
use crate::beside;
use crate::element::{El, document_element, el};
use crate::reader;
use crate::session::Session;
use crate::view::{heat_strip, inside_card, notices, source_card, variables, verdict_card};
use crate::words::Message;

/// Whether the document is that of an embed.
pub(crate) fn is_wanted() -> bool {
    document_element()
        .element()
        .is_some_and(|document| document.has_attribute("data-embed"))
}

/// Builds the embed in `root`. It reads its address and never writes it. The sliders stand beside
/// the picture; the style sheet hides those inside the folded source.
pub(crate) fn build(root: &El) {
    let session = Session::start();
    follow_document(session);
    reader::follow(session);
    let changed = window_event_listener(ev::hashchange, move |_| session.reopen());
    on_cleanup(move || changed.remove());
    let (strip, beside) = (heat_strip::follow(session), beside::follow(session));
    let main = el("main").with_all(&[
        notices::build(session),
        verdict_card::build(session),
        variables::build(session, "sliders"),
        inside_card::build(session, 0, strip, beside),
        inside_card::build(session, 1, strip, beside),
        source(session),
        back(session),
    ]);
    root.add(&main);
    session.follow(move |page, _| {
        let is_bare = page.state.embed.bare;
        main.put("class", if is_bare { "embed bare" } else { "embed" });
    });
    session.run();
}

fn source(session: Session) -> El {
    let heading = session.say(el("h2"), Message::SourceText);
    let fold = el("details").class("fold").testid("source");
    let is_open = session.page().state.embed.source;
    fold.put_option("open", is_open.then_some(""));
    fold.with(&el("summary").with(&heading))
        .with(&source_card::build(session, None))
}

/// The device, and the link to the page itself in the state on screen.
fn back(session: Session) -> El {
    let device = el("span");
    let link = el("a")
        .testid("back")
        .set("target", "_blank")
        .set("rel", "noopener");
    let link = session.say(link, Message::OpenInLanescope);
    let line = el("p").class("back").with(&device).with(&link);
    session.follow(move |page, _| {
        device.put_text(
            page.answer
                .device
                .as_ref()
                .map_or("", |device| device.name()),
        );
        link.put("href", &address::link(&page.state));
    });
    line
}
