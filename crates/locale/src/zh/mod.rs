//! Chinese, simplified.

use crate::{Conventions, Direction};

/// Conventions of Chinese.
pub(crate) const CONVENTIONS: Conventions = Conventions {
    tag: "zh",
    bcp47: "zh-CN",
    name: "中文",
    direction: Direction::LeftToRight,
    between_sentences: "",
    group_separator: ",",
};
