//! The mends of the source on screen.

use lanescope_advisor::{Advice, Question as Asked, Source as Mended, Suggestion, advise};
use lanescope_share::{Source, State};

use super::question::{Question, chosen_device};
use super::run::budget;

/// Searches and proves the mends; `None` where there is no source to mend or no such device.
pub(crate) fn mends(question: &Question) -> Option<Advice> {
    let device = chosen_device(&question.device)?;
    let source = mended(question)?;
    let asked = Asked {
        source: &source,
        launch: question.launch(),
        device: &device,
        budget: budget(matches!(question.source, Source::Expression { .. })),
        registers: None,
    };
    Some(advise(&asked, &mut |_| true))
}

fn mended(question: &Question) -> Option<Mended> {
    match &question.source {
        Source::Expression {
            accesses,
            declarations,
        } => Some(Mended::Expression {
            declarations: declarations.clone(),
            accesses: accesses.clone(),
            bare: question.bare(),
        }),
        Source::Kernel(text) => Some(Mended::Kernel {
            text: text.clone(),
            options: question.kernel_options(),
        }),
        _ => None,
    }
}

/// `state` with the mend made: its source and its launch.
pub(crate) fn with_mend(state: &State, suggestion: &Suggestion) -> State {
    let mut next = state.clone();
    next.source = match &suggestion.source {
        Mended::Expression {
            declarations,
            accesses,
            ..
        } => Source::Expression {
            declarations: declarations.clone(),
            accesses: accesses.clone(),
        },
        Mended::Kernel { text, .. } => Source::Kernel(text.clone()),
    };
    next.launch.block = suggestion.launch.block;
    next.launch.dynamic_shared_bytes =
        u32::try_from(suggestion.launch.dynamic_shared_bytes).unwrap_or(u32::MAX);
    next
}
