//! The fixes of the kernel, as the page's list has them.

use lanescope_fixes::{Question as Asked, Source as Fixed, Suggestion, advise};
use lanescope_frontend::Budget;
use lanescope_query::{Compiler, Question, SourceReader, kernel_options, readable_launch};
use lanescope_share::{Source, State};

use crate::message::{Fix, Said};

/// All fixes of a state's kernel; `alive` is called now and then.
pub(crate) fn search(
    state: &State,
    question: &Question,
    alive: &mut dyn FnMut(),
) -> Vec<Suggestion> {
    let Source::Kernel(text) = &state.source else {
        return Vec::new();
    };
    let source = Fixed::Kernel {
        text: text.clone(),
        options: kernel_options(state),
    };
    let asked = Asked {
        source: &source,
        reader: &SourceReader::of(state, Compiler::of(state)),
        launch: readable_launch(state),
        device: &question.device,
        budget: Budget::default(),
        registers: None,
    };
    let advice = advise(&asked, &mut |_| {
        alive();
        true
    });
    advice.suggestions
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
        name: Said::new(None, |language| fix.kind.text(language)),
        snippet: fix.snippet.clone(),
    }
}
