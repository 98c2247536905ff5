//! A drawing in the page, with what it answers to.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use lanescope_draw::{Anchor, Drawing, Rect, Shape, Style, stack_outlines};
use lanescope_locale::{Language, page};
use lanescope_model::Space;
use leptos::prelude::*;
use web_sys::Event;

use super::manual_dom::{holds, made};
use super::movement;
use super::resting::Resting;
use super::zoom;
use crate::answer::{Picture, View};
use crate::page::Page;
use crate::painted;
use crate::session::{Pointed, Session};
use lanescope_ui::element::{El, around, key, svg};
use lanescope_ui::painter::{Painter, Place};

/// The picture number `index` of the page, in a frame that scrolls when it is small. Its cells are made by hand: some
/// thousand of them change with a keystroke.
#[component]
pub(crate) fn PictureFrame(
    session: Session,
    index: usize,
    #[prop(into)] is_shown: Signal<bool>,
) -> impl IntoView {
    let painter = Rc::new(RefCell::new(Painter::new(
        ["bank-grid", "sector-map"][index],
    )));
    let root = painter.borrow().root().clone();
    paint(session, index, &painter);
    zoom::follow(&root);
    let caption =
        session.of_page(move |page| below(page.drawings[index].as_deref()?, page.language));
    if index == 0 {
        show_proposed(session, &root);
    }
    let hand = Hand {
        session,
        painter,
        index,
        resting: Resting::follow(move || session.pointed.set(None)),
    };
    let (over, focus, click) = (hand.clone(), hand.clone(), hand.clone());
    let (left, moved) = (hand.clone(), hand.resting.clone());
    view! {
        <div
            class="frame"
            data-testid=["phases", "sectors"][index]
            hidden=move || !is_shown.get()
            use:holds=made(root)
            on:pointerover=move |event| over.come(&event)
            on:pointermove=move |event| moved.note(&event)
            on:pointerleave=move |event| left.leave(&event)
            on:focusin=move |event| focus.point(&event)
            on:focusout=move |_| session.pointed.set(None)
            on:click=move |event| click.pin(&event)
            on:keydown=move |event| hand.key(&event)
        >
            // On a narrow screen the picture is too small for its words.
            <p class="hint caption-below">{caption}</p>
        </div>
    }
}

/// The most rows that are all named below a picture.
const MOST_ROWS: usize = 4;

/// What a drawing says of all of it, and what its rows are, where it is one picture.
fn below(drawing: &Drawing, language: Language) -> Option<String> {
    let (mut captions, mut rows) = (Vec::new(), Vec::new());
    for mark in drawing.groups.iter().flat_map(|group| &group.marks) {
        let Shape::Text { text, anchor, .. } = &mark.shape else {
            continue;
        };
        let is_row = mark.style == Style::Axis && *anchor == Anchor::End && text != "⋮";
        if is_row && !rows.contains(&text.as_str()) {
            rows.push(text.as_str());
        } else if mark.style == Style::Caption {
            captions.push(text.as_str());
        }
    }
    let ends = match rows.as_slice() {
        [first, .., last] if rows.len() > MOST_ROWS => Some(format!("{first} … {last}")),
        _ => None,
    };
    let rows = ends.as_ref().map_or(rows, |ends| vec![ends]);
    let rows = (!rows.is_empty()).then(|| page::picture_rows(language, &rows));
    let said: Vec<&str> = captions.iter().copied().chain(rows.as_deref()).collect();
    (captions.len() <= 1 && !said.is_empty()).then(|| said.join(" · "))
}

/// Paints what the page draws, and lights what is pointed at.
fn paint(session: Session, index: usize, painter: &Rc<RefCell<Painter>>) {
    let (painted, lit) = (Rc::clone(painter), Rc::clone(painter));
    let wanted = Rc::new(RefCell::new(None));
    session.follow(move |page, before| {
        let Some(drawing) = &page.drawings[index] else {
            return point_again(session, index, None);
        };
        let old = before.and_then(|before| before.drawings[index].as_ref());
        if old.is_some_and(|old| Arc::ptr_eq(old, drawing)) {
            return;
        }
        wanted.replace(Some(Arc::clone(drawing)));
        if page.question().is_left_to_worker(&page.answer) {
            let (painted, wanted, drawing) = (painted.clone(), wanted.clone(), Arc::clone(drawing));
            return after_words(move || {
                if wanted
                    .borrow()
                    .as_ref()
                    .is_some_and(|wanted| Arc::ptr_eq(wanted, &drawing))
                {
                    painted.borrow_mut().paint(&drawing);
                    point_again(session, index, Some(&painted));
                }
            });
        }
        painted.borrow_mut().paint(drawing);
        point_again(session, index, Some(&painted));
        let has_come = before.is_some_and(|before| before.state.source != page.state.source)
            && session.has_moved_to(&page.state);
        if let Some(old) = old.filter(|_| has_come) {
            movement::play(painted.borrow().root(), old, drawing);
        }
    });
    Effect::new(move || {
        lit.borrow_mut().light(session.lit_lanes(index));
    });
}

/// Has the lanes that are pointed at in picture `index` lit and told as it is `painted` now; none where it has none of them.
fn point_again(session: Session, index: usize, painted: Option<&Rc<RefCell<Painter>>>) {
    let pointed = session.pointed.get_untracked();
    if let Some(old) = pointed.filter(|old| old.picture == index) {
        let label = painted.and_then(|painted| painted.borrow().label(old.lanes));
        let again = label.map(|label| Pointed {
            label,
            ..old.clone()
        });
        if again.as_ref() != Some(&old) {
            session.pointed.set(again);
        }
    }
    if let Some(painted) = painted {
        let lanes = untrack(|| session.lit_lanes(index));
        painted.borrow_mut().light(lanes);
    }
}

