//! The fixes of the source on screen.

use lanescope_fixes::{
    Advice, Edit, FixSearch, Progress, Question as FixQuestion, Source as Fixed, Step, Suggestion,
    advise_as_found, apply,
};
use lanescope_frontend::{Argument, Budget, Moves};
use lanescope_query::{Compiler, SourceReader, budget, operation, readable_launch};

use crate::reader;
use lanescope_model::Device;
use lanescope_share::{Source, State};

use super::argument::{argument, spelt};
use super::question::{Question, chosen_device};

/// Whether there is a source to fix, and a device to fix it for.
pub(crate) fn has_fixes(question: &Question) -> bool {
    fixed(question).is_some() && chosen_device(&question.state.device).is_some()
}

/// All fixes of a question; `told` hears of every run and what it found. `None` where there is no source to
/// fix or no such device.
pub(crate) fn find_fixes(question: &Question, hear: &mut dyn FnMut(Step<'_>)) -> Option<Advice> {
    let source = fixed(question)?;
    let device = chosen_device(&question.state.device)?;
    let reader = reader_of(question);
    let fix_question = fix_question(question, (&source, &reader), &device, Budget::default());
    Some(advise_as_found(&fix_question, &mut |step| {
        hear(step);
        true
    }))
}

/// The same search, a run at a time.
pub(crate) struct Fixes {
    question: Question,
    source: Fixed,
    device: Device,
    search: FixSearch,
    /// How many were found.
    found: usize,
}

impl Fixes {
    /// Begins to search; `None` where there is no source to fix or no such device.
    pub(crate) fn begin(question: &Question) -> Option<Self> {
        Some(Self {
            question: question.clone(),
            source: fixed(question)?,
            device: chosen_device(&question.state.device)?,
            search: FixSearch::new(),
            found: 0,
        })
    }

    /// Proves one more change: the fixes so far, whether that was one, and how far the search has come; `None` when all are
    /// found. Each run may cost no more than one on screen.
    pub(crate) fn step(&mut self) -> (Advice, bool, Option<Progress>) {
        let is_expression = matches!(self.question.state.source, Source::Expression { .. });
        let budget = budget(is_expression);
        let reader = reader_of(&self.question);
        let fix_question = fix_question(
            &self.question,
            (&self.source, &reader),
            &self.device,
            budget,
        );
        let (advice, progress) = self.search.advance(&fix_question, 1);
        let is_found = advice.suggestions.len() > self.found;
        self.found = advice.suggestions.len();
        (advice, is_found, progress)
    }
}

/// Reads changed sources as the question's is read.
fn reader_of(question: &Question) -> SourceReader {
    SourceReader::of(&question.state, Compiler::of(&question.state))
}

fn fix_question<'a>(
    question: &Question,
    (source, reader): (&'a Fixed, &'a SourceReader),
    device: &'a Device,
    budget: Budget,
) -> FixQuestion<'a> {
    FixQuestion {
        source,
        reader,
        launch: readable_launch(&question.state),
        device,
        budget,
        registers: None,
    }
}

fn fixed(question: &Question) -> Option<Fixed> {
    match &question.state.source {
        Source::Expression {
            accesses,
            declarations,
        } => Some(Fixed::Expression {
            declarations: declarations.clone(),
            accesses: accesses.clone(),
            bare: operation(question.state.operation),
        }),
        // Fixes are edits of CUDA.
        Source::Kernel(_) if reader::text(&question.state.source).is_some() => None,
        Source::Kernel(text) => Some(Fixed::Kernel {
            text: text.clone(),
            options: question.kernel_options(),
        }),
        Source::Layout { .. } | Source::Trace(_) => None,
    }
}

/// `state` with the fix made: its source and its launch. The fix is of the text of `question`, which has the same tokens;
/// `None` where it has not.
pub(crate) fn with_fix(
    state: &State,
    question: &Question,
    suggestion: &Suggestion,
) -> Option<State> {
    let mut next = state.clone();
    next.source = match &suggestion.source {
        Fixed::Expression {
            declarations,
            accesses,
            ..
        } => Source::Expression {
            declarations: declarations.clone(),
            accesses: accesses.clone(),
        },
        Fixed::Kernel { text, .. } => match (&state.source, &question.state.source) {
            (Source::Kernel(now), Source::Kernel(then)) if now != then => {
                Source::Kernel(edited(then, now, &suggestion.edits, text)?)
            }
            _ => Source::Kernel(text.clone()),
        },
    };
    // A buffer that was split is no parameter any more.
    let is_left = |name: &str| {
        let mut given = suggestion.launch.arguments.iter();
        given.any(|argument| argument.name == name)
    };
    let arguments = &mut next.launch.arguments;
    arguments.retain(|(name, text)| is_left(name) || argument(name, text).is_none());
    for argument in &suggestion.launch.arguments {
        set_argument(&mut next, argument);
    }
    next.launch.block = suggestion.launch.block;
    next.launch.dynamic_shared_bytes =
        u32::try_from(suggestion.launch.dynamic_shared_bytes).unwrap_or(u32::MAX);
    Some(next)
}

/// `now` with the edits that made `fixed` of `then`, a text with the same tokens.
fn edited(then: &str, now: &str, edits: &[Edit], fixed: &str) -> Option<String> {
    let moves = Moves::of_same_tokens(then, now)?;
    let edits = edits.iter().map(|edit| Edit {
        span: moves.span(edit.span),
        replacement: edit.replacement.clone(),
    });
    let edited = apply(now, &edits.collect::<Vec<_>>())?;
    Moves::of_same_tokens(fixed, &edited).map(|_| edited)
}

/// Sets the argument in the state, unless the state's text says the same already.
fn set_argument(state: &mut State, given: &Argument) {
    let arguments = &mut state.launch.arguments;
    let known = arguments.iter().position(|(name, _)| *name == given.name);
    let now = known.and_then(|at| argument(&given.name, &arguments[at].1));
    let text = spelt(&given.value);
    match known {
        _ if now.as_ref() == Some(given) => {}
        Some(at) => arguments[at].1 = text,
        None => arguments.push((given.name.clone(), text)),
    }
}

pub(crate) use lanescope_fixes::simplest_first;

#[cfg(test)]
mod tests {
    use super::simplest_first;
    use crate::answer::find_fixes;
    use crate::answer::question::Question;
    use lanescope_share::{Launch, Source, State};

    #[test]
    fn padding_comes_before_transposing() {
        let state = State {
            source: Source::Expression {
                accesses: "tile[threadIdx.x][threadIdx.y]".into(),
                declarations: "__shared__ float tile[32][32];".into(),
            },
            launch: Launch {
                block: [32, 32, 1],
                ..Launch::default()
            },
            ..State::default()
        };
        let question = Question::of(&state);
        let advice = find_fixes(&question, &mut |_| {}).expect("a source and a device");
        let order = simplest_first(&advice.suggestions);
        let first = order
            .first()
            .and_then(|index| advice.suggestions.get(*index));
        assert_eq!(first.map(|one| one.snippet.contains("33")), Some(true));
        let mut indices = order.clone();
        indices.sort_unstable();
        assert_eq!(indices, (0..advice.suggestions.len()).collect::<Vec<_>>());
    }
}
