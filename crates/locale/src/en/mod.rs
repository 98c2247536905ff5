//! English.

use crate::{Conventions, Direction};

/// Conventions of English.
pub(crate) const CONVENTIONS: Conventions = Conventions {
    tag: "en",
    bcp47: "en",
    name: "English",
    direction: Direction::LeftToRight,
    between_sentences: " ",
    group_separator: ",",
};
