//! Every number known of the chosen device, with its source.

use lanescope_model::{Basis, Fact};

use super::badge;
use crate::element::{El, el};
use crate::page::Page;
use crate::session::Session;
use crate::words::{Language, Message};

/// A fold with the device's facts; nothing is made before it is opened.
pub(crate) fn build(session: Session) -> El {
    let head = el("summary").class("head").with_all(&[
        session.say(el("h2"), Message::Facts),
        session.say(el("span").class("about"), Message::FactsAbout),
    ]);
    let body = el("tbody");
    let table = el("div").class("wide").with(&el("table").with(&body));
    let fold = el("details")
        .class("card facts fold")
        .testid("facts")
        .with(&head)
        .with(&table);
    let (opened, filled) = (fold.clone(), body.clone());
    let fold = fold.on("toggle", move |_| {
        if is_open(&opened) {
            filled.put_all(&rows(&session.page()));
        }
    });
    let followed = fold.clone();
    session.follow_late(move |page, before| {
        let is_same = before.is_some_and(|before| {
            before.language == page.language && before.answer.device == page.answer.device
        });
        if !is_same && is_open(&followed) {
            body.put_all(&rows(page));
        }
    });
    fold
}

fn is_open(fold: &El) -> bool {
    fold.element()
        .is_some_and(|fold| fold.has_attribute("open"))
}

fn rows(page: &Page) -> Vec<El> {
    let facts = page
        .answer
        .device
        .as_ref()
        .map(|device| device.facts())
        .unwrap_or_default();
    facts.iter().map(|fact| row(fact, page.language)).collect()
}

fn row(fact: &Fact, language: Language) -> El {
    let trust = badge::empty();
    badge::put(
        &trust,
        Basis {
            source: fact.source,
            confidence: fact.confidence,
        },
        language,
    );
    let value = el("td").with_text(&language.say(&Message::Value(&fact.value)));
    el("tr").with_all(&[
        el("th")
            .set("scope", "row")
            .text(&language.say(&Message::Quantity(fact.quantity))),
        value.with(&el("div").class("source").text(fact.source)),
        el("td").with(&trust),
    ])
}
