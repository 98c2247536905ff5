//! What a language's folder says of the language itself.

/// Writing direction, as HTML's `dir` spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Left to right.
    LeftToRight,
    /// Right to left.
    RightToLeft,
}

impl Direction {
    /// As HTML's `dir` spells it.
    #[must_use]
    pub const fn html(self) -> &'static str {
        match self {
            Self::LeftToRight => "ltr",
            Self::RightToLeft => "rtl",
        }
    }
}

/// Conventions of one language.
#[derive(Clone, Copy, Debug)]
pub struct Conventions {
    /// The primary subtag: in links, in names of files, in what a browser asks for.
    pub tag: &'static str,
    /// The language tag (BCP 47) of what is written here, as HTML's `lang` spells it.
    pub bcp47: &'static str,
    /// The language's name in itself.
    pub name: &'static str,
    /// Writing direction.
    pub direction: Direction,
    /// What stands between two sentences.
    pub between_sentences: &'static str,
    /// What stands between groups of three digits.
    pub group_separator: &'static str,
}
