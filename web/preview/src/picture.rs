//! The picture of one request, and what is pointed at in it.

use std::cell::RefCell;
use std::rc::Rc;

use lanescope_draw::Tone;
use lanescope_model::{LaneMask, Space};
use lanescope_ui::element::{El, around, el, key};
use lanescope_ui::painter::{Painter, Place};

use crate::answer::{Answer, Inside};
use crate::words::Words;

/// A card for requests to one memory.
pub(crate) struct Card {
    pub(crate) all: El,
    space: Space,
    title: El,
    about: El,
    badge: El,
    scale: El,
    reading: El,
    painter: Rc<RefCell<Painter>>,
}

impl Card {
    pub(crate) fn new(space: Space, steps: &[El]) -> Self {
        let names = match space {
            Space::Shared => ["bank-grid", "phases"],
            Space::Global => ["sector-map", "sectors"],
        };
        let painter = Rc::new(RefCell::new(Painter::new(names[0])));
        let (title, about, badge) = (
            el("h2"),
            el("span").class("about"),
            el("span").class("badge"),
        );
        let scale = el("div").class("scale").set("aria-hidden", "true");
        let tools = el("div").class("tools").with(&scale);
        let head =
            el("div")
                .class("head")
                .with_all(&[title.clone(), about.clone(), badge.clone(), tools]);
        let frame = el("div").class("frame").testid(names[1]);
        frame.add(painter.borrow().root());
        let reading = el("p").class("reading").testid("reading");
        let steps = el("div").class("steps").with_all(steps);
        let all = el("section")
            .class("card inside")
            .with(&head)
            .with(&reading);
        let all = all.with(&attend(frame, &painter, &reading)).with(&steps);
        Self {
            all,
            space,
            title,
            about,
            badge,
            scale,
            reading,
            painter,
        }
    }

    pub(crate) fn show(&self, answer: &Answer, insides: &[Inside], words: Words) {
        let of_space = |inside: &&Inside| inside.shared.is_some() == (self.space == Space::Shared);
        let Some(inside) = insides.iter().find(of_space) else {
            return self.all.show(false);
        };
        self.all.show(true);
        let labels = words.labels();
        self.title.put_text(match self.space {
            Space::Shared => labels.inside_shared,
            Space::Global => labels.inside_global,
        });
        let line = answer
            .counted()
            .site(inside.site)
            .map_or(0, |site| answer.line(site));
        let about = words.request(line, inside.operation, inside.width, inside.active.count());
        self.about.put_text(&about);
        let [word, why] = words.trust(inside.basis);
        self.badge.put(
            "class",
            &(String::from("badge ") + inside.basis.confidence.key()),
        );
        self.badge.put("title", &why);
        self.badge.put_text(&word);
        self.scale.put_all(&scale(self.space, words));
        self.reading.put_text(labels.point_at_it);
        self.painter.borrow_mut().paint(&inside.drawing);
    }
}

/// What the colours mean.
fn scale(space: Space, words: Words) -> Vec<El> {
    let labels = words.labels();
    let said = |label| el("span").text(label);
    match space {
        Space::Shared => {
            let step = |tone: Tone| el("i").class(tone.class()).text(&tone.ways().to_string());
            let steps = Tone::ALL.iter().copied().map(step);
            steps.chain([said(labels.n_way)]).collect()
        }
        Space::Global => {
            let colour = |name| el("i").class(name);
            vec![
                colour("used"),
                said(labels.used),
                colour("moved"),
                said(labels.wasted),
                colour("unmoved"),
                said(labels.not_moved),
            ]
        }
    }
}

/// Pointing at a mark, or reaching it with the keys, lights what shares a lane with it and says what it is.
fn attend(frame: El, painter: &Rc<RefCell<Painter>>, reading: &El) -> El {
    let point = |painter: &Rc<RefCell<Painter>>, reading: &El| {
        let (painter, reading) = (Rc::clone(painter), reading.clone());
        move |event: web_sys::Event| {
            let mut painter = painter.borrow_mut();
            let mark =
                around(&event, "[data-mark]").and_then(|mark| mark.get_attribute("data-mark"));
            let place = mark.as_deref().and_then(Place::read);
            let found = place.and_then(|place| painter.mark(place));
            let Some((lanes, label)) = found.map(|mark| (mark.about.lanes, mark.label.clone()))
            else {
                return;
            };
            reading.put_text(&label);
            painter.light(lanes);
        }
    };
    let left = Rc::clone(painter);
    let keys = Rc::clone(painter);
    frame
        .on("pointerover", point(painter, reading))
        .on("focusin", point(painter, reading))
        .on("pointerleave", move |_| {
            left.borrow_mut().light(LaneMask::NONE)
        })
        .on("keydown", move |event| {
            let steps = [
                ("ArrowRight", 1, 0),
                ("ArrowLeft", -1, 0),
                ("ArrowDown", 0, 1),
                ("ArrowUp", 0, -1),
            ];
            let pressed = key(&event);
            let step = steps.iter().find(|(name, ..)| *name == pressed);
            let mark =
                around(&event, "[data-mark]").and_then(|mark| mark.get_attribute("data-mark"));
            let place = mark.as_deref().and_then(Place::read);
            if let (Some((_, right, down)), Some(place)) = (step, place) {
                event.prevent_default();
                let next = keys.borrow().step(place, *right, *down);
                next.iter().for_each(El::focus);
            }
        })
}
