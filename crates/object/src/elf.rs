//! The Executable and Linkable Format, as far as sections and symbols go: 64 bits, least significant byte first.

use crate::ObjectError;

/// The first bytes of a file.
pub(crate) const MAGIC: [u8; 4] = *b"\x7fELF";
/// `EM_CUDA`.
pub(crate) const MACHINE_CUDA: u16 = 190;
/// A section without bytes in the file.
const NO_BITS: u32 = 8;
/// A symbol table.
const SYMBOL_TABLE: u32 = 2;
/// Relocations with and without addends.
pub(crate) const RELOCATIONS: [u32; 2] = [4, 9];
/// Bytes of a section header, of a symbol.
const SECTION_BYTES: usize = 64;
const SYMBOL_BYTES: usize = 24;
/// The most sections and symbols that are read.
const MOST_SECTIONS: usize = 1 << 16;
const MOST_SYMBOLS: usize = 1 << 20;

/// A section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Section<'a> {
    /// Its name; empty where it is not UTF-8.
    pub(crate) name: &'a str,
    /// What it holds.
    pub(crate) kind: u32,
    /// Its bytes; none where the file has none of it.
    pub(crate) bytes: &'a [u8],
    /// Its bytes when loaded.
    pub(crate) size: u64,
}

/// A symbol.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbol {
    /// Index of its section.
    pub(crate) section: usize,
    /// Bytes from the section's first.
    pub(crate) value: u64,
    /// Its bytes.
    pub(crate) size: u64,
    /// Whether it is a variable.
    pub(crate) is_object: bool,
}

/// Sections and symbols of a file.
#[derive(Clone, Debug)]
pub(crate) struct Elf<'a> {
    /// The processor's own flags.
    pub(crate) flags: u32,
    /// Version of the binary interface.
    pub(crate) abi_version: u8,
    /// Sections by index.
    pub(crate) sections: Vec<Section<'a>>,
    /// Symbols.
    pub(crate) symbols: Vec<Symbol>,
}

/// The processor of a file.
pub(crate) fn machine(bytes: &[u8]) -> Option<u16> {
    half(bytes, 18)
}

pub(crate) fn half(bytes: &[u8], at: usize) -> Option<u16> {
    let part = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(part.try_into().ok()?))
}

pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let part = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(part.try_into().ok()?))
}

pub(crate) fn long(bytes: &[u8], at: usize) -> Option<u64> {
    let part = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(part.try_into().ok()?))
}

fn index(number: u64) -> Option<usize> {
    usize::try_from(number).ok()
}

/// Reads headers and symbols.
pub(crate) fn read(bytes: &[u8]) -> Result<Elf<'_>, ObjectError> {
    let class = bytes.get(4).ok_or(ObjectError::Truncated)?;
    let order = bytes.get(5).ok_or(ObjectError::Truncated)?;
    if (*class, *order) != (2, 1) {
        return Err(ObjectError::Layout);
    }
    headers(bytes).ok_or(ObjectError::Truncated)
}

/// A section header: the name's place, kind, bytes and size.
struct Header<'a> {
    name: usize,
    kind: u32,
    bytes: &'a [u8],
    size: u64,
}

fn headers(bytes: &[u8]) -> Option<Elf<'_>> {
    let first = index(long(bytes, 40)?)?;
    let count = usize::from(half(bytes, 60)?).min(MOST_SECTIONS);
    let names = usize::from(half(bytes, 62)?);
    let mut list = Vec::new();
    for number in 0..count {
        let at = first.checked_add(number.checked_mul(SECTION_BYTES)?)?;
        list.push(header(bytes, at)?);
    }
    let names = list.get(names).map_or(&[][..], |header| header.bytes);
    let sections: Vec<Section<'_>> = list
        .iter()
        .map(|header| Section {
            name: text(names, header.name),
            kind: header.kind,
            bytes: header.bytes,
            size: header.size,
        })
        .collect();
    let tables = sections
        .iter()
        .filter(|section| section.kind == SYMBOL_TABLE);
    let symbols = tables.flat_map(|section| symbols(section.bytes)).collect();
    Some(Elf {
        flags: word(bytes, 48)?,
        abi_version: *bytes.get(8)?,
        sections,
        symbols,
    })
}

fn header(file: &[u8], at: usize) -> Option<Header<'_>> {
    let name = index(word(file, at)?.into())?;
    let kind = word(file, at.checked_add(4)?)?;
    let offset = index(long(file, at.checked_add(24)?)?)?;
    let size = long(file, at.checked_add(32)?)?;
    let bytes = match kind {
        0 | NO_BITS => &[][..],
        _ => file.get(offset..offset.checked_add(index(size)?)?)?,
    };
    Some(Header {
        name,
        kind,
        bytes,
        size,
    })
}

/// The string at a place of a string table.
fn text(table: &[u8], at: usize) -> &str {
    let rest = table.get(at..).unwrap_or_default();
    let end = rest.iter().position(|byte| *byte == 0);
    let bytes = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
    std::str::from_utf8(bytes).unwrap_or_default()
}

fn symbols(table: &[u8]) -> Vec<Symbol> {
    let rows = table.chunks_exact(SYMBOL_BYTES).take(MOST_SYMBOLS);
    rows.filter_map(|row| {
        Some(Symbol {
            is_object: row.get(4)? & 15 == 1,
            section: half(row, 6)?.into(),
            value: long(row, 8)?,
            size: long(row, 16)?,
        })
    })
    .collect()
}
