//! The question that a state asks, in whatever language its source is.

use lanescope_cuda::source::is_wgsl;
use lanescope_query::{Compiler, Question, kernel_options};
use lanescope_share::{Source, State};

/// What `state` costs is the question, with what `compiler` makes of a kernel; at most `max_requests` requests of warps
/// are made for the answer.
///
/// # Errors
/// When the state names a device or an argument that there is not, or its source is of a kind that is not analysed.
pub(crate) fn compiled(
    state: &State,
    max_requests: u64,
    compiler: Compiler,
) -> anyhow::Result<Question> {
    let Source::Kernel(text) = &state.source else {
        return Ok(Question::compiled(state, max_requests, compiler)?);
    };
    let parsed = if is_wgsl(text) {
        lanescope_wgsl::parse(text, &kernel_options(state))
    } else if let Some(parsed) = lanescope_compiled::read(text, state.launch.kernel.as_deref()) {
        parsed
    } else {
        return Ok(Question::compiled(state, max_requests, compiler)?);
    };
    Ok(Question::with(state, parsed, text.clone(), max_requests)?)
}

/// [`compiled`] with the compiler that was measured for the state, if one was.
///
/// # Errors
/// As [`compiled`].
pub(crate) fn of(state: &State, max_requests: u64) -> anyhow::Result<Question> {
    compiled(state, max_requests, Compiler::of(state))
}
