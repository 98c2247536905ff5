//! What one fix says: its edit, what it gains, costs and how it is proved.

use lanescope_fixes::{Source as Fixed, Suggestion};
use lanescope_locale::Language;
use lanescope_share::Source;

use super::fix_log::changed_lines;
use crate::answer::Question;
use crate::words::fixes;

/// What a chip says.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Chip {
    /// Among the suggestions.
    pub(super) index: usize,
    pub(super) snippet: String,
    /// n of n-way with the fix, where banks conflict now.
    pub(super) ways: Option<u32>,
    /// What it does, gains and costs.
    pub(super) about: String,
    /// Gain, cost and proof in full.
    pub(super) title: String,
    /// The lines that it takes out and puts in, with their signs.
    pub(super) edit: Vec<(&'static str, String)>,
}

impl Chip {
    /// What `suggestion`, at `index` among those of `question`, says.
    pub(super) fn of(
        index: usize,
        (question, suggestion): (&Question, &Suggestion),
        language: Language,
    ) -> Self {
        let gain = fixes::effect(language, suggestion);
        let mut full = vec![
            gain.clone(),
            fixes::price(language, suggestion),
            fixes::proof(language, suggestion.proof),
        ];
        full.extend(suggestion.layout_lines(language));
        let [before, after] = &suggestion.banks;
        let most = |banks: &[u32]| banks.iter().copied().max();
        let ways = most(after).filter(|after| Some(*after) != most(before));
        let mut about = vec![suggestion.kind.text(language)];
        match suggestion.raises {
            _ if ways.is_none() => about.push(gain),
            Some(rise) => about.push(fixes::raises(language, rise)),
            None => {}
        }
        about.push(fixes::cost(language, suggestion));
        Self {
            index,
            snippet: suggestion.snippet.clone(),
            ways,
            about: about.join(" · "),
            title: full.join("\n"),
            edit: edit(question, suggestion),
        }
    }
}

/// The lines of a kernel that a fix takes out and puts in.
fn edit(question: &Question, suggestion: &Suggestion) -> Vec<(&'static str, String)> {
    match (&question.state.source, &suggestion.source) {
        (Source::Kernel(before), Fixed::Kernel { text, .. }) => changed_lines(before, text),
        _ => Vec::new(),
    }
}
