//! Why a link does not open, and what to know about one that does.

use std::fmt;

use lanescope_locale::{Language, link_error};
use thiserror::Error;

/// Why a link does not open.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LinkError {
    /// The whole link is longer than any that this project writes.
    TooLong {
        /// Bytes of the fragment.
        bytes: usize,
        /// The most that are read.
        limit: usize,
    },
    /// Nothing in it is a key and a value.
    NoLink {
        /// What stands there, shortened.
        text: String,
    },
    /// The version is no number.
    Version {
        /// What stands there.
        value: String,
    },
    /// A later version of the project made the link.
    Newer {
        /// The link's version.
        version: u32,
        /// The raw keys and values.
        raw: Vec<(String, String)>,
    },
    /// A key that may stand once stands twice.
    Twice {
        /// The key.
        key: &'static str,
    },
    /// The link carries sources of two kinds.
    TwoSources {
        /// A key of the one kind.
        first: &'static str,
        /// A key of the other.
        second: &'static str,
    },
    /// A value that cannot be read.
    BadValue {
        /// The key.
        key: &'static str,
        /// The value, shortened.
        value: String,
        /// What the key takes.
        expected: &'static str,
    },
    /// A packed text whose codec is not known.
    Codec {
        /// The key.
        key: &'static str,
        /// What stands before the first dot, shortened.
        codec: String,
    },
    /// A packed text that cannot be unpacked.
    Damaged {
        /// The key.
        key: &'static str,
    },
    /// A packed text that grows beyond all measure.
    TooLarge {
        /// The key.
        key: &'static str,
        /// The most bytes of a text.
        limit: usize,
    },
    /// Unreadable, and the check says that the link is not as it was made.
    CutOff(Box<LinkError>),
}

impl LinkError {
    /// Why, in `language`.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::TooLong { bytes, limit } => link_error::too_long(language, *bytes, *limit),
            Self::NoLink { text } => link_error::no_link(language, text),
            Self::Version { value } => link_error::version(language, value),
            Self::Newer { version, .. } => link_error::newer(language, *version),
            Self::Twice { key } => link_error::twice(language, key),
            Self::TwoSources { first, second } => link_error::two_sources(language, first, second),
            Self::BadValue {
                key,
                value,
                expected,
            } => link_error::bad_value(language, key, value, expected),
            Self::Codec { key, codec } => link_error::codec(language, key, codec),
            Self::Damaged { key } => link_error::damaged(language, key),
            Self::TooLarge { key, limit } => link_error::too_large(language, key, *limit),
            Self::CutOff(inner) => link_error::cut_off(language, &inner.text(language)),
        }
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}

/// What to know about a link that opened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// The check does not fit: the link was cut off, or changed by hand.
    CutOff,
    /// Keys that this version does not know; they are kept in [`crate::State::unknown`] where they
    /// are made as keys are.
    Unknown {
        /// The first of the keys, in order, shortened.
        keys: Vec<String>,
    },
    /// Invisible characters (controls, changes of direction) that were made visible as `U+FFFD`.
    Hidden {
        /// How many.
        count: usize,
    },
}
