//! What there is to say about the link that was opened.

use std::sync::Arc;

use lanescope_frontend::is_wgsl;
use lanescope_locale::Language;
use lanescope_locale::page::PageWords;
use lanescope_locale::source_kind::SourceKindWords;
use lanescope_share::Source;
use leptos::prelude::*;

use super::clipboard::copy_text;
use super::second_text;
use crate::export::save_text;
use crate::link_notice::LinkNotice;
use crate::session::Session;
use crate::words::links;

/// One line for each, until it is closed.
#[component]
pub(crate) fn Notices(session: Session) -> impl IntoView {
    let lines = move || {
        let language = session.language();
        let notices = session.notices.get().into_iter().enumerate();
        notices
            .map(|(index, notice)| line(session, language, index, &notice))
            .collect_view()
    };
    view! {
        <div class="notices" data-testid="notices">
            {lines}
        </div>
    }
}

fn line(
    session: Session,
    language: Language,
    index: usize,
    notice: &LinkNotice,
) -> impl IntoView + use<> {
    let class = match notice {
        LinkNotice::Error { .. } | LinkNotice::File(_) => "notice error",
        LinkNotice::Notice(_) | LinkNotice::TooLong | LinkNotice::Beside { .. } => "notice",
    };
    let way_on = match notice {
        LinkNotice::Error { link, .. } => raw_link(link, language).into_any(),
        LinkNotice::TooLong => save_source(session, language).into_any(),
        LinkNotice::Beside { alone, .. } => replace_instead(session, language, alone).into_any(),
        LinkNotice::Notice(_) | LinkNotice::File(_) => ().into_any(),
    };
    let close = move |_| {
        session.notices.update(|notices| {
            if index < notices.len() {
                notices.remove(index);
            }
        });
    };
    view! {
        <div class=class role="alert">
            <span>{links::notice(language, notice)}</span>
            <div class="space"></div>
            {way_on}
            <button type="button" class="button small" on:click=close>
                {PageWords::of(language).close}
            </button>
        </div>
    }
}

/// Characters of a link that are shown.
const SHOWN_MAX: usize = 160;

/// The link as it stands in the address, and a button that copies it.
fn raw_link(link: &str, language: Language) -> impl IntoView + use<> {
    let mut shown: String = link.chars().take(SHOWN_MAX).collect();
    if shown.len() < link.len() {
        shown.push('…');
    }
    let whole = format!("#{link}");
    let copy = move |_| {
        copy_text(&whole);
    };
    view! {
        <code class="raw-link" data-testid="raw-link">
            {shown}
        </code>
        <button type="button" class="button small" data-testid="copy-raw-link" on:click=copy>
            {PageWords::of(language).copy_link}
        </button>
    }
}

/// A button that takes the second text of a kernel alone.
fn replace_instead(
    session: Session,
    language: Language,
    alone: &Arc<str>,
) -> impl IntoView + use<> {
    let alone = alone.to_string();
    let replace = move |_| {
        session.notices.set(Vec::new());
        second_text::take_alone(session, &alone);
    };
    view! {
        <button type="button" class="button small" data-testid="replace-instead" on:click=replace>
            {SourceKindWords::of(language).replace_instead}
        </button>
    }
}

/// A button that saves the source as a file.
fn save_source(session: Session, language: Language) -> impl IntoView + use<> {
    let save = move |_| {
        let (text, name) = file_of(&session.page().state.source);
        save_text(&text, "text/plain", name);
    };
    view! {
        <button type="button" class="button small" data-testid="save-source" on:click=save>
            {PageWords::of(language).save_source}
        </button>
    }
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
