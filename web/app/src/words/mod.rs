//! Every word on the screen, in every language.

mod chinese;
mod compiled;
mod compiler;
mod diagnostics;
mod editor;
mod english;
mod fixes;
mod hardware;
mod l1;
mod layout_faults;
mod layouts;
mod links;
mod measured;
mod message;
mod share;
mod traces;

use lanescope_cuda::source::Diagnostic;
use lanescope_share as link;

use crate::session::Said;
use crate::storage;

pub(crate) use editor::EDITOR_WORDS;
pub(crate) use lanescope_tally::grouped;
pub(crate) use message::Message;
pub(crate) use share::ShareWord;
pub(crate) use traces::TraceWord;

const REMEMBERED: &str = "lanescope.language";

/// A language of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Chinese,
}

impl Language {
    /// The language a link names, or the one remembered, or the browser's.
    pub(crate) fn chosen(linked: Option<link::Language>) -> Self {
        match linked {
            Some(link::Language::English) => Self::English,
            Some(link::Language::Chinese) => Self::Chinese,
            None => storage::recall(REMEMBERED).map_or_else(browsers, |code| Self::of_code(&code)),
        }
    }

    /// Remembers the choice for the next visit.
    pub(crate) fn remember(self) {
        storage::remember(REMEMBERED, self.code());
    }

    /// The other one.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::English => Self::Chinese,
            Self::Chinese => Self::English,
        }
    }

    /// As links spell it.
    pub(crate) const fn shared(self) -> link::Language {
        match self {
            Self::English => link::Language::English,
            Self::Chinese => link::Language::Chinese,
        }
    }

    /// As HTML's `lang` spells it.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Chinese => "zh-CN",
        }
    }

    /// What stands between two sentences.
    pub(crate) const fn between_sentences(self) -> &'static str {
        match self {
            Self::English => " ",
            Self::Chinese => "",
        }
    }

    fn of_code(code: &str) -> Self {
        if code.starts_with("zh") {
            Self::Chinese
        } else {
            Self::English
        }
    }

    /// The text of `message`.
    pub(crate) fn say(self, message: &Message<'_>) -> String {
        match self {
            Self::English => english::say(message),
            Self::Chinese => chinese::say(message),
        }
    }

    /// The text of a phrase on a picture.
    pub(crate) fn phrase(self, phrase: &lanescope_draw::Phrase<'_>) -> String {
        match self {
            Self::English => lanescope_draw::english(phrase),
            Self::Chinese => lanescope_draw::chinese(phrase),
        }
    }

    /// The text of a diagnostic.
    pub(crate) fn diagnostic(self, diagnostic: &Diagnostic) -> String {
        match self {
            Self::English => diagnostic.to_string(),
            Self::Chinese => diagnostics::chinese(&diagnostic.kind),
        }
    }

    /// What is said of a trace.
    pub(crate) fn trace(self, word: &TraceWord<'_>) -> String {
        traces::say(self, word)
    }

    /// What is said about a link.
    pub(crate) fn said(self, said: &Said) -> String {
        links::say(self, said)
    }
}

fn browsers() -> Language {
    let spoken = web_sys::window().and_then(|window| window.navigator().language());
    spoken.map_or(Language::English, |code| Language::of_code(&code))
}
