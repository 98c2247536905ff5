//! What an L1 cache would fetch for the global load on screen.

use std::sync::Arc;

use lanescope_model::Space;
use lanescope_share::Source;
use leptos::prelude::*;

use crate::answer::{L1, l1};
use crate::page::Page;
use crate::rest::Rest;
use crate::session::Session;
use crate::words::Message;

/// A line under the picture of a kernel's global load; it is worked out once the source rests.
#[component]
pub(crate) fn L1Line(session: Session) -> impl IntoView {
    let known: RwSignal<Option<L1>> = RwSignal::new(None);
    follow(session, known);
    let sentence = move || {
        known
            .get()
            .map(|l1| session.language().say(&Message::L1(l1)))
    };
    view! {
        <p class="l1" hidden=move || known.get().is_none() title=session.text(Message::L1About)>
            <span data-testid="l1">{sentence}</span>
            " "
            <span class="hint">{session.text(Message::L1Model)}</span>
        </p>
    }
}

fn follow(session: Session, known: RwSignal<Option<L1>>) {
    let rest = Rest::default();
    session.follow(move |page, before| {
        let is_same = before.is_some_and(|before| {
            Arc::ptr_eq(&before.answer, &page.answer) && Arc::ptr_eq(&before.insides, &page.insides)
        });
        if is_same {
            return;
        }
        known.set(None);
        if is_kernel(page) {
            rest.then(move || {
                let page = session.page();
                let inside = page.inside(Space::Global).filter(|_| is_kernel(&page));
                known.set(inside.and_then(|inside| l1(&page.answer, inside)));
            });
        }
    });
}

fn is_kernel(page: &Page) -> bool {
    matches!(page.state.source, Source::Kernel(_))
}
