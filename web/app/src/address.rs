//! The page's address: the state as a link, read and written.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use lanescope_share::{LinkError, MAX_FRAGMENT_BYTES, Opened, State, decode, decode_kept, encode};
use lanescope_ui::storage::{forget_in_tab, remember_in_tab};
use leptos::prelude::set_timeout;
use wasm_bindgen::JsValue;
use web_sys::{History, Window};

use crate::link_notice::LinkNotice;
use crate::session::or_first_example;
use crate::tasks;

/// Browsers refuse more than about a hundred changes of the address in half a minute.
const PAUSE_MS: u64 = 350;

/// The file of an embed, in the folder of the page.
const EMBED: &str = "embed.html";

/// The fragment of an entry whose link is too long for an address: the entry's own state holds the link.
const KEPT: &str = "kept";

/// Where the tab holds a text that the address may not tell yet: the former address, the present one, the one to be and
/// the state of the entry, a line each. `boot.js` puts it into the address after a failure and after a reload.
const LEFT: &str = "lanescope.left";

thread_local! {
    /// The link to what the page shows in the place of a link that does not open: as long as that is shown, the
    /// address stays what the reader came with.
    static HELD: RefCell<Option<String>> = const { RefCell::new(None) };
    static WRITTEN: RefCell<String> = const { RefCell::new(String::new()) };
    /// What the address of the present entry was before it was last written: a reload may have taken that.
    static FORMER: RefCell<String> = const { RefCell::new(String::new()) };
    static WAITING: Cell<bool> = const { Cell::new(false) };
    static LATEST: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn window() -> Option<Window> {
    web_sys::window()
}

/// The state that the address tells, and what is to be said about it. An address that cannot be
/// read opens the first example and says why.
pub(crate) fn open() -> (State, Vec<LinkNotice>) {
    let text = link_text();
    WRITTEN.set(text.clone());
    HELD.set(None);
    match opened(&text) {
        Ok(opened) => {
            let notices = opened.notices.into_iter().map(LinkNotice::Notice).collect();
            (or_first_example(opened.state), notices)
        }
        Err(error) => {
            let state = or_first_example(State::default());
            HELD.set(Some(encode(&state)));
            (state, vec![LinkNotice::Error { error, link: text }])
        }
    }
}

/// What a fragment stands for: a link, or the link that the entry of the history holds.
fn opened(text: &str) -> Result<Opened, LinkError> {
    match kept() {
        Some(link) if text == KEPT => decode_kept(&link),
        _ => decode(text),
    }
}

/// Whether a link is too long for an address.
fn is_too_long(link: &str) -> bool {
    link.len() > MAX_FRAGMENT_BYTES
}

/// Whether `link` leads to what is shown in the place of a link that does not open. Any other ends that.
fn is_held(link: &str) -> bool {
    HELD.with_borrow_mut(|held| {
        let is_held = held.as_deref() == Some(link);
        if !is_held {
            *held = None;
        }
        is_held
    })
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

/// Makes the address tell `state`, soon, in the present entry of the history. Returns whether the link to it is too
/// long for an address; the entry then keeps it, and only this tab can open it.
pub(crate) fn replace(state: &State) -> bool {
    let text = encode(state);
    let is_long = is_too_long(&text);
    replace_with(text);
    is_long
}

fn replace_with(text: String) {
    if is_held(&text) {
        return;
    }
    if WRITTEN.with_borrow(|written| *written == text) {
        if LATEST.take().is_some() {
            forget_in_tab(LEFT);
        }
        return;
    }
    if WAITING.get() {
        if !is_too_long(&text) {
            hold(&text);
        }
        LATEST.set(Some(text));
        return;
    }
    LATEST.set(Some(text));
    WAITING.set(true);
    // A long one takes milliseconds, as did its link.
    tasks::then(write_latest);
    set_timeout(after_pause, Duration::from_millis(PAUSE_MS));
}

fn after_pause() {
    WAITING.set(false);
    write_latest();
}

fn write_latest() {
    if let Some(text) = LATEST.take() {
        write(text, false);
    }
}

/// Makes the address tell `state` at once, before the page goes or another entry begins.
pub(crate) fn settle(state: &State) {
    let text = encode(state);
    LATEST.set(None);
    if !is_held(&text) && WRITTEN.with_borrow(|written| *written != text) {
        write(text, false);
    }
}

/// Makes the address tell `state` as the page goes, and the tab hold it: the browser takes the address of a reload
/// before it lets the page know.
pub(crate) fn leave(state: &State) {
    let text = encode(state);
    LATEST.set(None);
    if is_held(&text) {
        // A reload is of the link that does not open, not of what was left here before.
        forget_in_tab(LEFT);
        return;
    }
    let left = left(&text);
    if WRITTEN.with_borrow(|written| *written != text) {
        write(text, false);
    }
    remember_in_tab(LEFT, &left);
}

/// Has the tab hold `text` until the address tells it.
fn hold(text: &str) {
    remember_in_tab(LEFT, &left(text));
}

fn left(text: &str) -> String {
    let (former, from) = (FORMER.with_borrow(String::clone), href());
    let depth = window().and_then(|window| Some(depth(&window.history().ok()?)));
    let (url, state) = entry(text, depth.unwrap_or(0.0));
    format!("{former}\n{from}\n{url}\n{state}")
}

fn href() -> String {
    let href = window().and_then(|window| window.location().href().ok());
    href.unwrap_or_default()
}

/// How many entries of this page stand before the present one in the history. An entry's state is that number, or the
/// number, a line feed and the link that is too long for its address.
fn depth(history: &History) -> f64 {
    let Ok(state) = history.state() else {
        return 0.0;
    };
    let of_text = |text: String| text.split('\n').next()?.parse().ok();
    let depth = state
        .as_f64()
        .or_else(|| state.as_string().and_then(of_text));
    depth.unwrap_or(0.0)
}

/// The link that the present entry of the history holds.
fn kept() -> Option<String> {
    let state = window()?.history().ok()?.state().ok()?.as_string()?;
    let (_, link) = state.split_once('\n')?;
    Some(link.to_owned())
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
    let kept = (text == KEPT).then(kept).flatten();
    let text = kept.unwrap_or(text);
    WRITTEN.with_borrow(|written| *written == text)
}

/// The address and the state of the entry that tells `text`.
fn entry(text: &str, depth: f64) -> (String, String) {
    let path = window()
        .and_then(|window| window.location().pathname().ok())
        .unwrap_or_default();
    if is_too_long(text) {
        (format!("{path}#{KEPT}"), format!("{depth}\n{text}"))
    } else {
        (format!("{path}#{text}"), depth.to_string())
    }
}

fn write(text: String, is_new: bool) {
    LATEST.set(None);
    let Some(history) = window().and_then(|window| window.history().ok()) else {
        return;
    };
    let depth = depth(&history) + f64::from(u8::from(is_new));
    let (url, state) = entry(&text, depth);
    let state = JsValue::from_str(&state);
    forget_in_tab(LEFT);
    FORMER.set(if is_new { String::new() } else { href() });
    // Refused only where the address may not change at all; the page works on without.
    let _ = if is_new {
        history.push_state_with_url(&state, "", Some(&url))
    } else {
        history.replace_state_with_url(&state, "", Some(&url))
    };
    // What the address then says: browsers escape some of it.
    WRITTEN.set(if is_too_long(&text) {
        text
    } else {
        link_text()
    });
}
