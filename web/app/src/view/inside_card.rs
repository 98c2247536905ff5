//! One request of one warp: its picture, and what is pointed at in it.

use std::sync::Arc;

use lanescope_draw::Tone;
use lanescope_model::Space;
use leptos::prelude::*;

use super::{badge, l1_line, picture, steps};
use crate::address;
use crate::answer::{Answer, Inside};
use crate::element::{El, el};
use crate::export;
use crate::page::Page;
use crate::session::{Pointed, Session};
use crate::words::{Language, Message};

/// The memory of picture `index`.
const fn space(index: usize) -> Space {
    if index == 0 {
        Space::Shared
    } else {
        Space::Global
    }
}

/// The card for requests to shared memory (`index` 0) or to global memory (1).
pub(crate) fn build(session: Session, index: usize) -> El {
    let space = space(index);
    let about = el("span").class("about");
    let trust = badge::empty();
    let head = el("div").class("head").with_all(&[
        session.say(el("h2"), Message::Inside(space)),
        about.clone(),
        trust.clone(),
        el("div")
            .class("tools")
            .with_all(&[scale(session, space), save_buttons(session, index)]),
    ]);
    let (frame, unknown) = (picture::build(session, index), el("p").class("silent"));
    let steps = steps::build(session);
    let card = el("section").class("card inside").with_all(&[
        head,
        steps.clone(),
        frame.clone(),
        unknown.clone(),
        reading(session, index),
    ]);
    if space == Space::Global {
        card.add(&l1_line::build(session));
    }
    let followed = card.clone();
    session.follow(move |page, _| {
        let Some(inside) = page.inside(space) else {
            return followed.show(false);
        };
        followed.show(true);
        steps.show(
            page.insides
                .iter()
                .all(|other| other.space != Space::Shared)
                || index == 0,
        );
        about.put_text(&describe(page, inside));
        badge::put(&trust, inside.basis, page.language);
        let why = inside
            .picture
            .as_ref()
            .err()
            .map(|why| page.language.say(&Message::Unknown(*why)));
        frame.show(why.is_none());
        unknown.put_text(&why.unwrap_or_default());
    });
    card
}

fn describe(page: &Page, inside: &Inside) -> String {
    page.language.say(&Message::Request {
        line: page.answer.line(inside.site),
        operation: inside.operation,
        width: inside.width,
        active: inside.active.count(),
    })
}

/// What the colours mean.
fn scale(session: Session, space: Space) -> El {
    let scale = el("div").class("scale").set("aria-hidden", "true");
    match space {
        Space::Shared => {
            let step = |tone: Tone| el("i").class(tone.class()).text(&tone.ways().to_string());
            scale
                .with_all(&Tone::ALL.map(step))
                .with(&session.say(el("span"), Message::NWay))
        }
        Space::Global => scale.with_all(&[
            el("i").class("used"),
            session.say(el("span"), Message::Used),
            el("i").class("moved"),
            session.say(el("span"), Message::Wasted),
            el("i").class("unmoved"),
            session.say(el("span"), Message::NotMoved),
        ]),
    }
}

fn save_buttons(session: Session, index: usize) -> El {
    let button = move |name: &str, as_png: bool| {
        let button = el("button")
            .set("type", "button")
            .class("button small bare")
            .text(name);
        button.on("click", move |_| {
            let page = session.page();
            if let Some(drawing) = &page.drawings[index] {
                let drawing = Arc::unwrap_or_clone(Arc::clone(drawing));
                let link = address::link(&page.state);
                export::save_picture(drawing, space(index), link, as_png, &|phrase| {
                    page.language.phrase(phrase)
                });
            }
        })
    };
    el("div")
        .with(&button("SVG", false))
        .with(&button("PNG", true))
}

/// What is pointed at, in words.
fn reading(session: Session, index: usize) -> El {
    let (label, details) = (el("b"), el("span"));
    let line = el("p")
        .class("reading")
        .testid("reading")
        .with(&label)
        .with(&el("br"))
        .with(&details);
    let show = move |language: Language| {
        let pointed = session.lit().filter(|pointed| pointed.picture == index);
        let Some(pointed) = pointed else {
            label.put_text("");
            return details.put_text(&language.say(&Message::PointAtIt));
        };
        label.put_text(&pointed.label);
        details.put_text(&lanes(&session.page(), &pointed, space(index)));
    };
    let again = show.clone();
    Effect::new(move || show(session.page().language));
    session.follow(move |page, _| again(page.language));
    line
}

/// Who the lanes are that are pointed at, if they are few.
fn lanes(page: &Page, pointed: &Pointed, space: Space) -> String {
    let Some(inside) = page.inside(space).filter(|_| pointed.lanes.count() <= 4) else {
        return String::new();
    };
    let lanes = pointed
        .lanes
        .iter()
        .filter_map(|lane| lane_at(page, inside, lane));
    lanes.collect::<Vec<_>>().join(" · ")
}

fn lane_at(page: &Page, inside: &Inside, lane: usize) -> Option<String> {
    let address = *inside
        .addresses
        .get(lane)
        .filter(|_| inside.active.contains(lane))?;
    let thread = thread(&page.answer, inside.warp, lane);
    Some(page.language.say(&Message::LaneAt {
        lane,
        thread,
        address,
    }))
}

fn thread(answer: &Answer, warp: u32, lane: usize) -> [u32; 3] {
    let index = u64::from(warp) * u64::from(answer.warp_lanes()) + u64::try_from(lane).unwrap_or(0);
    let [x, y, _] = answer.launch.block.map(|size| u64::from(size.max(1)));
    [index % x, index / x % y, index / x / y].map(|part| u32::try_from(part).unwrap_or(u32::MAX))
}
