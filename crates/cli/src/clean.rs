//! Text for a terminal: nothing in it that a terminal obeys.
//!
//! Controls (C0, DEL, C1) become pictures of themselves or `U+FFFD`, and so do marks that turn the direction of text.
//! Everything that is printed passes through here; JSON escapes the same characters, and loses nothing.

use std::io::{self, Write};

/// Whether a terminal obeys a character, or shows text in another order because of it.
pub(crate) const fn is_obeyed(sign: char) -> bool {
    matches!(sign,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A character of one line, or what stands for it.
pub(crate) fn shown(sign: char) -> char {
    match sign {
        '\t' => sign,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(sign)).unwrap_or(sign),
        '\u{7f}' => '\u{2421}',
        _ if is_obeyed(sign) => char::REPLACEMENT_CHARACTER,
        _ => sign,
    }
}

/// One line with nothing in it that a terminal obeys.
pub(crate) fn line(text: &str) -> String {
    text.chars().map(shown).collect()
}

/// A text of several lines with nothing in it that a terminal obeys but the ends of its lines.
pub(crate) fn text(text: &str) -> String {
    let mut signs = text.chars().peekable();
    let mut clean = String::with_capacity(text.len());
    while let Some(sign) = signs.next() {
        let ends_line = sign == '\n' || sign == '\r' && signs.peek() == Some(&'\n');
        clean.push(if ends_line { sign } else { shown(sign) });
    }
    clean
}

/// JSON in which such characters are escaped.
pub(crate) fn json(text: String) -> String {
    let is_escaped = |sign: char| is_obeyed(sign) && sign != '\n';
    if !text.contains(is_escaped) {
        return text;
    }
    let mut clean = String::with_capacity(text.len());
    for sign in text.chars() {
        if is_escaped(sign) {
            clean.push_str(&format!("\\u{:04x}", u32::from(sign)));
        } else {
            clean.push(sign);
        }
    }
    clean
}

/// Cleans what is written to `out`, text in pieces.
pub(crate) struct Cleaner<W: Write> {
    out: W,
    /// The first bytes of a character whose rest has not come yet.
    begun: Vec<u8>,
}

impl<W: Write> Cleaner<W> {
    pub(crate) const fn new(out: W) -> Self {
        Self {
            out,
            begun: Vec::new(),
        }
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// Those of the writer.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        let begun = std::mem::take(&mut self.begun);
        let rest = String::from_utf8_lossy(&begun);
        self.out.write_all(text(&rest).as_bytes())?;
        self.out.flush()
    }
}

impl<W: Write> Write for Cleaner<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.begun) {
            Ok(text) => text.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => self.begun.len(),
        };
        // A carriage return waits for what follows it.
        let ends = self
            .begun
            .get(..whole)
            .is_some_and(|text| text.ends_with(b"\r"));
        let whole = whole - usize::from(ends);
        let now: Vec<u8> = self.begun.drain(..whole).collect();
        self.out
            .write_all(text(&String::from_utf8_lossy(&now)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_a_picture() {
        let every = (0..=0x10_ffff)
            .filter_map(char::from_u32)
            .filter(|sign| is_obeyed(*sign));
        for sign in every.filter(|sign| *sign != '\t') {
            let before = format!("a{sign}b");
            assert!(!line(&before).contains(sign), "{sign:?}");
            assert!(sign == '\n' || !text(&before).contains(sign), "{sign:?}");
            assert!(sign == '\n' || !json(before).contains(sign), "{sign:?}");
        }
        assert_eq!(text("a\x1b[2J\r\nb\tc\r"), "a␛[2J\r\nb\tc␍");
        assert_eq!(
            json("\"\u{7f}\u{202e}\"\n".to_owned()),
            "\"\\u007f\\u202e\"\n"
        );
    }

    #[test]
    fn pieces_are_cleaned_as_the_whole_is() {
        let whole = "é\u{9b}31m\u{202e}\r\n𝄞\x07\r";
        for length in 1..=whole.len() {
            let mut clean = Vec::new();
            let mut cleaner = Cleaner::new(&mut clean);
            for piece in whole.as_bytes().chunks(length) {
                cleaner.write_all(piece).expect("room");
            }
            cleaner.finish().expect("room");
            assert_eq!(String::from_utf8(clean).expect("text"), text(whole));
        }
    }
}
