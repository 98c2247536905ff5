/// The bytes a kernel has to move, each counted once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traffic {
    /// Bytes of the input.
    pub read_bytes: u64,
    /// Bytes of the output; 0 for a reduction, whose output is one element.
    pub written_bytes: u64,
}

impl Traffic {
    /// Read plus written bytes, what effective bandwidth divides by seconds.
    #[must_use]
    pub const fn total_bytes(self) -> u64 {
        self.read_bytes + self.written_bytes
    }
}
