//! The languages.

use crate::number::grouped;
use crate::{Conventions, Direction};
use strum::VariantArray;

/// A natural language of the page, its pictures and the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub enum Language {
    /// English.
    English,
    /// Chinese, simplified.
    Chinese,
}

impl Language {
    /// Every language in the order of the variants, in which they are offered; the default is first.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// The language of a reader who wishes none that there is.
    pub const DEFAULT: Self = Self::English;

    const fn conventions(self) -> &'static Conventions {
        in_folder!(self, CONVENTIONS)
    }

    /// The primary subtag, which links and names of files carry.
    #[must_use]
    pub const fn tag(self) -> &'static str {
        self.conventions().tag
    }

    /// The language tag (BCP 47) that HTML's `lang` takes.
    #[must_use]
    pub const fn bcp47(self) -> &'static str {
        self.conventions().bcp47
    }

    /// The language's name in itself.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.conventions().name
    }

    /// Writing direction.
    #[must_use]
    pub const fn direction(self) -> Direction {
        self.conventions().direction
    }

    /// What stands between two sentences.
    #[must_use]
    pub const fn between_sentences(self) -> &'static str {
        self.conventions().between_sentences
    }

    /// A count in decimal, its digits in groups of three.
    #[must_use]
    pub fn grouped(self, count: u64) -> String {
        grouped(count, self.conventions().group_separator)
    }

    /// The language of exactly this tag, as links spell it.
    #[must_use]
    pub fn of_tag(tag: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|language| language.tag() == tag)
    }

    /// Language negotiation by primary subtag: the language nearest to what a browser asks for.
    #[must_use]
    pub fn negotiate(wanted: &str) -> Self {
        let nearest = Self::ALL
            .iter()
            .copied()
            .find(|language| wanted.starts_with(language.tag()));
        nearest.unwrap_or(Self::DEFAULT)
    }

    /// The language after this one in [`Self::ALL`], around: what a switch of languages offers.
    #[must_use]
    pub const fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % Self::ALL.len()]
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn every_language_is_listed_once_under_its_own_tag() {
        for &language in Language::ALL {
            assert_eq!(Language::of_tag(language.tag()), Some(language));
            assert_eq!(Language::negotiate(language.bcp47()), language);
            assert!(language.bcp47().starts_with(language.tag()));
        }
        assert_eq!(Language::ALL[0], Language::DEFAULT);
    }

    #[test]
    fn the_switch_visits_every_language_and_returns() {
        let mut seen = vec![Language::DEFAULT];
        let mut language = Language::DEFAULT.next();
        while language != Language::DEFAULT {
            assert!(!seen.contains(&language));
            seen.push(language);
            language = language.next();
        }
        assert_eq!(seen, Language::ALL);
    }

    #[test]
    fn a_wish_that_nobody_grants_is_the_default() {
        for wanted in ["", "fr-CA", "x"] {
            assert_eq!(Language::negotiate(wanted), Language::DEFAULT);
        }
        assert_eq!(Language::negotiate("zh-Hant-TW"), Language::Chinese);
        assert_eq!(Language::of_tag("zh-CN"), None);
    }

    #[test]
    fn digits_stand_in_groups_of_three() {
        let all = [0, 12, 123, 1_234, 123_456, 8_388_608, u64::MAX];
        let texts = all.map(|count| Language::English.grouped(count));
        let wanted = [
            "0",
            "12",
            "123",
            "1,234",
            "123,456",
            "8,388,608",
            "18,446,744,073,709,551,615",
        ];
        assert_eq!(texts, wanted);
    }
}
