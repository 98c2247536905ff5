//! The page inside another page: the answer and its picture, the source folded, and the way back.

use leptos::ev;
use leptos::prelude::*;

use crate::address;
use crate::app::follow_document;
use crate::background;
use crate::beside;
use crate::read_ahead;
use crate::session::Session;
use crate::view::code_line::CodeLine;
use crate::view::heat_strip;
use crate::view::inside_card::InsideCard;
use crate::view::notices::Notices;
use crate::view::source_card::SourceCard;
use crate::view::variables::VariableSliders;
use crate::view::verdict_card::VerdictCard;

/// The embed. It reads its address and never writes it. The sliders stand beside the picture; the style sheet hides those
/// inside the folded source.
#[component]
pub(crate) fn Embed() -> impl IntoView {
    let session = Session::start();
    follow_document(session);
    read_ahead::follow(session);
    background::follow(session);
    let changed = window_event_listener(ev::hashchange, move |_| session.reopen());
    on_cleanup(move || changed.remove());
    let (strip, beside) = (heat_strip::follow(session), beside::follow(session));
    let is_bare = session.of_page(|page| page.state.embed.bare);
    view! {
        <main class=move || if is_bare() { "embed bare" } else { "embed" }>
            <Notices session />
            <CodeLine session />
            <VerdictCard session has_fixes=false />
            <VariableSliders session class="sliders" />
            <InsideCard session index=0 strip beside />
            <InsideCard session index=1 strip beside />
            <details class="fold" data-testid="source" open=session.page().state.embed.source>
                <summary>
                    <h2>{session.word(|words| words.label.source_text)}</h2>
                </summary>
                <SourceCard session has_launch=false />
            </details>
            <Back session />
        </main>
    }
}

/// The device, and the link to the page itself in the state on screen.
#[component]
fn Back(session: Session) -> impl IntoView {
    let device = session.of_page(|page| {
        let device = page.answer.device.as_ref();
        device.map(|device| device.name())
    });
    view! {
        <p class="back">
            <span>{device}</span>
            <a
                data-testid="back"
                target="_blank"
                rel="noopener"
                href=session.of_page(|page| address::link(&page.state))
            >
                {session.word(|words| words.label.open_in_lanescope)}
            </a>
        </p>
    }
}
