//! The page's address: the state as a link, read and written.

use lanescope_share::{State, decode, encode};
use wasm_bindgen::JsValue;
use web_sys::window;

/// The state that the address tells; of an address that cannot be read, the usual one.
pub(crate) fn open() -> State {
    let fragment = window().and_then(|window| window.location().hash().ok());
    let fragment = fragment.unwrap_or_default();
    decode(fragment.trim_start_matches('#'))
        .map_or_else(|_| State::default(), |opened| opened.state)
}

/// Makes the address tell `state`, in the same entry of the browser's history.
pub(crate) fn replace(state: &State) {
    let fragment = format!("#{}", encode(state));
    let history = window().and_then(|window| window.history().ok());
    if let Some(history) = history {
        // A browser that refuses, as after a hundred changes in half a minute, keeps the former address.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&fragment));
    }
}

/// The whole address of the page in `state`.
pub(crate) fn link(state: &State) -> String {
    let here = window().and_then(|window| window.location().href().ok());
    let here = here.unwrap_or_default();
    let page = here.split('#').next().unwrap_or_default();
    format!("{page}#{}", encode(state))
}
