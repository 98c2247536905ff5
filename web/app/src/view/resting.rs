//! Whether the pointer moved, or what is under it did.

use std::cell::Cell;
use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Event, MouseEvent};

/// Where the pointer was last, and whether something went away from under it. A handle: clones are the same pointer.
#[derive(Clone, Default)]
pub(super) struct Resting(Rc<Cell<Last>>);

#[derive(Clone, Copy, Default)]
struct Last {
    place: Option<[i32; 2]>,
    is_left: bool,
}

impl Resting {
    /// One that knows nothing yet. Who turns the wheel moves what is under the pointer, and knows it; `gone` is called once
    /// the pointer moves and what it rested on is no longer there.
    pub(super) fn follow(gone: impl Fn() + 'static) -> Self {
        let at = Self::default();
        let (turned, moved) = (at.clone(), at.clone());
        let turned = StoredValue::new_local(turned);
        let wheel = window_event_listener(ev::wheel, move |_| {
            turned.with_value(|at| at.0.set(Last::default()));
        });
        let moved = StoredValue::new_local((moved, gone));
        let away = window_event_listener(ev::pointermove, move |event| {
            moved.with_value(|(at, gone)| {
                let Last { place, is_left } = at.0.get();
                if is_left && self::place(&event) != place {
                    at.0.set(Last::default());
                    gone();
                }
            });
        });
        on_cleanup(move || {
            wheel.remove();
            away.remove();
        });
        at
    }

    /// Takes the place of `event`.
    pub(super) fn note(&self, event: &Event) {
        self.0.set(Last {
            place: place(event),
            is_left: false,
        });
    }

    /// Whether the pointer was there before `event`, which is therefore the doing of what is under it.
    pub(super) fn is_resting(&self, event: &Event) -> bool {
        let (before, now) = (self.0.get().place, place(event));
        self.note(event);
        now.is_some() && before == now
    }

    /// What the pointer rested on is no longer under it.
    pub(super) fn leave(&self) {
        self.0.set(Last {
            is_left: true,
            ..self.0.get()
        });
    }
}

fn place(event: &Event) -> Option<[i32; 2]> {
    let event = event.dyn_ref::<MouseEvent>()?;
    Some([event.client_x(), event.client_y()])
}
