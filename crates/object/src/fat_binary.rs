//! Fat binaries: cubins and PTX texts of several architectures, packed into programs and libraries.
//!
//! ```text
//! fat binary = magic:u32 version:u16 header_bytes:u16 bytes:u64 { entry }
//! entry      = kind:u16 version:u16 header_bytes:u32 bytes:u64 packed_bytes:u32 … architecture:u32 (at 28)
//!              … flags:u64 (at 40) … unpacked_bytes:u64 (at 56) payload
//! ```

use crate::elf::{half, long, word};
use crate::{lz4, zstandard};
use std::borrow::Cow;

/// What an entry of a fat binary holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A PTX text.
    Ptx,
    /// A cubin.
    Cubin,
}

/// A code of a fat binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// What it holds.
    pub kind: EntryKind,
    /// `sm_…`, of PTX the one it is for at least.
    pub architecture: u16,
    packed: &'a [u8],
    packing: Packing,
}

/// How a payload is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packing {
    None,
    /// To so many bytes.
    Lz4(usize),
    /// To so many bytes.
    Zstandard(usize),
}

/// The first bytes of a fat binary: its magic number, least significant byte first.
pub(crate) const MAGIC: [u8; 4] = [0x50, 0xed, 0x55, 0xba];
/// The flags of a packed payload.
const FLAG_LZ4: u64 = 0x2000;
const FLAG_ZSTANDARD: u64 = 0x8000;
/// The most entries that are read.
const MOST_ENTRIES: usize = 4096;
/// The most bytes of an unpacked entry.
const MOST_BYTES: usize = 64 << 20;

impl Entry<'_> {
    /// What it holds; `None` where it is damaged, or has more than 64 MiB.
    #[must_use]
    pub fn unpacked(&self) -> Option<Cow<'_, [u8]>> {
        match self.packing {
            Packing::None => Some(Cow::Borrowed(self.packed)),
            Packing::Lz4(size) | Packing::Zstandard(size) if size > MOST_BYTES => None,
            Packing::Lz4(size) => lz4::unpacked(self.packed, size).map(Cow::Owned),
            Packing::Zstandard(size) => zstandard::unpacked(self.packed, size).map(Cow::Owned),
        }
    }

    /// Bytes that have to be written to unpack it, as its header says.
    #[must_use]
    pub const fn unpacked_bytes(&self) -> usize {
        match self.packing {
            Packing::None => 0,
            Packing::Lz4(size) | Packing::Zstandard(size) => size,
        }
    }
}

/// The entries of every fat binary in a file, of which they may be the whole or a part.
#[must_use]
pub fn entries(file: &[u8]) -> Vec<Entry<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = next(file, at) {
        at = of_binary(file, start, &mut found).unwrap_or(start + MAGIC.len());
        if found.len() >= MOST_ENTRIES {
            break;
        }
    }
    found
}

/// Where the next fat binary begins.
fn next(file: &[u8], from: usize) -> Option<usize> {
    let rest = file.get(from..)?;
    let at = rest.windows(MAGIC.len()).position(|four| four == MAGIC)?;
    Some(from + at)
}

/// Reads the fat binary at `start`; where it ends.
fn of_binary<'a>(file: &'a [u8], start: usize, found: &mut Vec<Entry<'a>>) -> Option<usize> {
    let mut at = start.checked_add(usize::from(half(file, start + 6)?))?;
    let bytes = usize::try_from(long(file, start + 8)?).ok()?;
    let end = at.checked_add(bytes)?.min(file.len());
    while at < end && found.len() < MOST_ENTRIES {
        let Some((entry, next)) = entry(file, at) else {
            break;
        };
        found.extend(entry);
        at = next;
    }
    (end > start).then_some(end)
}

/// The entry at `at`, `None` of a kind that holds no code, and where the next one begins.
fn entry(file: &[u8], at: usize) -> Option<(Option<Entry<'_>>, usize)> {
    let kind = match half(file, at)? {
        1 => Some(EntryKind::Ptx),
        2 => Some(EntryKind::Cubin),
        _ => None,
    };
    let first = at.checked_add(usize::try_from(word(file, at + 4)?).ok()?)?;
    let padded = usize::try_from(long(file, at + 8)?).ok()?;
    let end = first.checked_add(padded).filter(|end| *end > at)?;
    let payload = file.get(first..end)?;
    let flags = long(file, at + 40)?;
    let packed_bytes = usize::try_from(word(file, at + 16)?).ok()?;
    let packed = payload.get(..packed_bytes).unwrap_or(payload);
    // More than can be addressed is more than is unpacked, on machines of 32 bits too.
    let size = || long(file, at + 56).map(|size| usize::try_from(size).unwrap_or(usize::MAX));
    let (packed, packing) = if flags & FLAG_LZ4 != 0 {
        (packed, Packing::Lz4(size()?))
    } else if flags & FLAG_ZSTANDARD != 0 {
        (packed, Packing::Zstandard(size()?))
    } else {
        (payload, Packing::None)
    };
    let architecture = u16::try_from(word(file, at + 28)?).ok()?;
    let entry = kind.map(|kind| Entry {
        kind,
        architecture,
        packed,
        packing,
    });
    Some((entry, end))
}
