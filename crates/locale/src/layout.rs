//! What is said of layouts.

/// Who writes a swizzle, and of what numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// CuTe, of element numbers.
    Elements,
    /// The same, with the position of the bits that are read in place of the shift.
    AbsoluteShift,
    /// Of byte addresses, as CuTe does after a pointer.
    Bytes,
    /// Modes of TMA and of matrix descriptors.
    Tma,
    /// Triton's `swizzled_shared`.
    Triton,
    /// An expression of a byte address.
    Address,
}

sentences! { layout:
    /// A tile's size: rows, columns, bytes of an element.
    fn about(size: [u64; 3], is_cut: bool) -> String;
    /// Where an element stands: its row, first and last column, byte address and bank, and the lane that wants it.
    fn cell(row: u64, columns: [u64; 2], place: [u64; 2], lane: Option<usize>) -> String;
    /// Which bits a swizzle reads and changes.
    fn bits(swizzle: &str, read: &str, changed: &str, on_bytes: bool) -> String;
    /// How to read the table of a swizzle, and whether its rows and columns hold each group once.
    fn xor(size: u64, on_bytes: bool, is_permutation: bool) -> String;
    /// The layout is free for so many accesses as plain rows.
    fn found_plain(accesses: usize) -> String;
    /// The layout found is free for so many accesses, and the cheapest of so many tried.
    fn found_free(accesses: usize, tried: usize) -> String;
    /// None of so many swizzles and pitches is free, but another XOR of address bits is.
    fn found_linear(accesses: usize, tried: usize) -> String;
    /// No linear swizzle is free that keeps groups of so many bytes whole, nor a pitch.
    fn found_none(accesses: usize, tried: usize, group_bytes: u64) -> String;
    /// None of so many tried is free, and other XORs were not decided: the tile is longer than so many bytes.
    fn found_none_in_long_tile(tried: usize, most_bytes: u64) -> String;
    /// None of so many tried is free, and other XORs were not decided: the device's banks differ from access to access.
    fn found_none_on_device(tried: usize) -> String;
    /// None of so many tried is free, and other XORs were not decided: the search ended at its limit.
    fn found_none_in_limit(tried: usize) -> String;
    /// Nothing can be sought without a layout.
    fn find_no_layout() -> &'static str;
    /// Nothing can be sought without an access that can be done.
    fn find_no_access() -> &'static str;
    /// The alignment asked for cannot be.
    fn find_alignment() -> &'static str;
    /// The device's rule for an access is not known.
    fn find_unknown_rule() -> &'static str;
    /// What a layout found costs: its name, bytes more, index operations more, wavefronts and ideal wavefronts.
    fn found_price(name: &str, bytes: u64, operations: u32, wavefronts: [u64; 2]) -> String;
    /// The button that seeks the cheapest swizzle or pitch.
    fn find() -> &'static str;
    /// The button that copies a layout.
    fn copy() -> &'static str;
    /// A type and the bytes of an element.
    fn element(name: &str, bytes: u64) -> String;
    /// The same of a type that nobody gave.
    fn element_assumed(name: &str, bytes: u64) -> String;
    /// A layout as it is written, in the list of what was found.
    fn as_written() -> &'static str;
    /// Plain rows, in the list of what was found.
    fn plain_rows() -> &'static str;
    /// Another XOR of address bits, in the list of what was found.
    fn other_xor() -> &'static str;
    /// What the table shows in which each column is a swizzle and each line how somebody writes it.
    fn readings() -> &'static str;
    /// One of those lines: whose way of writing it is.
    fn reading(of: Reading) -> &'static str;
    /// Nobody has a way to write it so.
    fn no_reading() -> &'static str;
}
