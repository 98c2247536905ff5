//! What an L1 cache would fetch for the global load on screen.

use std::sync::Arc;

use lanescope_locale::{Language, page};
use lanescope_model::Space;
use lanescope_share::Source;
use leptos::prelude::*;

use crate::answer::{L1, Place, has_l1, l1};
use crate::background;
use crate::debounce::Debounce;
use crate::page::Page;
use crate::session::Session;
use crate::work::{At, Response, Task};

/// A line under the picture of a kernel's global load; it is worked out once the source rests.
#[component]
pub(crate) fn L1Line(session: Session) -> impl IntoView {
    let known: RwSignal<Option<L1>> = RwSignal::new(None);
    follow(session, known);
    let sentence = move || known.get().map(|l1| fetched(session.language(), &l1));
    view! {
        <p class="l1" hidden=move || known.get().is_none() title=session.word(|words| words.l1_about)>
            <span data-testid="l1">{sentence}</span>
            " "
            <span class="hint">{session.word(|words| words.l1_model)}</span>
        </p>
    }
}

/// What the load asks of the cache.
fn fetched(language: Language, l1: &L1) -> String {
    let sectors = [l1.counts.requested, l1.counts.distinct, l1.counts.fetched];
    page::l1(language, sectors, l1.bytes.map(|bytes| bytes / 1024))
}

fn follow(session: Session, known: RwSignal<Option<L1>>) {
    let debounce = Debounce::default();
    session.follow(move |page, before| {
        let is_same = before.is_some_and(|before| {
            before.has_answer_of(page) && Arc::ptr_eq(&before.insides, &page.insides)
        });
        if is_same {
            return;
        }
        known.set(None);
        if is_kernel(page) {
            debounce.then(move || look_at(session, known));
        }
    });
}

/// Works it out for the load on screen: here, or where the program is long in a worker.
fn look_at(session: Session, known: RwSignal<Option<L1>>) {
    let page = session.page();
    let inside = page.inside(Space::Global).filter(|_| is_kernel(&page));
    let Some(inside) = inside.filter(|inside| has_l1(&page.answer, inside)) else {
        return known.set(None);
    };
    let (site, block) = (inside.site, inside.block);
    if !page.question().is_left_to_worker(&page.answer) {
        return known.set(l1(&page.answer, site, block));
    }
    let at = At::Place(Place::of_site(site, block));
    let insides = Arc::clone(&page.insides);
    background::ask(Task::L1, page.question(), at, move |response| {
        let is_current = Arc::ptr_eq(&insides, &session.page().insides);
        if let (true, Some(Response::L1(found))) = (is_current, response) {
            known.set(found);
        }
    });
}

fn is_kernel(page: &Page) -> bool {
    matches!(page.state.source, Source::Kernel(_))
}
