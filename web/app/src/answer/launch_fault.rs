//! What keeps a kernel from being launched at all.

use lanescope_query::Answer;

/// A block with more threads than the device takes: so many, and the most. `None` of a block that can be launched.
pub(crate) fn too_many_threads(answer: &Answer) -> Option<[u64; 2]> {
    let most = u64::from(answer.device.as_ref()?.threads_per_block()?);
    let threads = answer.launch.block_threads();
    let is_kernel = !answer.program.name().is_empty();
    (is_kernel && threads > most).then_some([threads, most])
}
