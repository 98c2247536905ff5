//! What of the answer is looked into.

/// The request on screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The access; none: the page's own choice.
    pub site: Option<Site>,
    /// The block's index along x, y, z.
    pub block: [u32; 3],
    /// The warp of the block.
    pub warp: u32,
    /// Which time the access runs in that warp, from 0.
    pub iteration: u64,
    /// Values chosen for the user's variables, `(name, value)`.
    pub values: Vec<(String, i64)>,
}

/// A place in the source that touches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// The line, from 1.
    pub line: u32,
    /// Which access of that line, from 1.
    pub nth: u32,
}
