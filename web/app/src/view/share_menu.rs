//! What is on screen to take elsewhere: the link, embeds, Markdown, pictures, numbers.

use std::sync::Arc;
use std::time::Duration;

use lanescope_draw::{Drawing, to_animated_svg, with_link};
use lanescope_locale::Language;
use lanescope_locale::page::{self, PageWords};
use lanescope_model::Space;
use lanescope_share::{Length, encode};
use leptos::html;
use leptos::prelude::*;

use super::clipboard::copy_text;
use super::copy_as::CopyAs;
use super::exports::{ExportList, Offer};
use super::fold::is_open;
use super::play::steps;
use super::share_forms::{PICTURE, gallery_page, link};
use super::snippet_form::SnippetForm;
use crate::card;
use crate::export;
use crate::page::Page;
use crate::session::Session;
use crate::words::Word;

/// How long it is said that something was copied.
const SAID: Duration = Duration::from_secs(2);

/// What the sheet shows: the page while it is open, and what it was when the sheet was closed; nothing before.
pub(super) type Shown = Option<Arc<Page>>;

/// A button that unfolds the sheet.
#[component]
pub(crate) fn ShareMenu(session: Session) -> impl IntoView {
    let (menu, summary) = (
        NodeRef::<html::Details>::new(),
        NodeRef::<html::Summary>::new(),
    );
    let opened = RwSignal::new(false);
    let page = Memo::new(move |before: Option<&Shown>| {
        let now = || Some(session.late_pages().get());
        opened
            .get()
            .then(now)
            .unwrap_or_else(|| before.cloned().flatten())
    });
    let close = move |event: leptos::ev::KeyboardEvent| {
        if event.key() == "Escape" {
            menu.with_untracked(|menu| menu.as_ref().map(|menu| menu.set_open(false)));
            summary.with_untracked(|summary| summary.as_ref().map(|summary| summary.focus()));
        }
    };
    view! {
        <details
            class="menu"
            node_ref=menu
            on:toggle=move |event| opened.set(is_open(&event))
            on:keydown=close
        >
            <summary
                class="button primary"
                data-testid="share"
                node_ref=summary
                on:click=move |_| opened.set(true)
            >
                {session.word(|words| words.label.share)}
            </summary>
            <div class="sheet">
                <Preview session page />
                <CopyCard session />
                <ShareLink session page />
                <div>
                    <SnippetForm session page />
                </div>
                <CopyAs session page />
                <SaveButtons session />
                <ExportList session />
                <GalleryLink session page />
            </div>
        </details>
    }
}

/// The link, how long it is, and the button that copies it.
#[component]
fn ShareLink(session: Session, page: Memo<Shown>) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let bytes = Memo::new(move |_| {
        let bytes = |page: &Arc<Page>| encode(&page.state).len();
        page.with(|page| page.as_ref().map_or(0, bytes))
    });
    let address = Memo::new(move |_| page.with(|page| page.as_ref().map(|page| link(page))));
    let copied = RwSignal::new(false);
    let copy = move |_| {
        if copy_text(&link(&session.page())) {
            say_briefly(copied);
        } else if let Some(field) = field.get_untracked() {
            let _ = field.focus();
            field.select();
        }
    };
    view! {
        <div>
            <label for="link">{session.word(|words| words.link)}</label>
            <input
                id="link"
                class="field"
                data-testid="share-link"
                readonly
                node_ref=field
                prop:value=move || address.get().unwrap_or_default()
            />
        </div>
        <span class=move || {
            length_class(bytes.get())
        }>{move || length_words(bytes.get(), session.language())}</span>
        <div class="line">
            <button type="button" class="button" data-testid="copy-link" on:click=copy>
                {session.word(|words| words.copy_link)}
            </button>
            <Copied session copied />
        </div>
    }
}

/// Says for a moment that something was copied.
#[component]
fn Copied(session: Session, copied: RwSignal<bool>) -> impl IntoView {
    let said = move || {
        copied
            .get()
            .then(|| PageWords::of(session.language()).copied)
    };
    view! {
        <span class="hint" role="status">
            {said}
        </span>
    }
}

fn say_briefly(copied: RwSignal<bool>) {
    copied.set(true);
    set_timeout(move || copied.set(false), SAID);
}

