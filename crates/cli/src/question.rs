//! The question that a state asks, in whatever language its source is.

use lanescope_compiled::read_while;
use lanescope_frontend::{Parsed, is_wgsl};
use lanescope_query::{Compiler, Question, Stop, kernel_options};
use lanescope_share::{Source, State};

/// What `state` costs is the question, with what `compiler` makes of a kernel; at most `max_requests` requests of warps
/// are made for the answer, and `stop` ends it.
///
/// # Errors
/// When the state names a device or an argument that there is not, or its source is of a kind that is not analysed.
pub(crate) fn until(
    state: &State,
    max_requests: u64,
    compiler: Compiler,
    stop: Stop,
) -> anyhow::Result<Question> {
    let Source::Kernel(text) = &state.source else {
        return Ok(Question::until(state, max_requests, compiler, stop)?);
    };
    let parsed = if is_wgsl(text) {
        lanescope_wgsl::parse(text, &kernel_options(state))
    } else if let Some(parsed) = compiled(text, state, &stop) {
        parsed
    } else {
        return Ok(Question::until(state, max_requests, compiler, stop)?);
    };
    let mut question = Question::with(state, parsed, text.clone(), max_requests)?;
    question.stop = stop;
    Ok(question)
}

fn compiled(text: &str, state: &State, stop: &Stop) -> Option<Parsed> {
    let stop = stop.clone();
    let kernel = state.launch.kernel.as_deref();
    read_while(text, kernel, move || !stop.is_stopped_now())
}

/// [`until`] with the compiler that was measured for the state, if one was.
///
/// # Errors
/// As [`until`].
pub(crate) fn of(state: &State, max_requests: u64, stop: Stop) -> anyhow::Result<Question> {
    until(state, max_requests, Compiler::of(state), stop)
}
