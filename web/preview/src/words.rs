//! The words, in the language of the page.

use lanescope_draw::Phrase;
use lanescope_locale::label::LabelWords;
use lanescope_locale::{Language, verdict};
use lanescope_model::{Basis, Operation, Width};
use lanescope_tally::{Amount, GlobalTotals, Headline, SharedTotals};

/// Which of the texts without numbers in them.
pub(crate) type Label = fn(&LabelWords) -> &'static str;

/// The words of the page in one language.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) language: Language,
}

impl Words {
    /// Texts without numbers in them.
    pub(crate) const fn labels(self) -> &'static LabelWords {
        LabelWords::of(self.language)
    }

    /// As HTML's `lang` spells it.
    pub(crate) const fn code(self) -> &'static str {
        self.language.bcp47()
    }

    pub(crate) fn headline(self, headline: &Headline) -> String {
        headline.text(self.language)
    }

    pub(crate) fn on_line(self, line: u32) -> String {
        verdict::on_line(self.language, line)
    }

    pub(crate) fn shared(self, totals: &SharedTotals, operation: Operation) -> String {
        totals.sentence(operation, self.language)
    }

    pub(crate) fn global(self, totals: &GlobalTotals) -> String {
        totals.sentence(self.language)
    }

    pub(crate) fn worst_bank(self, lanes: u32, words: usize, bank: u32) -> String {
        verdict::worst_bank(self.language, lanes, words, bank)
    }

    /// How many blocks were counted; nothing where there is one.
    pub(crate) fn extent(self, done: u64, total: u64) -> Option<String> {
        match total {
            1 => None,
            _ if done < total => Some(verdict::extent(self.language, done, total)),
            _ => Some(verdict::exact(self.language, total)),
        }
    }

    pub(crate) fn operation(self, operation: Operation) -> &'static str {
        verdict::operation(self.language, operation)
    }

    pub(crate) fn amount(self, amount: &Amount, operation: Operation) -> String {
        amount.text(operation, self.language)
    }

    pub(crate) fn request(
        self,
        line: u32,
        operation: Operation,
        width: Width,
        active: u32,
    ) -> String {
        verdict::request(self.language, line, operation, width, active)
    }

    pub(crate) fn block_at(self, block: [u32; 3]) -> String {
        verdict::block_at(self.language, block)
    }

    pub(crate) fn one_of(self, index: u64, of: u64) -> String {
        verdict::one_of(self.language, index, of)
    }

    pub(crate) fn phrase(self, phrase: &Phrase<'_>) -> String {
        phrase.text(self.language)
    }

    /// How far a number can be trusted, and why.
    pub(crate) fn trust(self, basis: Basis) -> [String; 2] {
        let meaning = verdict::meaning(self.language, basis.confidence);
        let word = verdict::confidence(self.language, basis.confidence);
        [word.into(), String::from(meaning) + ": " + basis.source]
    }

    /// What stands between two sentences.
    pub(crate) const fn space(self) -> &'static str {
        self.language.between_sentences()
    }
}
