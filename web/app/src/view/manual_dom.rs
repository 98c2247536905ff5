//! Elements that are made by hand, inside a view.

use leptos::prelude::*;
use web_sys::Element;

use lanescope_ui::element::El;

/// An element made by hand, for [`holds`].
pub(super) type Made = StoredValue<El, LocalStorage>;

/// A handle to `element`, to be given to [`holds`].
pub(super) fn made(element: El) -> Made {
    StoredValue::new_local(element)
}

/// The directive that puts an element made by hand into one of a view, before what the view gives it:
/// `<div use:holds=made(element)>`.
#[expect(clippy::needless_pass_by_value, reason = "as directives are called")]
pub(super) fn holds(host: Element, element: Made) {
    element.with_value(|element| {
        if let Some(element) = element.element() {
            let _ = host.prepend_with_node_1(element);
        }
    });
}