/// The card that will be copied.
#[component]
fn Preview(session: Session, page: Memo<Shown>) -> impl IntoView {
    let shown = Memo::new(move |_| page.with(|page| preview(session, page.as_ref()?)));
    view! {
        <img
            class="preview"
            data-testid="share-picture"
            hidden=move || shown.with(Option::is_none)
            alt=move || shown.with(|shown| shown.as_ref().map(|[name, _]| name.clone()))
            src=move || shown.with(|shown| shown.as_ref().map(|[_, address]| address.clone()))
        />
    }
}

/// Name and address of the card.
fn preview(session: Session, page: &Arc<Page>) -> Option<[String; 2]> {
    let (drawing, _) = picture(page)?;
    Some([
        drawing.title,
        export::data_url(&card::followed(session, page)),
    ])
}

/// The button that puts the card and the link into the clipboard.
#[component]
fn CopyCard(session: Session) -> impl IntoView {
    let copied = RwSignal::new(false);
    let copy = move |_| {
        let link = link(&session.page());
        export::copy_png(&card::svg(session), PICTURE, link, move || {
            say_briefly(copied)
        });
    };
    view! {
        <div class="line">
            <button
                type="button"
                class="button primary"
                data-testid="copy-picture"
                on:click=copy
            >
                {session.word(|words| words.copy_picture)}
            </button>
            <Copied session copied />
        </div>
    }
}

/// The way to the page of the gallery that shows the same.
#[component]
fn GalleryLink(session: Session, page: Memo<Shown>) -> impl IntoView {
    let page = Memo::new(move |_| page.with(|page| gallery_page(page.as_ref()?)));
    view! {
        <a
            data-testid="share-gallery"
            hidden=move || page.with(Option::is_none)
            href=move || page.get().unwrap_or_default()
        >
            {session.word(|words| words.gallery_page)}
        </a>
    }
}

/// The picture that is shown first.
fn picture(page: &Page) -> Option<(Drawing, Space)> {
    let drawn = page.drawings.iter().zip([Space::Shared, Space::Global]);
    let mut drawn = drawn.filter_map(|(drawing, space)| Some((drawing.as_ref()?, space)));
    let (drawing, space) = drawn.next()?;
    Some((Arc::unwrap_or_clone(Arc::clone(drawing)), space))
}

/// Files: the picture as SVG and as PNG, and its steps; of a request that asks both memories the sectors too.
#[component]
fn SaveButtons(session: Session) -> impl IntoView {
    let has_both = move || {
        let pages = session.late_pages();
        pages.with(|page| page.drawings.iter().all(Option::is_some))
    };
    Offer::new(
        "sectors",
        session.word(|words| words.global_memory),
        has_both,
    )
    .form("svg", || "SVG", move || save_sectors(session, false))
    .form("png", || "PNG", move || save_sectors(session, true))
    .make();
    let button = move |name: &'static str, label: Word, act: fn(Session)| {
        view! {
            <button type="button" class="button" data-testid=name on:click=move |_| act(session)>
                {session.word(label)}
            </button>
        }
    };
    view! {
        <div class="line">
            {button("save-svg", |words| words.save_svg, |session| save_picture(session, false))}
            {button("save-png", |words| words.save_png, |session| save_picture(session, true))}
            {button("save-film", |words| words.save_film, save_film)}
        </div>
    }
}

fn save_picture(session: Session, as_png: bool) {
    let page = session.page();
    if let Some((drawing, space)) = picture(&page) {
        save(&page, drawing, space, (PICTURE, as_png));
    }
}

fn save_sectors(session: Session, as_png: bool) {
    let page = session.page();
    if let [_, Some(drawing)] = &page.drawings {
        let drawing = Arc::unwrap_or_clone(Arc::clone(drawing));
        save(&page, drawing, Space::Global, ("lanescope-sectors", as_png));
    }
}

fn save(page: &Page, drawing: Drawing, space: Space, (stem, as_png): (&str, bool)) {
    let link = link(page);
    let svg = export::picture_svg(drawing, space, &link, card::theme_of(page), &|phrase| {
        phrase.text(page.language)
    });
    export::save_svg(&svg, stem, as_png.then_some(link));
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

fn length_words(bytes: usize, language: Language) -> String {
    match Length::of(bytes) {
        Length::Short => page::link_short(language, bytes),
        Length::Long => page::link_long(language, bytes),
        Length::VeryLong => page::link_very_long(language, bytes),
        Length::TooLong => page::link_too_long(language, bytes),
    }
}

const fn length_class(bytes: usize) -> &'static str {
    match Length::of(bytes) {
        Length::Short => "hint",
        Length::Long | Length::VeryLong => "hint long",
        Length::TooLong => "hint toolong",
    }
}
