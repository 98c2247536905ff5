//! How long a link is, for those who must paste it.

use crate::MAX_FRAGMENT_BYTES;

/// How far a link of some length travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Length {
    /// At most 500 bytes: everywhere.
    Short,
    /// At most 2,000: most chat programs take it.
    Long,
    /// More: chat programs refuse it or cut it.
    VeryLong,
    /// More than [`MAX_FRAGMENT_BYTES`]: it does not open.
    TooLong,
}

impl Length {
    /// The class of a link of `bytes` bytes.
    #[must_use]
    pub const fn of(bytes: usize) -> Self {
        match bytes {
            0..=500 => Self::Short,
            501..=2_000 => Self::Long,
            2_001..=MAX_FRAGMENT_BYTES => Self::VeryLong,
            _ => Self::TooLong,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_change_past_500_2000_and_the_limit() {
        let classes = [500, 501, 2_000, 2_001, 16_384, 16_385].map(Length::of);
        use Length::{Long, Short, TooLong, VeryLong};
        assert_eq!(classes, [Short, Long, Long, VeryLong, VeryLong, TooLong]);
    }
}
