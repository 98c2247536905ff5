//! The browser's memory of a few choices; where it is forbidden or full, nothing is remembered.

use web_sys::Storage;

use crate::window::window;

fn storage() -> Option<Storage> {
    window()?.local_storage().ok()?
}

/// What was remembered under `key`.
#[must_use]
pub fn recall(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Remembers `value` under `key`; returns whether there was room.
pub fn remember(key: &str, value: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(key, value).is_ok())
}

/// Has this tab remember `value` under `key`, through reloads and until it is closed.
pub fn remember_in_tab(key: &str, value: &str) {
    let storage = window().and_then(|window| window.session_storage().ok()?);
    if let Some(storage) = storage {
        // Where nothing can be remembered the address is all there is.
        let _ = storage.set_item(key, value);
    }
}

/// Forgets what this tab remembers under `key`.
pub fn forget_in_tab(key: &str) {
    let storage = window().and_then(|window| window.session_storage().ok()?);
    if let Some(storage) = storage {
        let _ = storage.remove_item(key);
    }
}

/// Forgets what was remembered under `key`.
pub fn forget(key: &str) {
    if let Some(storage) = storage() {
        // Where nothing can be remembered there is nothing to forget.
        let _ = storage.remove_item(key);
    }
}
