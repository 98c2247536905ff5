/// The uniform every kernel reads at binding 2: four `u32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Columns of the matrix; the stride in words for the stride probe.
    pub columns: u32,
    /// Rows of the matrix; the rounds of the stride probe.
    pub rows: u32,
    /// Elements of the array.
    pub length: u32,
    /// Workgroups that have work; the folded grid may hold a few more.
    pub groups: u32,
}

impl Shape {
    /// Bytes of the WGSL struct.
    pub const BYTES: u64 = 16;

    /// The bytes of the uniform buffer, in WGSL's little-endian layout.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        let words = [self.columns, self.rows, self.length, self.groups];
        for (chunk, word) in bytes.chunks_exact_mut(4).zip(words) {
            chunk.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}
