//! Folds: what the browser says of them.

use wasm_bindgen::JsCast as _;
use web_sys::{Event, HtmlDetailsElement};

/// Whether the fold that an event happened to stands open.
pub(super) fn is_open(event: &Event) -> bool {
    let fold = event.target();
    let fold = fold.and_then(|fold| fold.dyn_into::<HtmlDetailsElement>().ok());
    fold.is_some_and(|fold| fold.open())
}
