//! What the page says: the sentences are `locale`'s, here is which is said when.

mod compiler;
mod findings;
mod fixes;
mod kinds;
mod layouts;
mod links;
mod measured;
mod message;
mod opened;
mod runs;
mod say;
mod share;
mod traces;

use lanescope_draw::Units;
use lanescope_frontend::Diagnostic;
use lanescope_locale::Language;
use lanescope_ui::language::{chosen_language, remember_language};

use crate::link_notice::LinkNotice;

pub(crate) use findings::FindingWord;
pub(crate) use lanescope_tally::grouped;
pub(crate) use message::Message;
pub(crate) use traces::TraceWord;

/// The words of the page in one language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Words(Language);

impl Words {
    /// In the default language.
    pub(crate) const DEFAULT: Self = Self(Language::DEFAULT);

    /// In the language that a link names, or the one remembered, or the browser's.
    pub(crate) fn chosen(linked: Option<Language>) -> Self {
        Self(chosen_language(linked))
    }

    /// Remembers the choice for the next visit.
    pub(crate) fn remember(self) {
        remember_language(self.0);
    }

    /// In the language that the switch offers.
    pub(crate) fn next(self) -> Self {
        Self(self.0.next())
    }

    /// The language, as links have it.
    pub(crate) const fn language(self) -> Language {
        self.0
    }

    /// As HTML's `lang` spells it.
    pub(crate) const fn code(self) -> &'static str {
        self.0.bcp47()
    }

    /// What stands between two sentences.
    pub(crate) const fn between_sentences(self) -> &'static str {
        self.0.between_sentences()
    }

    /// The text of `message`.
    pub(crate) fn say(self, message: &Message<'_>) -> String {
        say::say(message, self.0)
    }

    /// The editor's own words, as it spells them and in this language; none that are the same.
    pub(crate) fn editor(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let words = lanescope_locale::editor::words(self.0);
        let pairs = lanescope_locale::editor::KEYS.into_iter().zip(words);
        pairs.filter(|(key, word)| key != word)
    }

    /// The units of equations.
    pub(crate) const fn units(self) -> &'static Units {
        Units::of(self.0)
    }

    /// The text of a phrase on a picture.
    pub(crate) fn phrase(self, phrase: &lanescope_draw::Phrase<'_>) -> String {
        phrase.text(self.0)
    }

    /// The text of a diagnostic.
    pub(crate) fn diagnostic(self, diagnostic: &Diagnostic) -> String {
        diagnostic.kind.text(self.0)
    }

    /// What is said of a trace.
    pub(crate) fn trace(self, word: &TraceWord<'_>) -> String {
        traces::say(self.0, word)
    }

    /// What is said about a link.
    pub(crate) fn link_notice(self, notice: &LinkNotice) -> String {
        links::say(self.0, notice)
    }
}
