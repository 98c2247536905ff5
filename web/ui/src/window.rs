//! The window, asked for by its name: `web_sys` looks for all that a window, a worker or Node could have in its place.

use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Window;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(thread_local_v2, js_name = window)]
    static WINDOW: Option<Window>;
}

/// The window; none in a worker.
#[must_use]
pub fn window() -> Option<Window> {
    WINDOW.with(Option::clone)
}
