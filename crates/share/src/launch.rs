//! How a source is launched.

/// Grid, block and everything the launch form asks for. Names and values are the user's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// The function to launch, when the source has several.
    pub kernel: Option<String>,
    /// Template parameters, `(name, value)`.
    pub templates: Vec<(String, String)>,
    /// Macros, `(name, value)`.
    pub defines: Vec<(String, String)>,
    /// Arguments, `(name, value)`.
    pub arguments: Vec<(String, String)>,
    /// Bytes of `extern __shared__` memory.
    pub dynamic_shared_bytes: u32,
    /// Blocks along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a block along x, y, z.
    pub block: [u32; 3],
}

impl Launch {
    /// The block of a link that names none: one warp.
    pub const DEFAULT_BLOCK: [u32; 3] = [32, 1, 1];
    /// The grid of a link that names none: one block.
    pub const DEFAULT_GRID: [u32; 3] = [1, 1, 1];
}

impl Default for Launch {
    fn default() -> Self {
        Self {
            kernel: None,
            templates: Vec::new(),
            defines: Vec::new(),
            arguments: Vec::new(),
            dynamic_shared_bytes: 0,
            grid: Self::DEFAULT_GRID,
            block: Self::DEFAULT_BLOCK,
        }
    }
}
