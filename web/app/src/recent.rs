//! The states that were left last, kept in this browser only; where it keeps nothing, there are none.

use lanescope_gallery::PRESETS;
use lanescope_share::{Selection, Source, State, decode, encode};

use lanescope_ui::storage;

use crate::document;

const REMEMBERED: &str = "lanescope.recent";
/// Most states that are kept.
const COUNT_MAX: usize = 12;
/// Longer links are left out: a dozen must not fill the storage.
const LINK_BYTES_MAX: usize = 8 * 1024;
/// Characters of a name.
const NAME_MAX: usize = 48;

/// A state that was left.
pub(crate) struct Recent {
    /// The line of its source that tells most.
    pub(crate) name: String,
    /// What it was.
    pub(crate) state: State,
}

/// The states that were left, the last one first.
pub(crate) fn all() -> Vec<Recent> {
    links().iter().filter_map(|link| recent(link)).collect()
}

/// Remembers a state that is left, unless it is empty or one of the gallery's. An embed keeps nothing: its storage is
/// another page's matter.
pub(crate) fn remember(state: &State) {
    if document::is_embed() {
        return;
    }
    let state = State {
        selection: Selection::default(),
        language: None,
        theme: None,
        ..state.clone()
    };
    let link = encode(&state);
    let is_preset = || PRESETS.iter().any(|preset| encode(&preset.state()) == link);
    if name(&state.source).is_empty() || link.len() > LINK_BYTES_MAX || is_preset() {
        return;
    }
    let mut kept = links();
    kept.retain(|other| *other != link);
    kept.insert(0, link);
    kept.truncate(COUNT_MAX);
    storage::remember(REMEMBERED, &kept.join("\n"));
}

/// Forgets them all.
pub(crate) fn forget() {
    storage::forget(REMEMBERED);
}

fn links() -> Vec<String> {
    let text = storage::recall(REMEMBERED).unwrap_or_default();
    text.lines().take(COUNT_MAX).map(str::to_owned).collect()
}

fn recent(link: &str) -> Option<Recent> {
    let state = decode(link).ok()?.state;
    let name = name(&state.source);
    (!name.is_empty()).then_some(Recent { name, state })
}

fn name(source: &Source) -> String {
    let text = match source {
        Source::Expression { accesses, .. } => accesses,
        Source::Kernel(text) | Source::Trace(text) => text,
        Source::Layout { layout, .. } => layout,
    };
    let telling = |line: &&str| line.contains("__global__");
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = text.lines().find(telling).or_else(|| lines.next());
    line.unwrap_or_default()
        .trim()
        .chars()
        .take(NAME_MAX)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_named_by_the_line_that_tells_most() {
        let kernel = "// a comment\n  __global__ void f(float* a) {\n}";
        assert_eq!(
            name(&Source::Kernel(kernel.to_owned())),
            "__global__ void f(float* a) {"
        );
        let expression = Source::Expression {
            accesses: "\n  t[tx]\nt[ty]".to_owned(),
            declarations: String::new(),
        };
        assert_eq!(name(&expression), "t[tx]");
        assert_eq!(name(&Source::default()), "");
        assert_eq!(
            name(&Source::Kernel("é".repeat(100))).chars().count(),
            NAME_MAX
        );
    }
}
