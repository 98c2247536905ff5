//! A source text as brackets and names, comments and strings blanked out.

use std::ops::Range;

/// The text with comments, strings and characters turned into blanks, byte for byte.
#[derive(Clone, Debug)]
pub(crate) struct Lexical {
    bytes: Vec<u8>,
}

impl Lexical {
    pub(crate) fn of(text: &str) -> Self {
        let mut bytes = text.as_bytes().to_vec();
        let mut at = 0;
        while at < bytes.len() {
            let end = match (bytes[at], bytes.get(at + 1)) {
                (b'/', Some(b'/')) => find(&bytes, at, b"\n").unwrap_or(bytes.len()),
                (b'/', Some(b'*')) => {
                    find(&bytes, at + 2, b"*/").map_or(bytes.len(), |end| end + 2)
                }
                (quote @ (b'"' | b'\''), _) => quoted(&bytes, at, quote),
                _ => {
                    at += 1;
                    continue;
                }
            };
            for byte in &mut bytes[at..end] {
                if *byte != b'\n' {
                    *byte = b' ';
                }
            }
            at = end;
        }
        Self { bytes }
    }

    /// The byte at `at`; a blank past the end.
    pub(crate) fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(b' ')
    }

    /// Where `name` stands as a whole word in `range`, not as a member of something.
    pub(crate) fn words(&self, name: &str, range: Range<usize>) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = range.start;
        while let Some(start) =
            find(&self.bytes, at, name.as_bytes()).filter(|start| *start < range.end)
        {
            let end = start + name.len();
            let before = start
                .checked_sub(1)
                .map_or(b' ', |before| self.byte(before));
            let member =
                before == b'.' || (before == b'>' && start >= 2 && self.byte(start - 2) == b'-');
            if !word_byte(before) && !member && !word_byte(self.byte(end)) {
                found.push(start);
            }
            at = start + 1;
        }
        found
    }

    /// The insides of the `[…]` that follow `at`, one after another.
    pub(crate) fn brackets(&self, mut at: usize) -> Vec<Range<usize>> {
        let mut groups = Vec::new();
        loop {
            at = self.skip_blanks(at);
            if self.byte(at) != b'[' {
                return groups;
            }
            let Some(end) = self.closing(at) else {
                return groups;
            };
            groups.push(at + 1..end);
            at = end + 1;
        }
    }

    /// The position after blanks.
    pub(crate) fn skip_blanks(&self, mut at: usize) -> usize {
        while at < self.bytes.len() && self.byte(at).is_ascii_whitespace() {
            at += 1;
        }
        at
    }

    /// The bracket that closes the one at `at`.
    pub(crate) fn closing(&self, at: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (place, byte) in self.bytes.iter().enumerate().skip(at) {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(place);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The innermost `{…}` around `at`; the whole text where there is none.
    pub(crate) fn block(&self, at: usize) -> Range<usize> {
        let mut depth = 0_usize;
        for place in (0..at.min(self.bytes.len())).rev() {
            match self.byte(place) {
                b'}' => depth += 1,
                b'{' if depth == 0 => {
                    return place..self.closing(place).map_or(self.bytes.len(), |end| end + 1);
                }
                b'{' => depth -= 1,
                _ => {}
            }
        }
        0..self.bytes.len()
    }

    /// The first of `sign` from `at` on, outside brackets opened since.
    pub(crate) fn next(&self, at: usize, sign: u8) -> Option<usize> {
        let mut depth = 0_usize;
        for (place, byte) in self.bytes.iter().enumerate().skip(at) {
            match byte {
                _ if *byte == sign && depth == 0 => return Some(place),
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
                _ => {}
            }
        }
        None
    }

    /// The last of `signs` before `at`.
    pub(crate) fn previous(&self, at: usize, signs: &[u8]) -> Option<usize> {
        (0..at.min(self.bytes.len()))
            .rev()
            .find(|place| signs.contains(&self.byte(*place)))
    }

    /// The byte before `at` that is no blank.
    pub(crate) fn previous_sign(&self, at: usize) -> u8 {
        let mut before = (0..at.min(self.bytes.len())).rev().map(|at| self.byte(at));
        before
            .find(|byte| !byte.is_ascii_whitespace())
            .unwrap_or(b' ')
    }

    /// The blanked text of `range`.
    pub(crate) fn text(&self, range: Range<usize>) -> String {
        self.bytes.get(range).map_or_else(String::new, |bytes| {
            String::from_utf8_lossy(bytes).into_owned()
        })
    }

    /// How many bytes there are.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }
}

pub(crate) const fn word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 128
}

/// The blanks that the line of the byte at `at` begins with.
pub(crate) fn indentation(text: &str, at: usize) -> String {
    let before = text.get(..at).unwrap_or("");
    let line = before.rsplit('\n').next().unwrap_or("");
    line.chars()
        .take_while(|sign| sign.is_whitespace())
        .collect()
}

fn find(bytes: &[u8], from: usize, wanted: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(wanted.len().max(1))
        .position(|window| window == wanted)
        .map(|at| at + from)
}

fn quoted(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start + 1;
    while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}
