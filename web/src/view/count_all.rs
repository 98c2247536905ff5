//! Counting every block of a launch: a few at a time, with progress, to be cancelled.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::{set_timeout, window};

use crate::answer::Count;
use crate::element::{El, el};
use crate::session::Session;
use crate::words::Message;

/// How long one slice may keep the page from answering.
const SLICE_MS: f64 = 10.0;

/// The elements, and the count under way.
struct Counter {
    session: Session,
    row: El,
    start: El,
    cancel: El,
    progress: El,
    said: El,
    under_way: Option<Count>,
}

/// A button that counts all blocks, where only some were counted.
pub(crate) fn build(session: Session) -> El {
    let button = |testid: &str| {
        el("button")
            .set("type", "button")
            .class("button small")
            .testid(testid)
    };
    let counter = Rc::new(RefCell::new(Counter {
        session,
        row: el("div").class("controls"),
        start: session.say(button("count-all"), Message::CountAll),
        cancel: session.say(button("cancel").set("hidden", ""), Message::Cancel),
        progress: el("progress").set("hidden", ""),
        said: el("span").class("hint").testid("progress"),
        under_way: None,
    }));
    let row = counter.borrow().row.clone();
    let (started, cancelled) = (Rc::clone(&counter), Rc::clone(&counter));
    let start = counter
        .borrow()
        .start
        .clone()
        .on("click", move |_| begin(&started));
    let cancel = counter
        .borrow()
        .cancel
        .clone()
        .on("click", move |_| cancelled.borrow_mut().stop());
    row.add(&start);
    row.add(&cancel);
    row.add(&counter.borrow().progress);
    row.add(&counter.borrow().said);
    session.follow(move |page, before| {
        if before.is_none_or(|before| before.question() != page.question()) {
            counter.borrow_mut().stop();
        }
        let outcome = page.answer.outcome.as_ref();
        let is_partial = outcome.is_some_and(|outcome| outcome.blocks_done < outcome.blocks_total);
        let counter = counter.borrow();
        counter
            .row
            .show(is_partial && !page.answer.program.sites().is_empty());
    });
    row
}

fn begin(counter: &Rc<RefCell<Counter>>) {
    let page = counter.borrow().session.page();
    counter.borrow_mut().under_way = Some(Count::new(&page.answer));
    counter.borrow().show();
    next_slice(counter);
}

fn next_slice(counter: &Rc<RefCell<Counter>>) {
    let counter = Rc::clone(counter);
    set_timeout(
        move || {
            if counter.borrow_mut().slice() {
                next_slice(&counter);
            }
        },
        Duration::ZERO,
    );
}

fn now() -> f64 {
    window()
        .performance()
        .map_or(0.0, |performance| performance.now())
}

impl Counter {
    /// Counts for a moment; `false` when there is nothing more to do.
    fn slice(&mut self) -> bool {
        let Some(count) = &mut self.under_way else {
            return false;
        };
        let end = now() + SLICE_MS;
        while count.step() {
            if now() >= end {
                self.show();
                return true;
            }
        }
        if let Some(count) = self.under_way.take() {
            let question = self.session.page().question().clone();
            self.session.take_whole(question, count.answer());
        }
        self.show();
        false
    }

    fn stop(&mut self) {
        self.under_way = None;
        self.show();
    }

    fn show(&self) {
        let progress = self.under_way.as_ref().map(Count::progress);
        self.start.show(progress.is_none());
        self.cancel.show(progress.is_some());
        self.progress.show(progress.is_some());
        let text = progress.map(|(done, total)| {
            self.progress.put("max", &total.to_string());
            self.progress.put("value", &done.to_string());
            self.session
                .page()
                .language
                .say(&Message::Counting { done, total })
        });
        self.said.put_text(&text.unwrap_or_default());
    }
}
