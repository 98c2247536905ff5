//! Why there is no comparison, in every language: the page may change its language while it shows one.

use lanescope_compiled::CompiledError;
use lanescope_frontend::DiagnosticKind;
use lanescope_locale::{Language, measured};
use lanescope_profiler::ProfilerError;
use lanescope_query::{ArgumentError, AskError};

use crate::comparison::field;

/// A sentence in each language, in the order of [`Language::ALL`].
pub(crate) struct Fault(Vec<String>);

impl Fault {
    /// What `sentence` says.
    pub(crate) fn of(sentence: impl Fn(Language) -> String) -> Self {
        Self(Language::ALL.iter().copied().map(sentence).collect())
    }

    /// What `sentence` says, which names nothing.
    pub(crate) fn fixed(sentence: fn(Language) -> &'static str) -> Self {
        Self::of(|language| sentence(language).to_owned())
    }

    /// The first diagnostic of a text that cannot be read.
    pub(crate) fn of_first(kind: Option<&DiagnosticKind>) -> Self {
        match kind {
            Some(kind) => Self::of(|language| kind.text(language)),
            None => Self::fixed(measured::unreadable),
        }
    }

    /// It as a line.
    pub(crate) fn line(&self) -> String {
        let fields: String = self
            .0
            .iter()
            .flat_map(|text| ["\t".to_owned(), field(text)])
            .collect();
        format!("fault{fields}\n")
    }
}

impl From<ProfilerError> for Fault {
    fn from(error: ProfilerError) -> Self {
        Self::of(|language| error.text(language))
    }
}

impl From<CompiledError> for Fault {
    fn from(error: CompiledError) -> Self {
        Self::of(|language| error.text(language))
    }
}

impl From<ArgumentError> for Fault {
    fn from(error: ArgumentError) -> Self {
        Self::of(|language| error.text(language))
    }
}

/// The page says itself what is wrong with its device.
impl From<AskError> for Fault {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Argument { error, .. } => error.into(),
            _ => Self::fixed(measured::bad_question),
        }
    }
}