/// Does `act` a frame after what follows verdict and picture elsewhere: where words, picture and tables come at once, the
/// screen would miss a frame.
fn after_words(act: impl FnOnce() + 'static) {
    painted::then(move || painted::then(act));
}

/// Outlines what the banks would take with the fix that is pointed at.
fn show_proposed(session: Session, root: &El) {
    let (root, ghost) = (
        root.clone(),
        svg("g").class("ghost").set("aria-hidden", "true"),
    );
    Effect::new(move || {
        let banks = session.proposed.get();
        let outlines = session
            .pages()
            .with(|page| outlines(page, banks.as_deref()));
        let rect = |at: Rect| {
            svg("rect")
                .set("x", &at.x.to_string())
                .set("y", &at.y.to_string())
                .set("width", &at.width.to_string())
                .set("height", &at.height.to_string())
        };
        ghost.put_all(&outlines.into_iter().map(rect).collect::<Vec<_>>());
        // On top of what was painted since.
        root.add(&ghost);
    });
}

fn outlines(page: &Page, banks: Option<&[Vec<u32>; 2]>) -> Vec<Rect> {
    let is_stacked = match page.view() {
        View::Stacks | View::EachPhase => true,
        View::Addresses => false,
    };
    let drawing = page.drawings[0].as_deref().filter(|_| is_stacked);
    let inside = page.inside(Space::Shared);
    let report = inside.and_then(|inside| match &inside.picture {
        Ok(Picture::Banks(report)) => Some(report),
        _ => None,
    });
    match (report, drawing, banks) {
        (Some(report), Some(drawing), Some([before, after])) => {
            stack_outlines(report, drawing, before, after)
        }
        _ => Vec::new(),
    }
}

/// What pointer and keys do in a picture.
#[derive(Clone)]
struct Hand {
    session: Session,
    painter: Rc<RefCell<Painter>>,
    index: usize,
    resting: Resting,
}

impl Hand {
    fn pointed(&self, event: &Event) -> Option<Pointed> {
        let painter = self.painter.borrow();
        let mark = painter.mark(place(event)?)?;
        Some(Pointed {
            lanes: mark.about.lanes,
            label: mark.label.clone(),
            picture: self.index,
        })
    }

    fn point(&self, event: &Event) {
        let pointed = self.pointed(event);
        if self.session.pointed.with_untracked(|old| *old != pointed) {
            self.session.pointed.set(pointed);
        }
    }

    /// The pointer comes to a mark. Where a mark comes to the pointer instead, the lanes that were pointed at stay.
    fn come(&self, event: &Event) {
        if !(self.resting.is_resting(event) && self.is_pointed()) {
            self.point(event);
        }
    }

    /// The pointer leaves the picture, unless that is moved or drawn anew under it.
    fn leave(&self, event: &Event) {
        if self.resting.is_resting(event) {
            self.resting.leave();
        } else {
            self.session.pointed.set(None);
        }
    }

    fn is_pointed(&self) -> bool {
        let is_here = |pointed: &Pointed| pointed.picture == self.index;
        self.session
            .pointed
            .with_untracked(|pointed| pointed.as_ref().is_some_and(is_here))
    }

    /// Keeps what is clicked lit; a second click lets go.
    fn pin(&self, event: &Event) {
        let pointed = self.pointed(event);
        self.session.pinned.update(|pinned| {
            *pinned = if *pinned == pointed { None } else { pointed };
        });
    }

    fn key(&self, event: &Event) {
        let Some(place) = place(event) else { return };
        let (right, down) = match key(event).as_str() {
            "ArrowRight" => (1, 0),
            "ArrowLeft" => (-1, 0),
            "ArrowDown" => (0, 1),
            "ArrowUp" => (0, -1),
            "Enter" | " " => (0, 0),
            end @ ("Home" | "End") => {
                event.prevent_default();
                let next = self.painter.borrow().end(place, end == "End");
                return next.iter().for_each(El::focus);
            }
            "Escape" => return self.session.pinned.set(None),
            _ => return,
        };
        event.prevent_default();
        if (right, down) == (0, 0) {
            return self.pin(event);
        }
        // The focus events that follow must find the painter free.
        let next = self.painter.borrow().step(place, right, down);
        if let Some(next) = next {
            next.focus();
        }
    }
}

/// Where the mark is that an event happened in.
fn place(event: &Event) -> Option<Place> {
    Place::read(&around(event, "[data-mark]")?.get_attribute("data-mark")?)
}

#[cfg(test)]
mod tests {
    use lanescope_draw::{PALETTE, SHARED_RULES};

    const PAGE: &str = include_str!("../../../page.css");

    #[test]
    fn the_page_has_the_colours_of_exported_pictures() {
        for swatch in PALETTE {
            let token = format!(
                "--{}:light-dark({},{});",
                swatch.token, swatch.light, swatch.dark
            );
            assert!(PAGE.contains(&token), "page.css lacks {token}");
        }
    }

    #[test]
    fn the_page_has_the_rules_of_exported_pictures() {
        assert!(
            PAGE.contains(SHARED_RULES),
            "page.css lacks the text of crates/draw/src/picture.css"
        );
    }
}
