//! What there is to say about the link that was opened.

use lanescope_cuda::source::is_wgsl;
use lanescope_share::Source;
use leptos::prelude::*;

use crate::element::{El, el, number_around};
use crate::export::save_text;
use crate::session::{Said, Session};
use crate::view::share_menu::copy_text;
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
            fill(
                &followed,
                &session.said.get_untracked(),
                session,
                page.language,
            );
        }
    });
    Effect::new(move || {
        let said = session.said.get();
        fill(&shown, &said, session, session.page().language);
    });
    all
}

fn fill(all: &El, said: &[Said], session: Session, language: Language) {
    let lines: Vec<El> = said
        .iter()
        .enumerate()
        .map(|(index, said)| line(index, said, session, language))
        .collect();
    all.put_all(&lines);
}

fn line(index: usize, said: &Said, session: Session, language: Language) -> El {
    let class = match said {
        Said::Error { .. } => "notice error",
        Said::Notice(_) | Said::TooLong => "notice",
    };
    let close = el("button")
        .set("type", "button")
        .class("button small")
        .set("data-close", &index.to_string());
    let line = el("div").class(class).set("role", "alert").with_all(&[
        el("span").text(&language.said(said)),
        el("div").class("space"),
    ]);
    match said {
        Said::Error { link, .. } => line.with_all(&raw_link(link, language)),
        Said::TooLong => line.with(&save_source(session, language)),
        Said::Notice(_) => line,
    }
    .with(&close.text(&language.say(&Message::Close)))
}

/// Characters of a link that are shown.
const SHOWN_MAX: usize = 160;

/// The link as it stands in the address, and a button that copies it.
fn raw_link(link: &str, language: Language) -> [El; 2] {
    let mut shown: String = link.chars().take(SHOWN_MAX).collect();
    if shown.len() < link.len() {
        shown.push('…');
    }
    let whole = format!("#{link}");
    let copy = el("button")
        .set("type", "button")
        .class("button small")
        .testid("copy-raw-link")
        .on("click", move |_| {
            copy_text(&whole);
        });
    [
        el("code").class("raw-link").testid("raw-link").text(&shown),
        copy.text(&language.say(&Message::CopyLink)),
    ]
}

/// A button that saves the source as a file.
fn save_source(session: Session, language: Language) -> El {
    let save = el("button")
        .set("type", "button")
        .class("button small")
        .testid("save-source")
        .on("click", move |_| {
            let (text, name) = file_of(&session.page().state.source);
            save_text(&text, "text/plain", name);
        });
    save.text(&language.say(&Message::SaveSource))
}

/// A source as a text, and the name of its file.
fn file_of(source: &Source) -> (String, &'static str) {
    match source {
        Source::Expression {
            accesses,
            declarations,
        } => (format!("{declarations}\n{accesses}\n"), "accesses.txt"),
        Source::Kernel(text) if is_wgsl(text) => (text.clone(), "kernel.wgsl"),
        Source::Kernel(text) => (text.clone(), "kernel.cu"),
        Source::Layout { layout, access } => (format!("{layout}\n{access}\n"), "layout.txt"),
        Source::Trace(text) => (text.clone(), "trace.csv"),
    }
}
