//! The lab's page. The same module runs twice: in the page it shows, in a worker it measures.

#![allow(unreachable_pub, reason = "wasm-bindgen exports public items")]

mod element;
mod message;
mod published;
mod request;
mod results;
mod run;
mod view;
mod words;

use js_sys::Function;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlElement;

fn main() {}

/// Puts the page into `root`. `run` is called with a request as JSON, `stop` to cancel it.
#[wasm_bindgen]
pub fn show(root: HtmlElement, run: Function, stop: Function) {
    view::build(&root, run, stop);
}

/// Takes a message of the worker; returns whether the run is over.
#[wasm_bindgen]
pub fn heard(text: &str) -> bool {
    view::heard(text)
}

/// Carries out a request and posts messages until it is over.
#[wasm_bindgen]
pub fn perform(request: String, post: Function) {
    wasm_bindgen_futures::spawn_local(run::perform(request, post));
}

/// Ends the run at its next step.
#[wasm_bindgen]
pub fn cancel() {
    run::cancel();
}

/// Tells whether the page is hidden: no samples are taken then.
#[wasm_bindgen]
pub fn set_hidden(hidden: bool) {
    run::set_hidden(hidden);
}
