//! What a search found, in a sentence.

use lanescope_locale::{Language, layout};

use super::{Change, FindError, Finding, MAX_TILE_BYTES, Proof, Undecided};

impl Finding {
    /// What was found and how sure it is, in `language`: no full stop.
    #[must_use]
    pub fn verdict(&self, language: Language) -> String {
        let accesses = self.accesses.len();
        let first = self.remedies.first().map(|remedy| &remedy.change);
        match self.proof {
            Proof::Cheapest { tried } => match first {
                Some(Change::Plain) => layout::found_plain(language, accesses),
                Some(Change::Linear(_)) => layout::found_linear(language, accesses, tried),
                Some(Change::Swizzle(_) | Change::Pitch(_)) | None => {
                    layout::found_free(language, accesses, tried)
                }
            },
            Proof::NoneIsFree {
                tried, group_bytes, ..
            } => layout::found_none(language, accesses, tried, group_bytes),
            Proof::Undecided { tried, reason } => match reason {
                Undecided::TileTooLong => {
                    layout::found_none_in_long_tile(language, tried, MAX_TILE_BYTES)
                }
                Undecided::Device => layout::found_none_on_device(language, tried),
                Undecided::TooManyMaps => layout::found_none_in_limit(language, tried),
            },
        }
    }
}

impl FindError {
    /// Why nothing was sought, in `language`: lower case, no full stop.
    #[must_use]
    pub fn text(self, language: Language) -> &'static str {
        match self {
            Self::NoLayout => layout::find_no_layout(language),
            Self::NoAccess => layout::find_no_access(language),
            Self::Alignment => layout::find_alignment(language),
            Self::UnknownRule => layout::find_unknown_rule(language),
        }
    }
}

impl std::fmt::Display for FindError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.text(Language::English))
    }
}

impl std::error::Error for FindError {}
