//! A drawing in the page, with what it answers to.

use lanescope_draw::Drawing;
use lanescope_model::LaneMask;
use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent};
use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, EventTarget};

use crate::painter::{Painter, Place};
use crate::repaint;
use crate::session::{Pointed, Session, session};

/// The picture number `index` of the page, drawn into a frame that scrolls when it is small.
#[component]
pub(crate) fn PictureFrame(
    index: usize,
    testid: &'static str,
    frame_testid: &'static str,
    drawing: Memo<Option<Drawing>>,
) -> impl IntoView {
    let session = session();
    let frame = NodeRef::<Div>::new();
    let painter = StoredValue::new_local(Painter::new());
    Effect::new(move || {
        let Some(frame) = frame.get() else { return };
        painter.with_value(|painter| {
            if let Some(painter) = painter {
                let _ = painter.root().set_attribute("data-testid", testid);
                let _ = frame.append_child(painter.root());
            }
        });
    });
    Effect::new(move || {
        drawing.with(|drawing| {
            painter.update_value(|painter| {
                if let (Some(painter), Some(drawing)) = (painter, drawing) {
                    painter.paint(drawing);
                }
            });
        });
        repaint::end();
    });
    Effect::new(move || {
        drawing.track();
        let lanes = session
            .lit()
            .map_or(LaneMask::NONE, |pointed| pointed.lanes);
        painter.update_value(|painter| {
            if let Some(painter) = painter {
                painter.light(lanes);
            }
        });
    });
    let hand = Hand {
        session,
        painter,
        index,
    };
    view! {
        <div
            class="frame"
            data-testid=frame_testid
            node_ref=frame
            on:pointerover=move |event: PointerEvent| hand.point(event.target())
            on:pointerleave=move |_| session.pointed.set(None)
            on:focusin=move |event| hand.point(event.target())
            on:focusout=move |_| session.pointed.set(None)
            on:click=move |event: MouseEvent| hand.pin(event.target())
            on:keydown=move |event: KeyboardEvent| hand.key(&event)
        ></div>
    }
    .into_any()
}

/// What pointer and keys do in a picture.
#[derive(Clone, Copy)]
struct Hand {
    session: Session,
    painter: StoredValue<Option<Painter>, LocalStorage>,
    index: usize,
}

impl Hand {
    fn pointed(self, target: Option<EventTarget>) -> Option<Pointed> {
        let place = place(target)?;
        self.painter.with_value(|painter| {
            let mark = painter.as_ref()?.mark(place)?;
            Some(Pointed {
                lanes: mark.about.lanes,
                label: mark.label.clone(),
                picture: self.index,
            })
        })
    }

    fn point(self, target: Option<EventTarget>) {
        let pointed = self.pointed(target);
        if self.session.pointed.with_untracked(|old| *old != pointed) {
            self.session.pointed.set(pointed);
        }
    }

    /// Keeps what is clicked lit; a second click lets go.
    fn pin(self, target: Option<EventTarget>) {
        let pointed = self.pointed(target);
        self.session.pinned.update(|pinned| {
            *pinned = if *pinned == pointed { None } else { pointed };
        });
    }

    fn key(self, event: &KeyboardEvent) {
        let Some(place) = place(event.target()) else {
            return;
        };
        let (right, down) = match event.key().as_str() {
            "ArrowRight" => (1, 0),
            "ArrowLeft" => (-1, 0),
            "ArrowDown" => (0, 1),
            "ArrowUp" => (0, -1),
            "Enter" | " " => (0, 0),
            "Escape" => return self.session.pinned.set(None),
            _ => return,
        };
        event.prevent_default();
        if (right, down) == (0, 0) {
            return self.pin(event.target());
        }
        // The focus events that follow must find the painter free.
        let next = self
            .painter
            .with_value(|painter| painter.as_ref()?.step(place, right, down));
        if let Some(element) = next {
            crate::painter::focus(&element);
        }
    }
}

/// Where the mark is that an event happened in.
fn place(target: Option<EventTarget>) -> Option<Place> {
    let element = target?.dyn_into::<Element>().ok()?;
    let mark = element.closest("[data-mark]").ok()??;
    Place::read(&mark.get_attribute("data-mark")?)
}

#[cfg(test)]
mod tests {
    use lanescope_draw::{PALETTE, SHARED_RULES};

    const PAGE: &str = include_str!("../../page.css");

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
