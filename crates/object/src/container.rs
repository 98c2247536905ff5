//! What a file is, by its first bytes.

use crate::elf::{self, MACHINE_CUDA};

/// A file that holds, or may hold, code for a GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// An ELF object for one architecture, which [`crate::read`] reads.
    Cubin,
    /// Several cubins or PTX texts, packed.
    FatBinary,
    /// A program, object or library of the host, which may have a fat binary in it.
    Host,
}

/// The first bytes of a fat binary: its magic number, least significant byte first.
const FAT_BINARY: [u8; 4] = [0x50, 0xed, 0x55, 0xba];

/// What a file is; `None` of a text or of anything else.
#[must_use]
pub fn container(bytes: &[u8]) -> Option<Container> {
    if bytes.starts_with(&FAT_BINARY) {
        return Some(Container::FatBinary);
    }
    if bytes.starts_with(b"!<arch>\n") {
        return Some(Container::Host);
    }
    if bytes.starts_with(b"MZ") && bytes.iter().take(256).any(|byte| *byte == 0) {
        return Some(Container::Host);
    }
    if !bytes.starts_with(&elf::MAGIC) {
        return None;
    }
    Some(match elf::machine(bytes) {
        Some(MACHINE_CUDA) => Container::Cubin,
        Some(_) | None => Container::Host,
    })
}
