//! Files dropped anywhere on the page: exports of a profiler, kernels, and the source of compiled code.

use leptos::prelude::RwSignal;
use web_sys::DragEvent;

use super::{paste_anywhere, text_file};
use crate::link_notice::FileFault;
use crate::session::Session;

/// Takes what is dropped on the page and was not taken by a part of it.
pub(crate) fn take_dropped(session: Session, event: &DragEvent) {
    if event.default_prevented() {
        return;
    }
    event.prevent_default();
    let Some(files) = event.data_transfer().and_then(|data| data.files()) else {
        return;
    };
    let said = RwSignal::new(String::new());
    for file in (0..files.length()).filter_map(|at| files.get(at)) {
        if text_file::is_too_large(&file) {
            session.say_file(FileFault::TooLarge);
            continue;
        }
        text_file::read(session, &file, said, move |text| {
            paste_anywhere::take_dropped(session, text);
        });
    }
}
