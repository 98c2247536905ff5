//! How large a source may be.

/// Bounds on a source text, checked before the work they bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a text, or of a file that it includes, that are read at all.
    pub read_bytes: u64,
    /// Tokens of a text, or of a file that it includes, that are read at all.
    pub read_tokens: u64,
    /// Bytes of the tokens that a kernel needs; of a text without a kernel, of all of them.
    pub source_bytes: u64,
    /// Tokens that a kernel needs, after macros have been put in place; of a text without a kernel, all of them.
    pub tokens: u64,
    /// Levels of nesting, and links of one chain of operators.
    pub depth: u64,
    /// Instructions of the flat program.
    pub instructions: u64,
    /// Expressions and statements that are looked at, those of a function each time it is called.
    pub steps: u64,
    /// Values of one variable.
    pub values: u64,
    /// Values of all variables.
    pub all_values: u64,
}

impl Limits {
    /// The bounds that parsing keeps to.
    pub const DEFAULT: Self = Self {
        read_bytes: 16 << 20,
        read_tokens: 1 << 20,
        source_bytes: 262_144,
        tokens: 32_768,
        depth: 96,
        instructions: 65_536,
        steps: 65_536,
        values: 4_096,
        all_values: 65_536,
    };
}
