//! The worker as the page reaches it: `start.js` starts it, watches over it and brings its messages.

use js_sys::Function;
use serde::Serialize;
use wasm_bindgen::JsValue;

use crate::forecast::Question;
use crate::settings::Settings;

/// What the worker can be told. What goes wrong comes back as a message.
#[derive(Debug)]
pub(crate) struct Worker {
    run: Function,
    stop: Function,
    foresee: Function,
}

impl Worker {
    pub(crate) const fn new(run: Function, stop: Function, foresee: Function) -> Self {
        Self { run, stop, foresee }
    }

    /// Has it run what is asked for.
    pub(crate) fn run(&self, settings: &Settings) {
        tell(&self.run, settings);
    }

    /// Ends the run at its next step.
    pub(crate) fn stop(&self) {
        let _ = self.stop.call0(&JsValue::NULL);
    }

    /// Asks what the model says.
    pub(crate) fn foresee(&self, questions: &[Question]) {
        tell(&self.foresee, questions);
    }
}

fn tell(function: &Function, what: &(impl Serialize + ?Sized)) {
    if let Ok(text) = serde_json::to_string(what) {
        let _ = function.call1(&JsValue::NULL, &text.into());
    }
}
