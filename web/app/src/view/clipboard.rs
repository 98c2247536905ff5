//! Texts to the clipboard.

use leptos::prelude::window;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::Closure;

/// Puts `text` into the clipboard; `false` where there is none, as on an insecure page.
pub(super) fn copy_text(text: &str) -> bool {
    let navigator = window().navigator();
    let clipboard = js_sys::Reflect::get(&navigator, &"clipboard".into());
    if clipboard.is_ok_and(|clipboard| clipboard.is_undefined()) {
        return false;
    }
    // A refusal (a page without the focus) leaves the text to be selected by hand.
    let ignore = Closure::new(|_: JsValue| {});
    let _ = navigator.clipboard().write_text(text).catch(&ignore);
    ignore.forget();
    true
}
