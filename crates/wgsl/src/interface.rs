//! What a text binds when it runs as it is.

/// A kernel's text as a device takes it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interface {
    /// The entry point.
    pub entry: String,
    /// Threads of a workgroup along x, y, z, its overrides known.
    pub workgroup_size: [u32; 3],
    /// Bytes of workgroup memory.
    pub workgroup_bytes: u64,
    /// What the kernel binds, in the order of the text.
    pub bindings: Vec<Binding>,
    /// Overrides whose value the launch says or the text does not, by the name or the number that a pipeline knows them
    /// by.
    pub constants: Vec<(String, f64)>,
}

/// A variable of the text that a launch binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Its group.
    pub group: u32,
    /// Its number in the group.
    pub binding: u32,
    /// Its name.
    pub name: String,
    /// The fewest bytes that may be bound: one element where the launch says how many there are.
    pub least_bytes: u64,
    /// What is bound.
    pub holds: Holds,
}

/// What a variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A storage buffer: the launch's buffer of the same name.
    Buffer {
        /// Whether the kernel reads it.
        is_read: bool,
        /// Whether the kernel writes it.
        is_written: bool,
    },
    /// A uniform with arrays in it: the launch's buffer of the same name.
    UniformBuffer,
    /// A uniform of numbers: those of the launch, from this byte of its parameters on.
    Numbers {
        /// Bytes before the first.
        offset: u64,
    },
    /// What no launch has: a texture, a sampler, immediate data.
    Foreign,
}
