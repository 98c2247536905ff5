//! The text of a file that is dropped or chosen.

use js_sys::Uint8Array;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, DragEvent, Event};

use crate::element::El;
use crate::session::Session;
use crate::words::TraceWord;

/// The largest file that is taken.
const MOST_BYTES: f64 = 67_108_864.0;

/// Gives the file's text to `take`; `said` says why where there is none.
pub(super) fn read(session: Session, file: &Blob, said: &El, take: impl FnOnce(String) + 'static) {
    if file.size() > MOST_BYTES {
        let language = session.page().language;
        return said.put_text(&language.trace(&TraceWord::TooLarge));
    }
    // Bytes cross into the module at once, a text letter by letter.
    let taken = Closure::once(move |buffer: JsValue| {
        let bytes = Uint8Array::new(&buffer).to_vec();
        let text = String::from_utf8(bytes)
            .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
        let plain = text.strip_prefix('\u{feff}').map(str::to_owned);
        take(plain.unwrap_or(text));
    });
    let said = said.clone();
    let failed = Closure::once(move |_: JsValue| {
        said.put_text(&session.page().language.trace(&TraceWord::UnreadableFile));
    });
    let _ = file.array_buffer().then2(&taken, &failed);
    taken.forget();
    failed.forget();
}

/// Has `area` take what is dropped on it: a file's text, or text.
pub(super) fn dropping(
    session: Session,
    area: El,
    said: El,
    take: impl FnMut(String) + Clone + 'static,
) -> El {
    let (over, left, dropped) = (area.clone(), area.clone(), area.clone());
    area.on("dragover", move |event| {
        event.prevent_default();
        over.put("data-over", "");
    })
    .on("dragleave", move |_| left.put_option("data-over", None))
    .on("drop", move |event| {
        event.prevent_default();
        event.stop_propagation();
        dropped.put_option("data-over", None);
        take_dropped(session, &event, &said, take.clone());
    })
}

fn take_dropped(
    session: Session,
    event: &Event,
    said: &El,
    mut take: impl FnMut(String) + 'static,
) {
    let Some(data) = event.unchecked_ref::<DragEvent>().data_transfer() else {
        return;
    };
    match data.files().and_then(|files| files.get(0)) {
        Some(file) => read(session, &file, said, take),
        None => take(data.get_data("text").unwrap_or_default()),
    }
}
