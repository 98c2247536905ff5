//! Bytes to text, piece by piece: UTF-8, or UTF-16 by its byte order mark; every line end becomes a line feed.

/// What is left of the pieces so far.
#[derive(Debug, Default)]
pub(super) struct Decoder {
    encoding: Option<Encoding>,
    /// Bytes of a character that is not whole yet.
    pending: Vec<u8>,
    /// Whether the last character was a carriage return, so that a line feed after it ends no line.
    is_after_return: bool,
}

#[derive(Clone, Copy, Debug)]
enum Encoding {
    Utf8,
    Utf16(fn([u8; 2]) -> u16),
}

/// Bytes that tell the encoding.
const MARK_BYTES: usize = 3;

impl Decoder {
    /// The text of the next `bytes`; `is_end`: these are the last. What is no text becomes `U+FFFD`.
    pub(super) fn text(&mut self, bytes: &[u8], is_end: bool) -> String {
        self.pending.extend_from_slice(bytes);
        if self.encoding.is_none() {
            if self.pending.len() < MARK_BYTES && !is_end {
                return String::new();
            }
            let (encoding, mark) = match self.pending.as_slice() {
                [0xff, 0xfe, ..] => (Encoding::Utf16(u16::from_le_bytes), 2),
                [0xfe, 0xff, ..] => (Encoding::Utf16(u16::from_be_bytes), 2),
                [0xef, 0xbb, 0xbf, ..] => (Encoding::Utf8, 3),
                _ => (Encoding::Utf8, 0),
            };
            self.encoding = Some(encoding);
            self.pending.drain(..mark);
        }
        let text = match self.encoding {
            Some(Encoding::Utf16(unit)) => self.utf16(unit, is_end),
            Some(Encoding::Utf8) | None => self.utf8(is_end),
        };
        self.with_line_feeds(text)
    }

    fn utf8(&mut self, is_end: bool) -> String {
        let (mut text, mut kept) = (String::with_capacity(self.pending.len()), 0);
        let mut chunks = self.pending.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            text.push_str(chunk.valid());
            if chunk.invalid().is_empty() {
                continue;
            }
            if chunks.peek().is_none() && !is_end {
                kept = chunk.invalid().len();
            } else {
                text.push(char::REPLACEMENT_CHARACTER);
            }
        }
        self.pending.drain(..self.pending.len() - kept);
        text
    }

    fn utf16(&mut self, unit: fn([u8; 2]) -> u16, is_end: bool) -> String {
        let (pairs, odd) = self.pending.as_chunks();
        let mut units: Vec<u16> = pairs.iter().map(|pair| unit(*pair)).collect();
        let mut kept = odd.len();
        if is_end {
            // Half a character at the end is none.
            units.extend((kept > 0).then_some(0xd800));
            kept = 0;
        } else if units
            .last()
            .is_some_and(|last| (0xd800..0xdc00).contains(last))
        {
            units.pop();
            kept += 2;
        }
        self.pending.drain(..self.pending.len() - kept);
        String::from_utf16_lossy(&units)
    }

    fn with_line_feeds(&mut self, text: String) -> String {
        if !text.contains('\r') && !self.is_after_return {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        for sign in text.chars() {
            match sign {
                '\r' => out.push('\n'),
                '\n' if self.is_after_return => {}
                other => out.push(other),
            }
            self.is_after_return = sign == '\r';
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input;

    /// The text of `bytes` in pieces of `length`.
    fn in_pieces(bytes: &[u8], length: usize) -> String {
        let mut decoder = Decoder::default();
        let mut text: String = bytes
            .chunks(length)
            .map(|piece| decoder.text(piece, false))
            .collect();
        text.push_str(&decoder.text(&[], true));
        text
    }

    #[test]
    fn pieces_of_any_length_are_one_text() {
        let utf16 = |bytes: fn(u16) -> [u8; 2], mark: [u8; 2]| -> Vec<u8> {
            let units = "a,\u{1d11e}\r\né\n".encode_utf16();
            mark.into_iter().chain(units.flat_map(bytes)).collect()
        };
        let texts: [Vec<u8>; 7] = [
            "a,é€𝄞\nb\r\n\rc\r".into(),
            "\u{feff}a,b\n".into(),
            b"a\xff\xf0\x9f\x98b\xe2\x82".to_vec(),
            utf16(u16::to_le_bytes, [0xff, 0xfe]),
            utf16(u16::to_be_bytes, [0xfe, 0xff]),
            [utf16(u16::to_le_bytes, [0xff, 0xfe]), vec![7]].concat(),
            Vec::new(),
        ];
        for bytes in texts {
            let whole = input::decoded(bytes.clone());
            let whole = whole.replace("\r\n", "\n").replace('\r', "\n");
            for length in 1..8 {
                assert_eq!(in_pieces(&bytes, length), whole, "{bytes:?} by {length}");
            }
        }
    }
}
