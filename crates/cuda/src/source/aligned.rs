//! Alignment of addresses in structures.

/// Where an address lies in a structure that is aligned: a power of two divides the address so many bytes before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Aligned {
    /// The alignment in bytes; zero where nothing is known.
    pub(crate) to: u16,
    /// Bytes behind an address that is so aligned.
    pub(crate) behind: u16,
}
