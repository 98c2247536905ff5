//! What page and worker tell each other.

use lanescope_lab::Fault;
use lanescope_locale::Language;
use lanescope_run::{Failure, Refusal, Report, Taken};
use serde::{Deserialize, Serialize};

/// What the page asks the worker for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Request {
    /// The link to what the page shows.
    pub(crate) fragment: String,
    /// What buffers hold, where the reader chose it, by their names.
    pub(crate) contents: Vec<(String, Chosen)>,
    /// The fix to run beside the kernel as written, by its number in [`Message::Fixes`].
    pub(crate) fix: Option<usize>,
}

/// What the reader has a buffer hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Chosen {
    Zeros,
    Iota,
    Random,
    /// The bytes of a file.
    File,
}

/// A sentence in every language, in the order of [`Language::ALL`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sentences {
    /// The line of the source that it is about, from 1.
    pub(crate) line: Option<u32>,
    texts: Vec<String>,
}

impl Sentences {
    pub(crate) fn new(line: Option<u32>, text: impl Fn(Language) -> String) -> Self {
        Self {
            line,
            texts: Language::ALL.iter().copied().map(text).collect(),
        }
    }

    pub(crate) fn refusal(refusal: &Refusal) -> Self {
        Self::new(refusal.line(), |language| refusal.text(language))
    }

    pub(crate) fn failure(failure: &Failure) -> Self {
        Self::new(failure.line(), |language| failure.text(language))
    }

    /// In `language`, without its line.
    pub(crate) fn text(&self, language: Language) -> &str {
        let all = Language::ALL.iter().copied().zip(&self.texts);
        let mut of_language = all.filter(|(one, _)| *one == language);
        of_language.next().map_or("", |(_, text)| text)
    }
}

/// What the worker is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Stage {
    Opening,
    Simulating,
    Proving,
    Running,
    Searching,
}

/// What runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Text {
    /// The WGSL.
    pub(crate) wgsl: String,
    /// In what it differs from the kernel.
    pub(crate) notes: Vec<Sentences>,
    /// What was taken for parameters that nobody gave.
    pub(crate) taken: Vec<Taken>,
}

/// The GPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Adapter {
    /// What the browser calls it; perhaps nothing.
    pub(crate) name: String,
    /// Whether it is the processor that runs the shaders.
    pub(crate) is_software: bool,
}

/// A fix, as a line of the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Fix {
    /// What it does.
    pub(crate) name: Sentences,
    /// The changed piece of source.
    pub(crate) snippet: String,
}

/// What the worker tells the page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Message {
    /// The device is open.
    Opened(Adapter),
    /// What the worker does now.
    At(Stage),
    /// The run goes on.
    Alive,
    /// The buffers of the kernel, by their names.
    Buffers(Vec<String>),
    /// What runs.
    Emitted(Text),
    /// What was measured: of the kernel as written, and of the fix beside it.
    Measured(Report),
    /// The fixes of the kernel.
    Fixes(Vec<Fix>),
    /// The fix that was asked for is none of the kernel's.
    NoSuchFix,
    /// It does not run, or its results are wrong.
    Refused(Sentences),
    /// The run could not be made, or ended early.
    Fault(Fault),
    /// The run is over.
    Done,
}

impl Message {
    /// What `text` says; a fault where that cannot be read.
    pub(crate) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or(Self::Fault(Fault::Unreadable))
    }

    /// Whether the run is over with it.
    pub(crate) const fn is_last(&self) -> bool {
        match self {
            Self::Refused(_) | Self::Fault(_) | Self::NoSuchFix | Self::Done => true,
            Self::Opened(_)
            | Self::At(_)
            | Self::Alive
            | Self::Buffers(_)
            | Self::Emitted(_)
            | Self::Measured(_)
            | Self::Fixes(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_a_fault() {
        for text in ["", "{}", "[object Object]", "{\"At\":1}"] {
            let message = Message::read(text);
            assert_eq!(message, Message::Fault(Fault::Unreadable), "{text}");
            assert!(message.is_last());
        }
    }

    #[test]
    fn a_sentence_has_every_language() {
        let sentences = Sentences::new(Some(3), |language| language.name().to_owned());
        for &language in Language::ALL {
            assert_eq!(sentences.text(language), language.name());
        }
    }
}
