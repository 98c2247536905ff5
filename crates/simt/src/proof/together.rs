//! Blocks that run together.

use lanescope_ir::SiteId;

/// Blocks that run together: regular requests of the first stand for all of them.
#[derive(Clone, Debug)]
pub(crate) struct Together {
    pub(crate) blocks: u64,
    /// Accesses that each of them makes.
    pub(crate) irregular: Vec<SiteId>,
    /// Whether the observer wants no more.
    pub(crate) is_stopped: bool,
}
