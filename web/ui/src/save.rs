//! Hands a text to the browser as a file, or to the clipboard.

use crate::element::el;
use js_sys::Array;
use wasm_bindgen::JsCast as _;
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

/// Saves `text` as the file `name`.
pub fn file(text: &str, name: &str, media_type: &str) {
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = Array::of1(&text.into());
    let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &options) else {
        return;
    };
    let Ok(url) = Url::create_object_url_with_blob(&blob) else {
        return;
    };
    let link = el("a").set("href", &url).set("download", name);
    let link = link
        .element()
        .and_then(|link| link.dyn_ref::<HtmlAnchorElement>());
    if let Some(link) = link {
        link.click();
    }
    let _ = Url::revoke_object_url(&url);
}

/// Puts `text` on the clipboard, where the browser lets.
pub fn clipboard(text: &str) {
    if let Some(window) = web_sys::window() {
        // Refused outside a secure page; the link stands in its field all the same.
        let _ = window.navigator().clipboard().write_text(text);
    }
}
