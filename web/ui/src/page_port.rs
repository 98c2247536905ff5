//! A worker's way to its page.

use js_sys::Function;
use serde::Serialize;
use wasm_bindgen::JsValue;

/// The page's ear: a function that takes a message's JSON.
#[derive(Debug)]
pub struct PagePort(Function);

impl PagePort {
    /// The one that `post` is.
    #[must_use]
    pub const fn new(post: Function) -> Self {
        Self(post)
    }

    /// Tells a message.
    pub fn tell(&self, message: &impl Serialize) {
        if let Ok(text) = serde_json::to_string(message) {
            // The page may be gone.
            let _ = self.0.call1(&JsValue::NULL, &text.into());
        }
    }
}

/// A tenth of a second, in a page as in a worker.
pub async fn rest() {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        let timer = js_sys::Reflect::get(&js_sys::global(), &"setTimeout".into());
        if let Ok(timer) = timer.map(Function::from) {
            let _ = timer.call2(&JsValue::NULL, &resolve, &100.into());
        }
    });
    let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
}
