//! Fields whose text means a value of the state.

use leptos::html;
use leptos::prelude::*;

/// Keeps `field` at what `held` is, as `spell` spells it, unless what stands there already means the same, as `read`
/// reads it: what is typed stays as it is typed, and the caret where it is.
pub(super) fn keep<T: PartialEq + 'static>(
    field: NodeRef<html::Input>,
    held: impl Fn() -> T + 'static,
    read: impl Fn(&str) -> Option<T> + 'static,
    spell: impl Fn(&T) -> String + 'static,
) {
    Effect::new(move || {
        let held = held();
        if let Some(field) = field.get()
            && read(&field.value()).as_ref() != Some(&held)
        {
            field.set_value(&spell(&held));
            let _ = field.set_attribute("aria-invalid", "false");
        }
    });
}
