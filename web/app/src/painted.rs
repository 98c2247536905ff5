//! What waits until the browser has painted: the picture comes first.

use std::time::Duration;

use leptos::prelude::{request_animation_frame, set_timeout};

/// Does `act` when what the page shows now is on the screen; soon, where there is no screen.
pub(crate) fn then(act: impl FnOnce() + 'static) {
    let soon = move || set_timeout(act, Duration::ZERO);
    let document = web_sys::window().and_then(|window| window.document());
    if document.is_none_or(|document| document.hidden()) {
        soon();
    } else {
        request_animation_frame(soon);
    }
}
