//! The link to what is on screen, and the answer as Markdown.

use std::time::Duration;

use lanescope_draw::escape_xml;
use lanescope_share::{Length, encode};
use leptos::prelude::{set_timeout, window};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{HtmlInputElement, KeyboardEvent};

use super::verdict_card::sentences;
use crate::address;
use crate::answer::metrics;
use crate::element::{El, el};
use crate::page::Page;
use crate::session::Session;
use crate::words::Message;
use lanescope_webparts::shape::spell;

/// A button that unfolds the link.
pub(crate) fn build(session: Session) -> El {
    let link = el("input")
        .set("id", "link")
        .class("field")
        .testid("share-link")
        .set("readonly", "");
    let length = el("span");
    let copied = el("span").class("hint").set("role", "status");
    let button = |testid: &str, class: &str| {
        el("button")
            .set("type", "button")
            .class(class)
            .testid(testid)
    };
    let copy_link = session.say(button("copy-link", "button primary"), Message::CopyLink);
    let copy_markdown = session.say(button("copy-markdown", "button"), Message::CopyMarkdown);
    let copy = {
        let (link, copied) = (link.clone(), copied.clone());
        move |text: &str| {
            if copy_text(text) {
                copied.put_text(&session.page().language.say(&Message::Copied));
            } else {
                select(&link);
            }
            let copied = copied.clone();
            set_timeout(move || copied.put_text(""), Duration::from_secs(2));
        }
    };
    let copier = |element: El, text: fn(&Page) -> String| {
        let copy = copy.clone();
        element.on("click", move |_| copy(&text(&session.page())))
    };
    let copy_frame = session.say(button("copy-frame", "button"), Message::CopyFrame);
    let copy_element = session.say(button("copy-element", "button"), Message::CopyElement);
    let buttons = el("div").class("line").with_all(&[
        copier(copy_link, |page| address::link(&page.state)),
        copier(copy_markdown, markdown),
        copier(copy_frame, frame),
        copier(copy_element, element),
        copied,
    ]);
    let label = session.say(el("label").set("for", "link"), Message::Link);
    let sheet = el("div").class("sheet").with_all(&[
        el("div").with(&label).with(&link),
        length.clone(),
        buttons,
    ]);
    let summary = session.say(
        el("summary").class("button primary").testid("share"),
        Message::Share,
    );
    session.follow(move |page, _| {
        let bytes = encode(&page.state).len();
        link.put_value(&address::link(&page.state));
        length.put("class", length_class(bytes));
        length.put_text(&page.language.say(&length_message(bytes)));
    });
    let menu = el("details").class("menu").with(&summary).with(&sheet);
    let closed = menu.clone();
    menu.on("keydown", move |event| {
        if event.unchecked_ref::<KeyboardEvent>().key() == "Escape" {
            closed.put_option("open", None);
            summary.focus();
        }
    })
}

fn select(field: &El) {
    field.focus();
    if let Some(field) = field
        .element()
        .and_then(|field| field.dyn_ref::<HtmlInputElement>())
    {
        field.select();
    }
}

fn length_message(bytes: usize) -> Message<'static> {
    match Length::of(bytes) {
        Length::Short => Message::LinkShort { bytes },
        Length::Long => Message::LinkLong { bytes },
        Length::VeryLong => Message::LinkVeryLong { bytes },
        Length::TooLong => Message::LinkTooLong { bytes },
    }
}

const fn length_class(bytes: usize) -> &'static str {
    match Length::of(bytes) {
        Length::Short => "hint",
        Length::Long | Length::VeryLong => "hint long",
        Length::TooLong => "hint toolong",
    }
}

/// Puts `text` into the clipboard; `false` where there is none, as on an insecure page.
fn copy_text(text: &str) -> bool {
    let navigator = window().navigator();
    let clipboard = js_sys::Reflect::get(&navigator, &"clipboard".into());
    if clipboard.is_ok_and(|clipboard| clipboard.is_undefined()) {
        return false;
    }
    // A refusal (a page without the focus) leaves the link to be selected by hand.
    let ignore = Closure::new(|_: JsValue| {});
    let _ = navigator.clipboard().write_text(text).catch(&ignore);
    ignore.forget();
    true
}

/// The answer as Markdown, with its source and its link.
fn markdown(page: &Page) -> String {
    let language = page.language;
    let headline = language.say(&Message::Headline(&page.verdict.headline));
    let device = page
        .answer
        .device
        .as_ref()
        .map_or("", |device| device.name());
    let mut rows = String::new();
    for metric in metrics(page.answer.counted()) {
        let (amount, operation) = (&metric.amount, metric.operation);
        let label = language.say(&Message::Amount { amount, operation });
        rows += &format!(
            "| {} | {label} | {} |\n",
            amount.figure(),
            metric.name.unwrap_or_default()
        );
    }
    let [grid, block] = [page.answer.launch.grid, page.answer.launch.block].map(spell);
    format!(
        "**{headline}**\n\n{}\n\n```cuda\n{}\n```\n\n| | | |\n| ---: | --- | --- |\n{rows}\n\
         {device} · block {block} · grid {grid} · [Lanescope]({})\n",
        sentences(page),
        page.answer.source.trim(),
        address::link(&page.state),
    )
}

/// The state as a frame in another page.
fn frame(page: &Page) -> String {
    let link = address::link(&page.state);
    let embed = escape_xml(&link.replacen('#', "embed.html#", 1));
    format!(
        "<iframe src=\"{embed}\" width=\"100%\" height=\"560\" loading=\"lazy\" \
         title=\"Lanescope\" style=\"border:0\"></iframe>\n"
    )
}

/// The state as the custom element in another page, with a link for where scripts do not run.
fn element(page: &Page) -> String {
    let link = address::link(&page.state);
    let folder = escape_xml(link.split('#').next().unwrap_or_default());
    let headline = page
        .language
        .say(&Message::Headline(&page.verdict.headline));
    let (link, headline) = (escape_xml(&link), escape_xml(&headline));
    format!(
        "<script type=\"module\" src=\"{folder}lane-scope.js\"></script>\n\
         <lane-scope src=\"{link}\"><a href=\"{link}\">{headline}</a></lane-scope>\n"
    )
}
