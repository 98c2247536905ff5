//! What the page says of layouts.

use lanescope_layouts::Swizzle;
use lanescope_locale::{Language, layout};

/// Which bits a swizzle reads and changes.
pub(crate) fn swizzle_words(language: Language, swizzle: &Swizzle, on_bytes: bool) -> String {
    let (read, changed) = swizzle.masks();
    let (read, changed) = (span(read), span(changed));
    layout::bits(language, &swizzle.to_string(), &read, &changed, on_bytes)
}

fn span(mask: u64) -> String {
    let (low, high) = (
        mask.trailing_zeros(),
        63_u32.saturating_sub(mask.leading_zeros()),
    );
    if low == high {
        low.to_string()
    } else {
        format!("{low}–{high}")
    }
}
