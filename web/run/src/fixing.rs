//! The fixes of the kernel, as the page's list has them.

use lanescope_fixes::Suggestion;
use lanescope_frontend::NamedLaunch;
use lanescope_query::{Question, readable_launch};
use lanescope_report::advise;
use lanescope_share::{Source, State};

use crate::message::{Fix, Sentences};

/// All fixes of a state's kernel, of the launch as the page's list has it; `alive` is called now and then.
pub(crate) fn search(
    state: &State,
    mut question: Question,
    alive: &mut dyn FnMut(),
) -> Vec<Suggestion> {
    question.launch = NamedLaunch {
        // A kernel in WGSL says it itself.
        block: question.launch.block,
        ..readable_launch(state)
    };
    question.take_host_sizes(&state.launch.defines);
    let advice = advise(state, &question, None, &mut || {
        alive();
        true
    });
    advice.map_or_else(|_| Vec::new(), |advice| advice.suggestions)
}

/// The state with a fix made.
pub(crate) fn state_of(state: &State, fix: &Suggestion) -> State {
    let mut fixed = state.clone();
    fixed.source = Source::Kernel(fix.source.text());
    (fixed.launch.grid, fixed.launch.block) = (fix.launch.grid, fix.launch.block);
    fixed
}

/// A line of the list.
pub(crate) fn line(fix: &Suggestion) -> Fix {
    Fix {
        name: Sentences::new(None, |language| fix.kind.text(language)),
        snippet: fix.snippet.clone(),
    }
}
