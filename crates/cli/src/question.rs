//! The question that a state asks, in whatever language its source is.

use lanescope_query::{Question, kernel_options};
use lanescope_share::{Source, State};

/// What `state` costs is the question; at most `max_requests` requests of warps are made for the answer.
///
/// # Errors
/// When the state names a device or an argument that there is not, or its source is of a kind that is not analysed.
pub(crate) fn of(state: &State, max_requests: u64) -> anyhow::Result<Question> {
    let Source::Wgsl(text) = &state.source else {
        return Ok(Question::of(state, max_requests)?);
    };
    let parsed = lanescope_wgsl::parse(text, &kernel_options(state));
    Ok(Question::with(state, parsed, text.clone(), max_requests)?)
}
