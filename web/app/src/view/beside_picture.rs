//! The request of A beside that of B: the same painter, and one pointer for both.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use lanescope_draw::Drawing;
use lanescope_locale::Language;
use lanescope_locale::page::{side_a, side_b};
use leptos::prelude::*;
use web_sys::Event;

use super::manual_dom::{holds, made};
use super::whole_need::whole;
use crate::beside::Beside;
use crate::page::Page;
use crate::session::{Pointed, Session};
use lanescope_ui::element::around;
use lanescope_ui::painter::{Painter, Place};

/// Picture `index` of A; hidden while nothing stands beside the page.
#[component]
pub(crate) fn BesidePicture(session: Session, beside: Beside, index: usize) -> impl IntoView {
    let drawing = Signal::derive(move || {
        beside.with(|page| page.as_ref().and_then(|page| page.drawings[index].clone()))
    });
    let caption = Signal::derive(move || {
        beside.with(|page| {
            let page = page.as_ref()?;
            Some(caption_of(page, side_a))
        })
    });
    let id = ["bank-grid-a", "sector-map-a"][index];
    view! { <SidePicture session index id testid="beside" drawing caption /> }
}

/// What stands over the picture of what is on screen, while A stands beside it.
#[component]
pub(crate) fn OwnCaption(session: Session, beside: Beside) -> impl IntoView {
    let caption = move || {
        let pages = session.late_pages();
        pages.with(|page| caption_of(page, side_b))
    };
    let is_alone = Memo::new(move |_| beside.with(Option::is_none));
    view! {
        <p class="caption" data-testid="beside-b" hidden=move || is_alone.get()>
            {move || (!is_alone.get()).then(caption)}
        </p>
    }
}

/// Headline, code, device and what is needed of what is taken.
fn caption_of(page: &Page, side: fn(Language, &str) -> String) -> String {
    let headline = page.verdict.headline.text(page.language);
    let shown = page.insides.first().map(|inside| inside.site);
    let code = shown.or(page.verdict.site).map(|site| {
        let text = page.answer.text(site).split_whitespace();
        text.collect::<Vec<_>>().join(" ")
    });
    let device = page.answer.device.as_ref();
    let device = device.map(|device| device.name().to_owned());
    let numbers = whole(page).map(|(numbers, _)| numbers);
    let rest = [code, device, numbers].into_iter().flatten();
    let all = std::iter::once(side(page.language, &headline)).chain(rest);
    all.collect::<Vec<String>>().join(" · ")
}

/// A picture of another request of picture `index`'s memory; hidden while there is none.
#[component]
pub(super) fn SidePicture(
    session: Session,
    index: usize,
    id: &'static str,
    testid: &'static str,
    drawing: Signal<Option<Arc<Drawing>>>,
    caption: Signal<Option<String>>,
) -> impl IntoView {
    let painter = Rc::new(RefCell::new(Painter::new(id)));
    let root = painter.borrow().root().clone();
    let (painted, lit) = (Rc::clone(&painter), Rc::clone(&painter));
    Effect::new(move || {
        if let Some(drawing) = drawing.get() {
            painted.borrow_mut().paint(&drawing);
        }
    });
    Effect::new(move || {
        // What is painted afresh is dark.
        drawing.track();
        lit.borrow_mut().light(session.lit_lanes(index));
    });
    let (over, focus) = (Rc::clone(&painter), painter);
    view! {
        <figure class="beside" data-testid=testid hidden=move || drawing.with(Option::is_none)>
            <figcaption class="caption">{move || caption.get()}</figcaption>
            <div
                class="frame"
                use:holds=made(root)
                on:pointerover=move |event| point(session, &over, index, &event)
                on:focusin=move |event| point(session, &focus, index, &event)
                on:pointerleave=move |_| session.pointed.set(None)
                on:focusout=move |_| session.pointed.set(None)
            ></div>
        </figure>
    }
}

fn point(session: Session, painter: &Rc<RefCell<Painter>>, index: usize, event: &Event) {
    let mark = around(event, "[data-mark]").and_then(|mark| mark.get_attribute("data-mark"));
    let pointed = mark.and_then(|place| {
        let painter = painter.borrow();
        let mark = painter.mark(Place::read(&place)?)?;
        Some(Pointed {
            lanes: mark.about.lanes,
            label: mark.label.clone(),
            picture: index,
        })
    });
    if session.pointed.with_untracked(|old| *old != pointed) {
        session.pointed.set(pointed);
    }
}
