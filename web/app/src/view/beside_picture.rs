//! The request of A beside that of B: the same painter, and one pointer for both.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::prelude::*;
use web_sys::Event;

use crate::beside::Beside;
use crate::element::{El, around, el};
use crate::painter::{Painter, Place};
use crate::session::{Pointed, Session};
use crate::words::Message;

/// Picture `index` of A; hidden while nothing stands beside the page.
pub(crate) fn build(session: Session, beside: Beside, index: usize) -> El {
    let painter = Rc::new(RefCell::new(Painter::new(
        ["bank-grid-a", "sector-map-a"][index],
    )));
    let caption = el("figcaption").class("caption");
    let frame = el("div").class("frame").with(painter.borrow().root());
    let figure = el("figure").class("beside").testid("beside");
    let figure = figure.with(&caption).with(&frame);
    let (shown, painted) = (figure.clone(), Rc::clone(&painter));
    Effect::new(move || {
        let page = beside.get();
        let drawing = page.as_ref().and_then(|page| page.drawings[index].as_ref());
        shown.show(drawing.is_some());
        if let (Some(page), Some(drawing)) = (&page, drawing) {
            painted.borrow_mut().paint(drawing);
            let headline = page
                .language
                .say(&Message::Headline(&page.verdict.headline));
            let headline = headline.as_str();
            caption.put_text(&page.language.say(&Message::SideA { headline }));
        }
    });
    let lit = Rc::clone(&painter);
    Effect::new(move || {
        // What is painted afresh is dark.
        beside.track();
        lit.borrow_mut().light(session.lit_lanes(index));
    });
    let (over, focus) = (Rc::clone(&painter), painter);
    let _ = frame
        .on("pointerover", move |event| {
            point(session, &over, index, &event)
        })
        .on("focusin", move |event| {
            point(session, &focus, index, &event)
        })
        .on("pointerleave", move |_| session.pointed.set(None))
        .on("focusout", move |_| session.pointed.set(None));
    figure
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
