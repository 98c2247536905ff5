//! What keeps a kernel from being launched at all.

use lanescope_frontend::{Diagnostic, DiagnosticKind};
use lanescope_query::Answer;

/// What is said of a block with more threads than the device takes; `None` of a block that can be launched.
pub(crate) fn too_many_threads(answer: &Answer) -> Option<&Diagnostic> {
    let is_of_block =
        |diagnostic: &&Diagnostic| matches!(diagnostic.kind, DiagnosticKind::BlockTooLarge { .. });
    answer.diagnostics.iter().find(is_of_block)
}
