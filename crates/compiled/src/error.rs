//! Why compiled code cannot be counted.

/// Why compiled code cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompiledError {
    /// Nobody says how many threads a block has.
    #[error("give the threads of a block, as in --block 32,8")]
    NoBlock,
    /// An argument's name begins with `@`, and no number follows.
    #[error("`{name}` is no offset; write as in @0x18=64")]
    Offset {
        /// The name as given.
        name: String,
    },
    /// A position has no size before it, so that its place is not known.
    #[error("give argument {count} before argument {at}: sizes say where it stands")]
    Gap {
        /// The position given.
        at: usize,
        /// The first position without a value.
        count: usize,
    },
    /// An argument is named, but the code has no such name.
    #[error(
        "`{name}` is no parameter of compiled code; write its position or offset, as in 0=1024 or @0x18=64"
    )]
    Parameter {
        /// The name as given.
        name: String,
    },
    /// The text has several kernels, and none was chosen.
    #[error("several kernels; choose one: {}", names.join(", "))]
    SeveralKernels {
        /// Their names.
        names: Vec<String>,
    },
}
