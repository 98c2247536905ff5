//! The text of a file that is dropped or chosen.

use js_sys::Uint8Array;
use lanescope_locale::trace::TraceWords;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::Closure;
use web_sys::{Blob, DragEvent};

use crate::opened;
use crate::session::Session;

/// The largest file that is taken.
const MOST_BYTES: f64 = 67_108_864.0;

/// Why a file has no text, in the page's language; empty where nothing is wrong.
pub(super) type Notice = RwSignal<String>;

/// Gives the file's text to `take`; `notice` says why where there is none. Compiled code is opened by itself.
pub(super) fn read(
    session: Session,
    file: &Blob,
    notice: Notice,
    take: impl FnOnce(String) + 'static,
) {
    if is_too_large(file) {
        return notice.set(TraceWords::of(session.language_now()).too_large.to_owned());
    }
    // Bytes cross into the module at once, a text letter by letter.
    let taken = Closure::once(move |buffer: JsValue| {
        let bytes = Uint8Array::new(&buffer).to_vec();
        if opened::is_binary(&bytes) {
            return opened::open(session, &bytes);
        }
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let plain = text.strip_prefix('\u{feff}').map(str::to_owned);
        take(plain.unwrap_or(text));
    });
    let failed = Closure::once(move |_: JsValue| {
        notice.set(
            TraceWords::of(session.language_now())
                .unreadable_file
                .to_owned(),
        );
    });
    let _ = file.array_buffer().then2(&taken, &failed);
    taken.forget();
    failed.forget();
}

/// Whether a file is larger than what is taken.
pub(super) fn is_too_large(file: &Blob) -> bool {
    file.size() > MOST_BYTES
}

/// An area that takes what is dropped on it: a file's text, or text.
#[component]
pub(crate) fn DropArea(
    session: Session,
    class: &'static str,
    notice: Notice,
    take: impl FnMut(String) + Clone + 'static,
    children: Children,
) -> impl IntoView {
    let is_over = RwSignal::new(false);
    let over = move |event: DragEvent| {
        event.prevent_default();
        is_over.set(true);
    };
    let dropped = move |event: DragEvent| {
        event.prevent_default();
        event.stop_propagation();
        is_over.set(false);
        take_dropped(session, &event, notice, take.clone());
    };
    view! {
        <div
            class=class
            data-over=move || is_over.get()
            on:dragover=over
            on:dragleave=move |_| is_over.set(false)
            on:drop=dropped
        >
            {children()}
        </div>
    }
}

fn take_dropped(
    session: Session,
    event: &DragEvent,
    notice: Notice,
    mut take: impl FnMut(String) + 'static,
) {
    let Some(data) = event.data_transfer() else {
        return;
    };
    match data.files().and_then(|files| files.get(0)) {
        Some(file) => read(session, &file, notice, take),
        None => take(data.get_data("text").unwrap_or_default()),
    }
}
