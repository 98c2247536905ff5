//! Whether the pointer moved, or what is under it did.

use std::cell::Cell;
use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{Event, MouseEvent};

/// Where the pointer was last. A handle: clones are the same pointer.
#[derive(Clone, Default)]
pub(super) struct Resting(Rc<Cell<Option<[i32; 2]>>>);

impl Resting {
    /// One that knows nothing yet; who turns the wheel moves what is under the pointer, and knows it.
    pub(super) fn follow() -> Self {
        let at = Self::default();
        let held = StoredValue::new_local(at.clone());
        let wheel = window_event_listener(ev::wheel, move |_| {
            held.with_value(|at| at.0.set(None));
        });
        on_cleanup(move || wheel.remove());
        at
    }

    /// Takes the place of `event`.
    pub(super) fn note(&self, event: &Event) {
        self.0.set(place(event));
    }

    /// Whether the pointer was there before `event`, which is therefore the doing of what is under it.
    pub(super) fn is_resting(&self, event: &Event) -> bool {
        let now = place(event);
        let is_same = now.is_some() && self.0.get() == now;
        self.0.set(now);
        is_same
    }
}

fn place(event: &Event) -> Option<[i32; 2]> {
    let event = event.dyn_ref::<MouseEvent>()?;
    Some([event.client_x(), event.client_y()])
}
