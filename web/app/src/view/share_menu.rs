//! What is on screen to take elsewhere: the link, embeds, Markdown, pictures, numbers.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use lanescope_draw::{Drawing, to_animated_svg, with_link};
use lanescope_model::Space;
use lanescope_share::{Length, encode};
use leptos::prelude::*;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{HtmlDetailsElement, HtmlInputElement};

use super::access_table::accesses;
use super::island::island;
use super::play::steps;
use super::share_forms::{PICTURE, gallery_page, link};
use super::snippet_form::SnippetForm;
use crate::card;
use crate::element::{El, el, key};
use crate::export;
use crate::page::Page;
use crate::session::Session;
use crate::words::Message;

/// A button that unfolds the sheet.
pub(crate) fn build(session: Session) -> El {
    let field = el("input")
        .set("id", "link")
        .class("field")
        .testid("share-link")
        .set("readonly", "");
    let length = el("span");
    let label = session.say(el("label").set("for", "link"), Message::Link);
    let preview = Preview::new(session);
    let sheet = el("div").class("sheet").with_all(&[
        el("div").with(&label).with(&field),
        length.clone(),
        copy_button(session, &field),
        island("div", move || view! { <SnippetForm session /> }),
        preview.picture.clone(),
        save_buttons(session),
        preview.gallery.clone(),
    ]);
    let summary = session.say(
        el("summary").class("button primary").testid("share"),
        Message::Share,
    );
    let menu = el("details").class("menu").with(&summary).with(&sheet);
    let (followed, previewed) = (menu.clone(), Rc::clone(&preview));
    session.follow_late(move |page, _| {
        let bytes = encode(&page.state).len();
        field.put_value(&link(page));
        length.put("class", length_class(bytes));
        length.put_text(&page.language.say(&length_message(bytes)));
        if is_open(&followed) {
            previewed.show(page);
        }
    });
    let (opened, closed) = (menu.clone(), menu.clone());
    menu.on("toggle", move |_| {
        if is_open(&opened) {
            preview.show(&session.page());
        }
    })
    .on("keydown", move |event| {
        if key(&event) == "Escape" {
            closed.put_option("open", None);
            summary.focus();
        }
    })
}

fn is_open(menu: &El) -> bool {
    let details = menu.element();
    details
        .and_then(|details| details.dyn_ref::<HtmlDetailsElement>())
        .is_some_and(HtmlDetailsElement::open)
}

/// The picture that will be taken, and the gallery's page.
struct Preview {
    picture: El,
    gallery: El,
}

impl Preview {
    fn new(session: Session) -> Rc<Self> {
        let gallery = el("a").testid("share-gallery");
        Rc::new(Self {
            picture: el("img").class("preview").testid("share-picture"),
            gallery: session.say(gallery, Message::GalleryPage),
        })
    }

    fn show(&self, page: &Page) {
        let drawn = picture(page);
        self.picture.show(drawn.is_some());
        if let Some((drawing, space)) = drawn {
            self.picture.put("alt", &drawing.title);
            let svg = export::picture_svg(
                drawing,
                space,
                &link(page),
                card::theme_of(page),
                &|phrase| page.language.phrase(phrase),
            );
            self.picture.put("src", &export::data_url(&svg));
        }
        let gallery = gallery_page(page);
        self.gallery.show(gallery.is_some());
        self.gallery
            .put("href", gallery.as_deref().unwrap_or_default());
    }
}

/// The picture that is shown first.
fn picture(page: &Page) -> Option<(Drawing, Space)> {
    let drawn = page.drawings.iter().zip([Space::Shared, Space::Global]);
    let mut drawn = drawn.filter_map(|(drawing, space)| Some((drawing.as_ref()?, space)));
    let (drawing, space) = drawn.next()?;
    Some((Arc::unwrap_or_clone(Arc::clone(drawing)), space))
}

fn copy_button(session: Session, field: &El) -> El {
    let copied = el("span").class("hint").set("role", "status");
    let button = el("button")
        .set("type", "button")
        .class("button primary")
        .testid("copy-link");
    let (field, said) = (field.clone(), copied.clone());
    let button = session
        .say(button, Message::CopyLink)
        .on("click", move |_| {
            let page = session.page();
            if copy_text(&link(&page)) {
                say_briefly(&said, page.language.say(&Message::Copied));
            } else {
                select(&field);
            }
        });
    el("div").class("line").with(&button).with(&copied)
}

fn say_briefly(status: &El, text: String) {
    status.put_text(&text);
    let status = status.clone();
    set_timeout(move || status.put_text(""), Duration::from_secs(2));
}

/// Files: the picture as SVG and as PNG, the accesses as JSON.
fn save_buttons(session: Session) -> El {
    let button = |testid: &str, name: Message<'static>| {
        let button = el("button")
            .set("type", "button")
            .class("button")
            .testid(testid);
        session.say(button, name)
    };
    let save = move |as_png: bool| {
        let page = session.page();
        if let Some((drawing, space)) = picture(&page) {
            let link = link(&page);
            let svg =
                export::picture_svg(drawing, space, &link, card::theme_of(&page), &|phrase| {
                    page.language.phrase(phrase)
                });
            export::save_svg(&svg, PICTURE, as_png.then_some(link));
        }
    };
    let copied = el("span").class("hint").set("role", "status");
    let said = copied.clone();
    let copy = button("copy-picture", Message::CopyPicture).on("click", move |_| {
        let (page, said) = (session.page(), said.clone());
        let done = page.language.say(&Message::Copied);
        let say = move || say_briefly(&said, done);
        export::copy_png(&card::svg(session), PICTURE, link(&page), say);
    });
    el("div").class("line").with_all(&[
        copy,
        button("save-svg", Message::SaveSvg).on("click", move |_| save(false)),
        button("save-png", Message::SavePng).on("click", move |_| save(true)),
        button("save-film", Message::SaveFilm).on("click", move |_| save_film(session)),
        button("save-json", Message::SaveJson).on("click", move |_| {
            export::save_table(&accesses(session), PICTURE, true);
        }),
        copied,
    ])
}

/// Saves the request to shared memory as an SVG that plays its wavefronts.
fn save_film(session: Session) {
    let page = session.page();
    if let Some((drawing, _)) = picture(&page).filter(|(_, space)| *space == Space::Shared) {
        let svg = to_animated_svg(&drawing, card::theme_of(&page), &steps(session));
        let svg = with_link(&svg, &link(&page));
        export::save_svg(&svg, "lanescope-wavefronts", None);
    }
}

fn select(field: &El) {
    field.focus();
    let element = field.element();
    if let Some(field) = element.and_then(|field| field.dyn_ref::<HtmlInputElement>()) {
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
pub(super) fn copy_text(text: &str) -> bool {
    let navigator = window().navigator();
    let clipboard = js_sys::Reflect::get(&navigator, &"clipboard".into());
    if clipboard.is_ok_and(|clipboard| clipboard.is_undefined()) {
        return false;
    }
    // A refusal (a page without the focus) leaves the text to be selected by hand.
    let ignore = Closure::new(|_: JsValue| {});
    let _ = navigator.clipboard().write_text(text).catch(&ignore);
    ignore.forget();
    true
}
