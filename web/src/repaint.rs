//! How long a change takes to reach the picture, for the browser's own timeline.

use std::cell::Cell;

use js_sys::{Function, Object, Reflect};
use wasm_bindgen::JsCast as _;
use web_sys::Performance;

const NAME: &str = "lanescope:repaint";

thread_local! {
    static BEGUN: Cell<Option<f64>> = const { Cell::new(None) };
}

fn performance() -> Option<Performance> {
    web_sys::window()?.performance()
}

/// Notes that a change begins: with the event being handled, if there is one.
pub(crate) fn begin() {
    let event = web_sys::window().and_then(|window| Reflect::get(&window, &"event".into()).ok());
    let stamp = event
        .and_then(|event| Reflect::get(&event, &"timeStamp".into()).ok())
        .and_then(|stamp| stamp.as_f64());
    BEGUN.set(stamp.or_else(|| performance().map(|performance| performance.now())));
}

/// Notes that the picture shows the change.
pub(crate) fn end() {
    let Some(start) = BEGUN.take() else { return };
    let Some(performance) = performance() else {
        return;
    };
    let options = Object::new();
    let measure = Reflect::get(&performance, &"measure".into())
        .ok()
        .and_then(|measure| measure.dyn_into::<Function>().ok());
    // The timeline is only looked at by tests; without it nothing is lost.
    if let Some(measure) = measure
        && Reflect::set(&options, &"start".into(), &start.into()).is_ok()
    {
        let _ = measure.call2(&performance, &NAME.into(), &options);
    }
}
