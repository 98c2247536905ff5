//! Why a link does not open, and what to know about one that does.

use thiserror::Error;

/// Why a link does not open.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LinkError {
    /// The whole link is longer than any that this project writes.
    #[error("the link has {bytes} bytes, and at most {limit} are read; send the source as a file")]
    TooLong {
        /// Bytes of the fragment.
        bytes: usize,
        /// The most that are read.
        limit: usize,
    },
    /// Nothing in it is a key and a value.
    #[error("`{text}` is not a link of this page; links are `key=value` pairs, as in `e=tile[tx]`")]
    NoLink {
        /// What stands there, shortened.
        text: String,
    },
    /// The version is no number.
    #[error("`v={value}` is no version; write `v=1` or leave it out")]
    Version {
        /// What stands there.
        value: String,
    },
    /// A later version of the project made the link.
    #[error("the link has version {version}, made by a newer Lanescope; open it there")]
    Newer {
        /// The link's version.
        version: u32,
        /// The raw keys and values.
        raw: Vec<(String, String)>,
    },
    /// A key that may stand once stands twice.
    #[error("`{key}=` stands twice; keep one")]
    Twice {
        /// The key.
        key: &'static str,
    },
    /// The link carries sources of two kinds.
    #[error("the link has both `{first}=` and `{second}=`; keep one kind of source")]
    TwoSources {
        /// A key of the one kind.
        first: &'static str,
        /// A key of the other.
        second: &'static str,
    },
    /// A value that cannot be read.
    #[error("`{key}={value}` is not {expected}")]
    BadValue {
        /// The key.
        key: &'static str,
        /// The value, shortened.
        value: String,
        /// What the key takes.
        expected: &'static str,
    },
    /// A packed text whose codec is not known.
    #[error("`{key}=` is packed as `{codec}`, which this version cannot read; use `t.` or `z.`")]
    Codec {
        /// The key.
        key: &'static str,
        /// What stands before the first dot, shortened.
        codec: String,
    },
    /// A packed text that cannot be unpacked.
    #[error("the text in `{key}=` is damaged, as when a link is cut off; copy the whole link")]
    Damaged {
        /// The key.
        key: &'static str,
    },
    /// A packed text that grows beyond all measure.
    #[error("the text in `{key}=` unpacks to more than {limit} bytes")]
    TooLarge {
        /// The key.
        key: &'static str,
        /// The most bytes of a text.
        limit: usize,
    },
    /// Unreadable, and the check says that the link is not as it was made.
    #[error("the link was cut off or changed on its way; copy the whole link ({0})")]
    CutOff(Box<LinkError>),
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
