//! The browser's memory; where it is forbidden or full, nothing is remembered.

use web_sys::Storage;

fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok()?
}

/// What was remembered under `key`.
pub(crate) fn recall(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Remembers `value` under `key`; returns whether there was room.
pub(crate) fn remember(key: &str, value: &str) -> bool {
    storage().is_some_and(|storage| storage.set_item(key, value).is_ok())
}

/// Forgets what was remembered under `key`.
pub(crate) fn forget(key: &str) {
    if let Some(storage) = storage() {
        let _ = storage.remove_item(key);
    }
}
