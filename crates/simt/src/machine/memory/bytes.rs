//! Bytes of a memory, and where those that are not known come from.

use super::windows::MOST_SHARED;
use crate::machine::register::SourceId;

/// What is known of a byte.
pub(crate) const UNTOUCHED: u8 = 0;

/// As [`UNTOUCHED`]: it holds what stands there. Higher numbers are sources of what is unknown.
pub(crate) const KNOWN: u8 = 1;

/// Bits read from memory; not known where `source` is not 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) bits: u64,
    /// Why it is unknown.
    pub(crate) source: SourceId,
}

/// Bytes, each with what is known of it. Sources are told from [`KNOWN`] by an offset of 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bytes {
    pub(super) bytes: Vec<u8>,
    pub(super) tags: Vec<u8>,
}

impl Bytes {
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.tags.clear();
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    fn grow(&mut self, end: usize) {
        if end > self.bytes.len() {
            self.bytes.resize(end, 0);
            self.tags.resize(end, UNTOUCHED);
        }
    }

    /// Reads up to 8 bytes; `untouched` is why bytes are unknown that nothing was stored to.
    pub(crate) fn read(&self, at: u64, bytes: u32, untouched: SourceId) -> Word {
        let mut word = Word::default();
        let Ok(at) = usize::try_from(at) else {
            return Word {
                bits: 0,
                source: untouched,
            };
        };
        let end = at.saturating_add(bytes as usize);
        if let (Some(bytes), Some(tags)) = (self.bytes.get(at..end), self.tags.get(at..end)) {
            if let Some(word) = Word::whole(bytes, tags, untouched) {
                return word;
            }
            for (place, (byte, tag)) in bytes.iter().zip(tags).enumerate() {
                word.add(place, *byte, *tag, untouched);
            }
            return word;
        }
        for place in 0..bytes as usize {
            let here = at.saturating_add(place);
            let byte = self.bytes.get(here).copied().unwrap_or(0);
            let tag = self.tags.get(here).copied().unwrap_or(UNTOUCHED);
            word.add(place, byte, tag, untouched);
        }
        word
    }

    /// Writes up to 8 bytes, if they lie below `limit`.
    pub(crate) fn write(&mut self, at: u64, bytes: u32, word: Word, limit: u64) {
        let end = at.saturating_add(u64::from(bytes));
        if end > limit.min(MOST_SHARED * 16) {
            return;
        }
        let (Ok(at), Ok(end)) = (usize::try_from(at), usize::try_from(end)) else {
            return;
        };
        self.grow(end);
        let tag = word.tag();
        let stored = self.bytes[at..end].iter_mut().zip(word.bits.to_le_bytes());
        stored.for_each(|(to, byte)| *to = byte);
        self.tags[at..end].fill(tag);
    }
}

impl Word {
    pub(super) const fn tag(self) -> u8 {
        if self.source == 0 {
            KNOWN
        } else {
            self.source.saturating_add(KNOWN)
        }
    }

    /// Four or eight bytes that were stored together, or not at all.
    pub(super) fn whole(bytes: &[u8], tags: &[u8], untouched: SourceId) -> Option<Self> {
        let tag = *tags.first()?;
        let bits = if let (Ok(bytes), Ok(tags)) = (bytes.try_into(), <[u8; 4]>::try_from(tags)) {
            (tags == [tag; 4]).then(|| u64::from(u32::from_le_bytes(bytes)))?
        } else {
            let tags = <[u8; 8]>::try_from(tags).ok()?;
            (tags == [tag; 8]).then_some(u64::from_le_bytes(bytes.try_into().ok()?))?
        };
        let mut word = Self::default();
        match tag {
            UNTOUCHED => word.source = untouched,
            KNOWN => word.bits = bits,
            source => {
                word.bits = bits;
                word.source = source - KNOWN;
            }
        }
        Some(word)
    }

    pub(super) fn add(&mut self, place: usize, byte: u8, tag: u8, untouched: SourceId) {
        match tag {
            UNTOUCHED => self.source = self.source.max(untouched),
            KNOWN => self.bits |= u64::from(byte) << (8 * place),
            source => {
                self.bits |= u64::from(byte) << (8 * place);
                self.source = self.source.max(source - KNOWN);
            }
        }
    }
}
