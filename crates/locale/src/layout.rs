//! What is said of layouts.

sentences! { layout:
    /// A tile's size: rows, columns, bytes of an element.
    fn about(size: [u64; 3], is_cut: bool) -> String;
    /// Where an element stands: its row, first and last column, byte address and bank, and the lane that wants it.
    fn cell(row: u64, columns: [u64; 2], place: [u64; 2], lane: Option<usize>) -> String;
    /// Which bits a swizzle reads and changes.
    fn bits(swizzle: &str, read: &str, changed: &str, on_bytes: bool) -> String;
    /// How to read the table of a swizzle, and whether its rows and columns hold each group once.
    fn xor(size: u64, on_bytes: bool, is_permutation: bool) -> String;
}
