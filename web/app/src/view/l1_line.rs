//! What an L1 cache would fetch for the global load on screen.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use lanescope_model::Space;
use lanescope_share::Source;

use crate::answer::{L1, l1};
use crate::element::{El, el};
use crate::page::Page;
use crate::rest::Rest;
use crate::session::Session;
use crate::words::Message;

/// A line under the picture of a kernel's global load; it is worked out once the source rests.
pub(crate) fn build(session: Session) -> El {
    let sentence = el("span").testid("l1");
    let model = session.say(el("span").class("hint"), Message::L1Model);
    let line = el("p").class("l1").with(&sentence).with_text(" ");
    let line = session.name(line.with(&model), "title", Message::L1About);
    let (shown, rest) = (line.clone(), Rest::default());
    let known: Rc<Cell<Option<L1>>> = Rc::default();
    session.follow(move |page, before| {
        let is_same = before.is_some_and(|before| {
            Arc::ptr_eq(&before.answer, &page.answer) && Arc::ptr_eq(&before.insides, &page.insides)
        });
        if is_same {
            return put(&shown, &sentence, page, known.get());
        }
        known.set(None);
        shown.show(false);
        if is_kernel(page) {
            let (shown, sentence, known) = (shown.clone(), sentence.clone(), Rc::clone(&known));
            rest.then(move || {
                let page = session.page();
                let inside = page.inside(Space::Global).filter(|_| is_kernel(&page));
                known.set(inside.and_then(|inside| l1(&page.answer, inside)));
                put(&shown, &sentence, &page, known.get());
            });
        }
    });
    line
}

fn is_kernel(page: &Page) -> bool {
    matches!(page.state.source, Source::Kernel(_))
}

fn put(line: &El, sentence: &El, page: &Page, known: Option<L1>) {
    line.show(known.is_some());
    if let Some(l1) = known {
        sentence.put_text(&page.language.say(&Message::L1(l1)));
    }
}
