//! Hands a text to the browser as a file, as a picture, or to the clipboard.

use crate::element::el;
use js_sys::Array;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, HtmlAnchorElement, HtmlCanvasElement,
    HtmlImageElement, Url,
};

/// Pixels of a saved picture for each of its own.
const SCALE: i32 = 2;

/// Saves `text` as the file `name`.
pub fn file(text: &str, name: &str, media_type: &str) {
    let options = BlobPropertyBag::new();
    options.set_type(media_type);
    let parts = Array::of1(&text.into());
    let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &options) else {
        return;
    };
    download(&blob, name);
}

/// Has the browser draw an SVG of `size` pixels, every colour written out, and saves it as the PNG `name`, twice as large.
/// Nothing is saved where the browser cannot draw it.
pub fn png(svg: &str, size: [i32; 2], name: &str) {
    let Ok(image) = HtmlImageElement::new() else {
        return;
    };
    let (drawn, name) = (image.clone(), name.to_owned());
    let draws = Closure::once_into_js(move |_: JsValue| {
        let _ = draw(&drawn, size, name);
    });
    image.set_onload(Some(draws.unchecked_ref()));
    let text = String::from(js_sys::encode_uri_component(svg));
    image.set_src(&format!("data:image/svg+xml,{text}"));
}

/// Draws an image that is loaded, and saves the pixels.
fn draw(image: &HtmlImageElement, [width, height]: [i32; 2], name: String) -> Option<()> {
    let canvas = el("canvas");
    let canvas = canvas.element()?.dyn_ref::<HtmlCanvasElement>()?.clone();
    canvas.set_width((width * SCALE).unsigned_abs());
    canvas.set_height((height * SCALE).unsigned_abs());
    let context = canvas.get_context("2d").ok()??;
    let context: CanvasRenderingContext2d = context.dyn_into().ok()?;
    let [wide, tall] = [width * SCALE, height * SCALE].map(f64::from);
    context
        .draw_image_with_html_image_element_and_dw_and_dh(image, 0.0, 0.0, wide, tall)
        .ok()?;
    let saves = Closure::once_into_js(move |blob: JsValue| {
        if let Ok(blob) = blob.dyn_into::<Blob>() {
            download(&blob, &name);
        }
    });
    canvas.to_blob(saves.unchecked_ref()).ok()
}

/// Has the browser save `blob` under a name.
fn download(blob: &Blob, name: &str) {
    let Ok(url) = Url::create_object_url_with_blob(blob) else {
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
