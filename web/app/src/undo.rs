//! Undo and redo of what makes an entry in the browser's history: examples, links, applied fixes. Inside a field the
//! keys are the browser's own.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::{
    HtmlElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement, KeyboardEvent,
};

use crate::address;
use crate::session::Session;

/// Follows Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y (with Command on a Mac) outside of fields.
pub(crate) fn follow_keys(session: Session) {
    let pressed = window_event_listener(ev::keydown, move |event| {
        // Browsers that fill in forms send events of this name that are none of the keyboard.
        if !event.is_instance_of::<KeyboardEvent>() || is_in_field(&event) {
            return;
        }
        let step = wanted(&event);
        if step.is_none() || step == Some(Step::Back) && !address::has_before() {
            return;
        }
        // The entry that is left tells what was typed last.
        address::settle(&session.state());
        address::go(if step == Some(Step::Back) { -1 } else { 1 });
        event.prevent_default();
    });
    on_cleanup(move || pressed.remove());
}

#[derive(Debug, PartialEq, Eq)]
enum Step {
    Back,
    Forward,
}

fn wanted(event: &KeyboardEvent) -> Option<Step> {
    let is_command = (event.ctrl_key() || event.meta_key()) && !event.alt_key();
    step(&event.key(), is_command, event.shift_key())
}

fn step(key: &str, is_command: bool, has_shift: bool) -> Option<Step> {
    match (key, has_shift) {
        _ if !is_command => None,
        ("z" | "Z", false) => Some(Step::Back),
        ("z" | "Z", true) | ("y" | "Y", false) => Some(Step::Forward),
        _ => None,
    }
}

fn is_in_field(event: &KeyboardEvent) -> bool {
    let Some(target) = event.target() else {
        return false;
    };
    target.is_instance_of::<HtmlInputElement>()
        || target.is_instance_of::<HtmlTextAreaElement>()
        || target.is_instance_of::<HtmlSelectElement>()
        || target
            .dyn_ref::<HtmlElement>()
            .is_some_and(|element| element.is_content_editable() || is_editor(element))
}

/// Whether `element` holds an editor, from the outside of whose shadow root it is seen.
fn is_editor(element: &HtmlElement) -> bool {
    element.class_list().contains("whole")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_those_of_other_programs() {
        assert_eq!(step("z", true, false), Some(Step::Back));
        assert_eq!(step("Z", true, true), Some(Step::Forward));
        assert_eq!(step("y", true, false), Some(Step::Forward));
        assert_eq!(step("z", false, false), None);
        assert_eq!(step("x", true, false), None);
    }
}
