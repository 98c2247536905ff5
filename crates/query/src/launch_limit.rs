//! What keeps a kernel from being launched at all.

use lanescope_frontend::{Diagnostic, DiagnosticKind, NamedLaunch, Program, Span};
use lanescope_model::Device;

/// The fault of a block with more threads than the device takes; `None` of one that can be launched, and of expressions,
/// which are in no kernel.
pub(crate) fn block_too_large(
    program: &Program,
    launch: &NamedLaunch,
    device: &Device,
) -> Option<Diagnostic> {
    let limit = u64::from(device.threads_per_block()?);
    let threads = launch.block_threads();
    let is_kernel = !program.name().is_empty();
    (is_kernel && threads > limit).then(|| Diagnostic {
        span: Span::default(),
        line: 1,
        column: 1,
        kind: DiagnosticKind::BlockTooLarge { threads, limit },
        fix: None,
    })
}
