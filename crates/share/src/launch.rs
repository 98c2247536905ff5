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
    /// Which of these two nobody gave.
    pub guessed: GuessedShape,
}

/// Which of a launch's grid and block are a guess: neither a person nor the text's host code gave it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GuessedShape {
    /// The grid is.
    pub grid: bool,
    /// The block is.
    pub block: bool,
}

impl GuessedShape {
    /// Whether any of the two is.
    #[must_use]
    pub const fn any(self) -> bool {
        self.grid || self.block
    }
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
            guessed: GuessedShape::default(),
        }
    }
}
