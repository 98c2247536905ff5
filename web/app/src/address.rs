//! The page's address: the state as a link, read and written.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use lanescope_share::{Source, State, decode, encode};
use leptos::prelude::set_timeout;
use wasm_bindgen::JsValue;
use web_sys::{History, Window};

use crate::session::{Said, or_first_example};

/// Browsers refuse more than about a hundred changes of the address in half a minute.
const PAUSE_MS: u64 = 350;

/// The file of an embed, in the folder of the page.
const EMBED: &str = "embed.html";

thread_local! {
    static WRITTEN: RefCell<String> = const { RefCell::new(String::new()) };
    static WAITING: Cell<bool> = const { Cell::new(false) };
    static LATEST: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn window() -> Option<Window> {
    web_sys::window()
}

/// The state that the address tells, and what is to be said about it. An address that cannot be
/// read opens the first example and says why.
pub(crate) fn open() -> (State, Vec<Said>) {
    let text = link_text();
    WRITTEN.set(text.clone());
    match decode(&text) {
        Ok(opened) => {
            let said = opened.notices.into_iter().map(Said::Notice).collect();
            (or_first_example(in_kernel_tab(opened.state)), said)
        }
        Err(error) => (or_first_example(State::default()), vec![Said::Error(error)]),
    }
}

/// WGSL is read in the Kernel tab, which knows it by its text.
fn in_kernel_tab(state: State) -> State {
    match state.source {
        Source::Wgsl(text) => State {
            source: Source::Kernel(text),
            ..state
        },
        _ => state,
    }
}

/// The fragment, or the query where somebody's wiki dropped fragments.
fn link_text() -> String {
    let Some(location) = window().map(|window| window.location()) else {
        return String::new();
    };
    let fragment = location.hash().unwrap_or_default();
    let query = location.search().unwrap_or_default();
    let text = if fragment.len() > 1 { fragment } else { query };
    text.get(1..).unwrap_or_default().to_owned()
}

/// The whole link to `state`, in the page itself where this is an embed.
pub(crate) fn link(state: &State) -> String {
    let location = window().map(|window| window.location());
    let page = location.and_then(|location| {
        let path = location.pathname().ok()?;
        Some(location.origin().ok()? + path.strip_suffix(EMBED).unwrap_or(&path))
    });
    format!("{}#{}", page.unwrap_or_default(), encode(state))
}

/// Makes the address tell `state` as a new entry of the history.
pub(crate) fn push(state: &State) {
    write(encode(state), true);
}

/// Makes the address tell `state`, soon, in the present entry of the history.
pub(crate) fn replace(state: &State) {
    let text = encode(state);
    if WRITTEN.with_borrow(|written| *written == text) {
        return;
    }
    if WAITING.get() {
        LATEST.set(Some(text));
        return;
    }
    write(text, false);
    WAITING.set(true);
    set_timeout(after_pause, Duration::from_millis(PAUSE_MS));
}

fn after_pause() {
    WAITING.set(false);
    if let Some(text) = LATEST.take() {
        write(text, false);
    }
}

/// Makes the address tell `state` at once, before the page goes or another entry begins.
pub(crate) fn settle(state: &State) {
    let text = encode(state);
    LATEST.set(None);
    if WRITTEN.with_borrow(|written| *written != text) {
        write(text, false);
    }
}

/// How many entries of this page stand before the present one in the history.
fn depth(history: &History) -> f64 {
    let depth = history.state().ok().and_then(|state| state.as_f64());
    depth.unwrap_or(0.0)
}

/// Whether the entry before the present one is this page's own.
pub(crate) fn has_before() -> bool {
    let history = window().and_then(|window| window.history().ok());
    history.is_some_and(|history| depth(&history) > 0.0)
}

/// Goes so many entries of the history on, back where negative, if there are so many.
pub(crate) fn go(entries: i32) {
    if let Some(history) = window().and_then(|window| window.history().ok()) {
        let _ = history.go_with_delta(entries);
    }
}

/// Whether the address is as this page wrote it.
pub(crate) fn is_own() -> bool {
    let text = link_text();
    WRITTEN.with_borrow(|written| *written == text)
}

fn write(text: String, is_new: bool) {
    LATEST.set(None);
    let Some(history) = window().and_then(|window| window.history().ok()) else {
        return;
    };
    let path = window()
        .and_then(|window| window.location().pathname().ok())
        .unwrap_or_default();
    let url = format!("{path}#{text}");
    let depth = depth(&history);
    // Refused only where the address may not change at all; the page works on without.
    let _ = if is_new {
        history.push_state_with_url(&JsValue::from_f64(depth + 1.0), "", Some(&url))
    } else {
        history.replace_state_with_url(&JsValue::from_f64(depth), "", Some(&url))
    };
    WRITTEN.set(link_text());
}
