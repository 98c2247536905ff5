//! What keeps a kernel from being launched at all.

use lanescope_frontend::DiagnosticKind;
use lanescope_query::Answer;

/// A block with more threads than the device takes: so many, and the most. `None` of a block that can be launched.
pub(crate) fn too_many_threads(answer: &Answer) -> Option<[u64; 2]> {
    answer.diagnostics.iter().find_map(|one| match one.kind {
        DiagnosticKind::BlockTooLarge { threads, limit } => Some([threads, limit]),
        _ => None,
    })
}
