//! The lab's page. The same module runs twice: in the page it shows, in a worker it measures and
//! predicts.

#![allow(unreachable_pub, reason = "wasm-bindgen exports public items")]

mod chart;
mod controls;
mod csv;
mod forecast;
mod history;
mod message;
mod page;
mod published;
mod run;
mod save;
mod settings;
mod slim;
mod staircase;
mod standing;
mod sweep;
mod table;
mod words;

use js_sys::Function;
use lanescope_ui::{element, storage, theme};
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlElement;

fn main() {}

/// Puts the page into `root`. `run` is called with settings as JSON, `stop` to cancel it,
/// `foresee` with questions to the model.
#[wasm_bindgen]
pub fn show(root: HtmlElement, run: Function, stop: Function, foresee: Function) {
    page::build(&root, run, stop, foresee);
}

/// Takes a message of the worker; returns whether the run is over.
#[wasm_bindgen]
pub fn heard(text: &str) -> bool {
    page::heard(text)
}

/// Carries out a run and posts messages until it is over.
#[wasm_bindgen]
pub fn perform(settings: String, post: Function) {
    wasm_bindgen_futures::spawn_local(run::perform(settings, post));
}

/// Answers questions to the model with one message.
#[wasm_bindgen]
pub fn foresee(questions: &str, post: Function) {
    run::foresee(questions, post);
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
