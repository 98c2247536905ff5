//! Contents of a buffer that nobody gave, as diagnostics name them.

use lanescope_locale::{Language, diagnostic};

/// What a buffer holds before the launch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Contents {
    /// Zeros.
    #[default]
    Zero,
    /// Element i holds i.
    Iota,
    /// Numbers drawn by this seed: integers over their whole range, floats from 0 to 1.
    Random(u64),
}

impl Contents {
    /// What it holds, in `language`.
    #[must_use]
    pub fn text(self, language: Language) -> String {
        match self {
            Self::Zero => diagnostic::zeros(language).into(),
            Self::Iota => diagnostic::iota(language).into(),
            Self::Random(seed) => diagnostic::random(language, seed),
        }
    }
}
