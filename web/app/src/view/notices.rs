//! What there is to say about the link that was opened.

use leptos::prelude::*;

use crate::element::{El, el, number_around};
use crate::session::{Said, Session};
use crate::words::{Language, Message};

/// One line for each, until it is closed.
pub(crate) fn build(session: Session) -> El {
    let all = el("div")
        .class("notices")
        .testid("notices")
        .on("click", move |event| {
            if let Some(index) = number_around(&event, "data-close") {
                session.said.update(|said| {
                    said.remove(index.min(said.len().saturating_sub(1)));
                });
            }
        });
    let (shown, followed) = (all.clone(), all.clone());
    session.follow(move |page, before| {
        if before.is_none_or(|before| before.language != page.language) {
            fill(&followed, &session.said.get_untracked(), page.language);
        }
    });
    Effect::new(move || {
        let said = session.said.get();
        fill(&shown, &said, session.page().language);
    });
    all
}

fn fill(all: &El, said: &[Said], language: Language) {
    let lines: Vec<El> = said
        .iter()
        .enumerate()
        .map(|(index, said)| line(index, said, language))
        .collect();
    all.put_all(&lines);
}

fn line(index: usize, said: &Said, language: Language) -> El {
    let class = if matches!(said, Said::Error(_)) {
        "notice error"
    } else {
        "notice"
    };
    let close = el("button")
        .set("type", "button")
        .class("button small")
        .set("data-close", &index.to_string());
    el("div").class(class).set("role", "alert").with_all(&[
        el("span").text(&language.said(said)),
        el("div").class("space"),
        close.text(&language.say(&Message::Close)),
    ])
}
