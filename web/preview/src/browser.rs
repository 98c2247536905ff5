//! What the browser knows: its address.

use lanescope_share::{State, encode_plain};
use lanescope_ui::window::window;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// The file of an embed, in the folder of the page.
const EMBED: &str = "embed.html";

#[wasm_bindgen]
extern "C" {
    /// Has the whole page take this one's place, and then the element with this id clicked.
    #[wasm_bindgen(js_name = lanescopeWhole)]
    pub(crate) fn whole(then: &str);
}

/// The fragment, or the query where somebody's wiki dropped fragments.
pub(crate) fn link_text() -> String {
    let Some(location) = window().map(|window| window.location()) else {
        return String::new();
    };
    let fragment = location.hash().unwrap_or_default();
    let query = location.search().unwrap_or_default();
    let text = if fragment.len() > 1 { fragment } else { query };
    text.get(1..).unwrap_or_default().to_owned()
}

/// Makes the address tell `state`, in the present entry of the history.
pub(crate) fn write_link(state: &State) {
    let Some(window) = window() else { return };
    let path = window.location().pathname().unwrap_or_default();
    let url = path + "#" + &encode_plain(state);
    if let Ok(history) = window.history() {
        // Refused only where the address may not change at all; the page works on without.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&url));
    }
}

/// The whole link to `state`, in the page itself where this is an embed.
pub(crate) fn link(state: &State) -> String {
    let location = window().map(|window| window.location());
    let page = location.and_then(|location| {
        let path = location.pathname().ok()?;
        Some(location.origin().ok()? + path.strip_suffix(EMBED).unwrap_or(&path))
    });
    page.unwrap_or_default() + "#" + &encode_plain(state)
}
