//! A kernel in WGSL with another workgroup than its text says.

use lanescope_frontend::is_wgsl;
use lanescope_query::{Ask, AskError, kernel_options};
use lanescope_share::{Source, State};
use lanescope_wgsl::Resized;

/// The state that a link to a question would open: a kernel in WGSL has the block that the question gives, if it gives one,
/// instead of the workgroup that its text says.
///
/// # Errors
/// As [`Ask::state`].
pub fn asked_state(ask: Ask) -> Result<State, AskError> {
    let gives_block = ask.gives_block();
    let mut state = ask.state()?;
    if gives_block {
        resize_workgroup(&mut state);
    }
    Ok(state)
}

/// Gives a kernel in WGSL the block of its launch instead of the workgroup that its text says; returns what that changed, or
/// `None` of any other source and where [`lanescope_wgsl::resized`] has nothing to change.
pub fn resize_workgroup(state: &mut State) -> Option<Resized> {
    let Source::Kernel(text) = &state.source else {
        return None;
    };
    if !is_wgsl(text) {
        return None;
    }
    let resized = lanescope_wgsl::resized(text, &kernel_options(state), state.launch.block)?;
    state.source = Source::Kernel(resized.source.clone());
    state.launch.defines.clone_from(&resized.defines);
    Some(resized)
}
