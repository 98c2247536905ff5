//! Components in the midst of elements that the page makes by hand.

use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use web_sys::HtmlElement;

use crate::element::{El, el};

/// A new element called `tag` with a component in it, which lives as long as the page.
pub(crate) fn island<N>(tag: &str, view: impl FnOnce() -> N + 'static) -> El
where
    N: IntoView + 'static,
{
    let host = el(tag);
    if let Some(element) = host.element() {
        // Every tag that the page gives here is an HTML element's.
        mount_to(element.clone().unchecked_into::<HtmlElement>(), view).forget();
    }
    host
}
