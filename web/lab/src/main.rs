//! The lab's page. The same module runs twice: in the page it shows, in a worker it measures and
//! predicts.

#![allow(
    unreachable_pub,
    reason = "the macros of Leptos and wasm-bindgen make public items"
)]

mod address;
mod app;
mod card;
mod csv;
mod element;
mod forecast;
mod history;
mod line;
mod markdown;
mod message;
mod opened;
mod published;
mod run;
mod session;
mod settings;
mod sheet;
mod slim;
mod view;
mod words;
mod worker;

use js_sys::Function;
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use web_sys::HtmlElement;

use crate::app::App;
use crate::session::Session;
use crate::worker::Worker;

fn main() {}

/// Puts the page into `root`. `run` is called with settings as JSON, `stop` to cancel it,
/// `foresee` with questions to the model. Returns the function that takes a message of the
/// worker and says whether the run is over.
#[wasm_bindgen]
pub fn show(root: HtmlElement, run: Function, stop: Function, foresee: Function) -> Function {
    let session = Session::start(Worker::new(run, stop, foresee));
    mount_to(root, move || view! { <App session /> }).forget();
    let hear = Closure::<dyn Fn(String) -> bool>::new(move |text: String| session.hear(&text));
    hear.into_js_value().unchecked_into()
}

/// Carries out a run and posts messages until it is over. `told` is what the browser says of the GPU, as JSON.
#[wasm_bindgen]
pub fn perform(settings: String, told: String, post: Function) {
    wasm_bindgen_futures::spawn_local(run::perform(settings, told, post));
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
