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
        "`{name}` is no parameter of compiled code{}; its position or offset names it too, as in 0=1024 or @0x18=64",
        listed(names)
    )]
    Parameter {
        /// The name as given.
        name: String,
        /// The names that there are.
        names: Vec<String>,
    },
    /// A number is given for a pointer, and nobody says how large an element is.
    #[error("`{name}` is a pointer; write what it points to, as in {name}=f32[1024]")]
    Pointer {
        /// The name as given.
        name: String,
    },
    /// The text has no such kernel.
    #[error("no kernel `{wanted}`{}", listed(names))]
    NoKernel {
        /// The name as given.
        wanted: String,
        /// The names that there are.
        names: Vec<String>,
    },
    /// The text has several kernels, and none was chosen.
    #[error("several kernels; choose one: {}", names.join("; "))]
    SeveralKernels {
        /// Their names.
        names: Vec<String>,
    },
}

/// `; there are a, b`, of the first few.
fn listed(names: &[String]) -> String {
    let few: Vec<&str> = names.iter().take(8).map(String::as_str).collect();
    if few.is_empty() {
        return String::new();
    }
    format!("; there are {}", few.join("; "))
}
