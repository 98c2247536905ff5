//! What is on screen to take elsewhere: the link, embeds, Markdown, pictures, numbers.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use lanescope_draw::Drawing;
use lanescope_model::Space;
use lanescope_share::{Length, encode};
use leptos::prelude::{set_timeout, window};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{HtmlDetailsElement, HtmlInputElement};

use super::access_table::accesses;
use super::share_forms::{PICTURE, element, frame, gallery_page, link, markdown};
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
        copy_buttons(session, &field, &preview),
        preview.text.clone(),
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
        previewed.text.show(false);
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

/// What will be taken: the text that was copied last, and the picture.
struct Preview {
    text: El,
    picture: El,
    gallery: El,
}

impl Preview {
    fn new(session: Session) -> Rc<Self> {
        let text = el("textarea")
            .class("field preview")
            .testid("share-preview")
            .set("readonly", "")
            .set("rows", "4");
        let text = session.name(text, "aria-label", Message::Preview);
        text.show(false);
        let gallery = el("a").testid("share-gallery");
        Rc::new(Self {
            text,
            picture: el("img").class("preview").testid("share-picture"),
            gallery: session.say(gallery, Message::GalleryPage),
        })
    }

    fn show(&self, page: &Page) {
        let drawn = picture(page);
        self.picture.show(drawn.is_some());
        if let Some((drawing, space)) = drawn {
            self.picture.put("alt", &drawing.title);
            let svg = export::picture_svg(drawing, space, &link(page), &|phrase| {
                page.language.phrase(phrase)
            });
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

/// A form in which the state can be copied: what the stories call it, its name, its text.
type Form = (&'static str, Message<'static>, fn(&Page) -> String);

const FORMS: [Form; 4] = [
    ("copy-link", Message::CopyLink, link),
    ("copy-markdown", Message::CopyMarkdown, markdown),
    ("copy-frame", Message::CopyFrame, frame),
    ("copy-element", Message::CopyElement, element),
];

fn copy_buttons(session: Session, field: &El, preview: &Rc<Preview>) -> El {
    let copied = el("span").class("hint").set("role", "status");
    let line = el("div").class("line");
    for (testid, name, form) in FORMS {
        let class = if testid == "copy-link" {
            "button primary"
        } else {
            "button"
        };
        let (field, copied, preview) = (field.clone(), copied.clone(), Rc::clone(preview));
        let button = el("button")
            .set("type", "button")
            .class(class)
            .testid(testid);
        line.add(&session.say(button, name).on("click", move |_| {
            let page = session.page();
            let text = form(&page);
            preview.text.put_value(&text);
            preview.text.show(testid != "copy-link");
            if copy_text(&text) {
                say_briefly(&copied, page.language.say(&Message::Copied));
            } else {
                select(if testid == "copy-link" {
                    &field
                } else {
                    &preview.text
                });
            }
        }));
    }
    line.with(&copied)
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
            let svg = export::picture_svg(drawing, space, &link, &|phrase| {
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
        button("save-json", Message::SaveJson).on("click", move |_| {
            export::save_table(&accesses(session), PICTURE, true);
        }),
        copied,
    ])
}

fn select(field: &El) {
    field.focus();
    let Some(element) = field.element() else {
        return;
    };
    if let Some(field) = element.dyn_ref::<HtmlInputElement>() {
        field.select();
    } else if let Some(area) = element.dyn_ref::<web_sys::HtmlTextAreaElement>() {
        area.select();
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
