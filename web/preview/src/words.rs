//! The words, in the language of the page.

use lanescope_draw::Phrase;
use lanescope_locale::Language;
use lanescope_model::{Basis, Operation, Width};
use lanescope_tally::{Amount, GlobalTotals, Headline, SharedTotals, chinese, english};
use lanescope_ui::label::Label;

/// The words of the page in one language.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Words {
    pub(crate) language: Language,
}

/// Says the same in the language of the page.
macro_rules! say {
    ($words:expr, $text:ident($($value:expr),*)) => {
        match $words.language {
            Language::English => english::$text($($value),*),
            Language::Chinese => chinese::$text($($value),*),
        }
    };
}

impl Words {
    pub(crate) const fn label(self, label: Label) -> &'static str {
        label.text(self.language)
    }

    /// As HTML's `lang` spells it.
    pub(crate) const fn code(self) -> &'static str {
        self.language.bcp47()
    }

    pub(crate) fn headline(self, headline: &Headline) -> String {
        say!(self, headline(headline))
    }

    pub(crate) fn on_line(self, line: u32) -> String {
        say!(self, on_line(line))
    }

    pub(crate) fn shared(self, totals: &SharedTotals, operation: Operation) -> String {
        say!(self, shared_sentence(totals, operation))
    }

    pub(crate) fn global(self, totals: &GlobalTotals) -> String {
        say!(self, global_sentence(totals))
    }

    pub(crate) fn worst_bank(self, lanes: u32, words: usize, bank: u32) -> String {
        say!(self, worst_bank(lanes, words, bank))
    }

    /// How many blocks were counted; nothing where there is one.
    pub(crate) fn extent(self, done: u64, total: u64) -> Option<String> {
        match total {
            1 => None,
            _ if done < total => Some(say!(self, extent(done, total))),
            _ => Some(say!(self, exact(total))),
        }
    }

    pub(crate) fn operation(self, operation: Operation) -> &'static str {
        say!(self, operation(operation))
    }

    pub(crate) fn amount(self, amount: &Amount, operation: Operation) -> String {
        say!(self, amount(amount, operation))
    }

    pub(crate) fn request(
        self,
        line: u32,
        operation: Operation,
        width: Width,
        active: u32,
    ) -> String {
        say!(self, request(line, operation, width, active))
    }

    pub(crate) fn block_at(self, block: [u32; 3]) -> String {
        say!(self, block_at(block))
    }

    pub(crate) fn one_of(self, index: u64, of: u64) -> String {
        say!(self, one_of(index, of))
    }

    pub(crate) fn phrase(self, phrase: &Phrase<'_>) -> String {
        say!(self, phrase(phrase))
    }

    /// How far a number can be trusted, and why.
    pub(crate) fn trust(self, basis: Basis) -> [String; 2] {
        let meaning = say!(self, meaning(basis.confidence));
        let word = say!(self, confidence(basis.confidence));
        [word.into(), String::from(meaning) + ": " + basis.source]
    }

    /// What stands between two sentences.
    pub(crate) const fn space(self) -> &'static str {
        self.language.between_sentences()
    }
}
