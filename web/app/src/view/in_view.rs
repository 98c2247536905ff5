//! What comes into view soon.

use js_sys::{Array, Function, Object, Reflect};
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use web_sys::Element;

/// How far below and above the view is near.
const MARGIN: &str = "800px";

#[wasm_bindgen]
extern "C" {
    type IntersectionObserver;

    #[wasm_bindgen(constructor)]
    fn new(seen: &Function, options: &Object) -> IntersectionObserver;

    #[wasm_bindgen(method)]
    fn observe(this: &IntersectionObserver, element: &Element);

    #[wasm_bindgen(method)]
    fn disconnect(this: &IntersectionObserver);

    type Entry;

    #[wasm_bindgen(method, getter, js_name = isIntersecting)]
    fn is_intersecting(this: &Entry) -> bool;
}

/// The directive that has `come` told once when an element is near the view: `<tr use:near=come>`.
pub(super) fn near(element: Element, come: Callback<()>) {
    let seen = move |entries: Array, observer: IntersectionObserver| {
        let is_near =
            |entry: wasm_bindgen::JsValue| entry.unchecked_into::<Entry>().is_intersecting();
        if entries.iter().any(is_near) {
            observer.disconnect();
            come.run(());
        }
    };
    let seen: Box<dyn FnMut(Array, IntersectionObserver)> = Box::new(seen);
    let options = Object::new();
    // Refused only for objects that are sealed.
    let _ = Reflect::set(&options, &"rootMargin".into(), &MARGIN.into());
    let seen = Closure::wrap(seen).into_js_value();
    IntersectionObserver::new(seen.unchecked_ref(), &options).observe(&element);
}
