//! What a file is, by its first bytes.

use crate::elf::{self, MACHINE_CUDA};
use crate::fat_binary;

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

/// What a file is; `None` of a text or of anything else.
#[must_use]
pub fn container(bytes: &[u8]) -> Option<Container> {
    if bytes.starts_with(&fat_binary::MAGIC) {
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
