//! Places in a source text.

/// A stretch of source text, in bytes from its beginning: `start..end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The place of text that is no source's: what a header of the language's library says.
    pub const LIBRARY: Self = Self {
        start: u32::MAX - 1,
        end: u32::MAX,
    };

    /// The stretch `start..end`; positions past 4 GiB are held at that.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self {
            start: held(start),
            end: held(end),
        }
    }

    /// From the beginning of `self` to the end of `other`.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The text it covers; empty where the span does not fit the text.
    #[must_use]
    pub fn text(self, source: &str) -> &str {
        source
            .get(self.start as usize..self.end as usize)
            .unwrap_or("")
    }
}

fn held(position: usize) -> u32 {
    u32::try_from(position).unwrap_or(u32::MAX)
}

/// Where lines begin, to turn a byte into line and column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    pub(crate) starts: Vec<u32>,
}

impl Lines {
    /// The lines of `source`.
    #[must_use]
    pub fn of(source: &str) -> Self {
        let after = source
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n');
        let starts = std::iter::once(0)
            .chain(after.map(|(at, _)| held(at + 1)))
            .collect();
        Self { starts }
    }

    /// Line and column (in bytes) of the byte at `position`, both counted from 1.
    #[must_use]
    pub fn place(&self, position: u32) -> (u32, u32) {
        let line = self
            .starts
            .partition_point(|start| *start <= position)
            .max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        (held(line), position.saturating_sub(start) + 1)
    }
}
