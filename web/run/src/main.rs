//! The run card. The same module runs twice: in the page it shows, in a worker it simulates, measures and searches fixes.
//!
//! The page around it gives it an element and the link to what is shown, and hears nothing of it.

#![allow(
    unreachable_pub,
    reason = "the macros of Leptos and wasm-bindgen make public items"
)]

mod figures;
mod fixing;
mod message;
mod perform;
mod session;
mod shared;
mod subject;
mod translate;
mod view;

use js_sys::{Array, Function};
use lanescope_locale::Language;
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use web_sys::HtmlElement;

use crate::session::Session;
use crate::view::RunCard;

fn main() {}

/// Puts the card into `root`. `run` is called with a request as JSON and the files that go with it, `stop` to end it; it is
/// called at once where somebody has pressed a button for that. Returns two functions: one takes the link to what the page
/// shows, one a message of the worker; that returns whether the run is over.
#[wasm_bindgen]
pub fn show(
    root: HtmlElement,
    fragment: &str,
    is_pressed: bool,
    run: Function,
    stop: Function,
) -> Array {
    let session = Session::start(fragment, run, stop);
    mount_to(root, move || view! { <RunCard session /> }).forget();
    let follow = Closure::<dyn Fn(String)>::new(move |fragment: String| session.follow(&fragment));
    let hear = Closure::<dyn Fn(String) -> bool>::new(move |text: String| session.hear(&text));
    if is_pressed {
        session.run(None);
    }
    Array::of2(
        &follow.into_js_value().unchecked_into(),
        &hear.into_js_value().unchecked_into(),
    )
}

/// Carries out a request and posts messages until it is over. `files` are pairs of a buffer's name and its bytes; `told`
/// is what the browser says of the GPU, as JSON.
#[wasm_bindgen]
pub fn perform(request: String, files: Array, told: String, post: Function) {
    wasm_bindgen_futures::spawn_local(perform::perform(request, files, told, post));
}

/// The kernel of a link in the language that the page's menu calls `key`, as JSON: its `text`, or none, and what is `said`
/// of it in the language of the tag `language`.
#[wasm_bindgen]
pub fn translate(fragment: &str, key: &str, language: &str) -> String {
    translate::translate(fragment, key, Language::negotiate(language))
}

/// Tells whether the page is hidden: no samples are taken then.
#[wasm_bindgen]
pub fn set_hidden(hidden: bool) {
    perform::set_hidden(hidden);
}
