//! One request of one warp: its picture, and what is pointed at in it.

use std::sync::Arc;

use lanescope_model::Space;
use leptos::prelude::*;

use super::equation_line::EquationLine;
use super::heat_strip::HeatStrip;
use super::island::island;
use super::keep_beside::KeepBeside;
use super::play::Play;
use super::view_switch::ViewSwitch;
use super::{badge, beside_picture, l1_line, picture, steps};
use crate::address;
use crate::answer::{Inside, Strip};
use crate::beside::Beside;
use crate::card;
use crate::element::{El, el};
use crate::export;
use crate::page::Page;
use crate::session::Session;
use crate::words::Message;

/// The memory of picture `index`.
const fn space(index: usize) -> Space {
    if index == 0 {
        Space::Shared
    } else {
        Space::Global
    }
}

/// The card for requests to shared memory (`index` 0) or to global memory (1).
pub(crate) fn build(
    session: Session,
    index: usize,
    strip: RwSignal<Option<Arc<Strip>>>,
    beside: Beside,
) -> El {
    let space = space(index);
    let about = el("span").class("about");
    let trust = badge::empty();
    let head = el("div").class("head").with_all(&[
        session.say(el("h2"), Message::Inside(space)),
        about.clone(),
        trust.clone(),
        tools(session, index),
    ]);
    let (frame, unknown) = (picture::build(session, index), el("p").class("silent"));
    let steps = steps::build(session, strip);
    let reading = island("p", move || view! { <EquationLine session index space /> });
    let reading = reading.class("reading").testid("reading");
    let card = el("section").class("card inside").with_all(&[
        head,
        reading,
        el("div")
            .class("pair")
            .with(&beside_picture::build(session, beside, index))
            .with(&frame),
        unknown.clone(),
        steps.clone(),
    ]);
    // Its room is kept from the beginning: the block is run for it once the source rests.
    let heat = island(
        "div",
        move || view! { <HeatStrip session space found=strip /> },
    );
    let heat = heat.class("heat-room");
    card.add(&save_buttons(session, index));
    card.add(&heat);
    if space == Space::Global {
        card.add(&l1_line::build(session));
    }
    let followed = card.clone();
    session.follow(move |page, _| {
        let Some(inside) = page.inside(space) else {
            return followed.show(false);
        };
        followed.show(true);
        let is_first = page
            .insides
            .first()
            .is_some_and(|first| first.space == space);
        heat.show(is_first && (page.answer.warps() > 1 || inside.occurrences > 1));
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

/// What the colours mean, how the picture is drawn, and the ways to take it along.
fn tools(session: Session, index: usize) -> El {
    let tools = el("div").class("tools");
    tools.add(&match space(index) {
        // The cells say themselves how many ways their colour stands for.
        Space::Shared => island("div", move || view! { <ViewSwitch session /> }),
        Space::Global => scale(session),
    });
    tools
}

/// What the colours mean.
fn scale(session: Session) -> El {
    el("div")
        .class("scale")
        .set("aria-hidden", "true")
        .with_all(&[
            el("i").class("used"),
            session.say(el("span"), Message::Used),
            el("i").class("moved"),
            session.say(el("span"), Message::Wasted),
            el("i").class("unmoved"),
            session.say(el("span"), Message::NotMoved),
        ])
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
                let theme = card::theme_of(&page);
                export::save_picture(drawing, space(index), link, as_png, theme, &|phrase| {
                    page.language.phrase(phrase)
                });
            }
        })
    };
    let save = el("div").class("save");
    if space(index) == Space::Shared {
        save.add(&island("span", move || view! { <KeepBeside session /> }));
        save.add(&island("span", move || view! { <Play session /> }));
    }
    save.with(&button("SVG", false)).with(&button("PNG", true))
}
