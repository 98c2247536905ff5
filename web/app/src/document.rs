//! What the document that holds the page says of it.

use lanescope_ui::element::document_element;

/// Whether the document is that of an embed.
pub(crate) fn is_embed() -> bool {
    document_element()
        .element()
        .is_some_and(|document| document.has_attribute("data-embed"))
}
