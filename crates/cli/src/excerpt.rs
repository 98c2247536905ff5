//! The part of a source that a diagnostic shows: bounded, and with nothing in it that a terminal obeys.

use crate::clean::{self, shown};
use codespan_reporting::files::{Error, Files};
use lanescope_frontend::Span;
use lanescope_syntax::BundledFile;
use std::ops::Range;

/// Characters of a line that are shown before the place, and from it on.
const BEFORE: usize = 120;
const AFTER: usize = 240;

/// A stretch of one line, as it is shown.
pub(crate) struct Excerpt {
    name: String,
    text: String,
    /// From 1.
    line: usize,
    /// Characters of the line that are left out before it.
    skipped: usize,
    /// What is meant, within the text.
    pub(crate) span: Range<usize>,
}

impl Excerpt {
    /// What is shown of `span`, which begins in `part`.
    pub(crate) fn of(name: &str, part: &BundledFile<'_>, span: Span) -> Self {
        let source = part.text;
        let within = |at: u32| (at as usize).saturating_sub(part.start).min(source.len());
        let start = source.floor_char_boundary(within(span.start));
        let end = source.ceil_char_boundary(within(span.end)).max(start);
        let head = &source[..start];
        let line_start = head.rfind('\n').map_or(0, |at| at + 1);
        let rest = &source[start..];
        let line_end = start + rest.find('\n').unwrap_or(rest.len());
        let before = &source[line_start..start];
        let count = before.chars().count();
        let skipped = count.saturating_sub(BEFORE);
        let mut text: String = before.chars().skip(skipped).map(shown).collect();
        let from = text.len();
        let meant = &source[start..end.min(line_end)];
        text.extend(meant.chars().take(AFTER).map(shown));
        let to = text.len();
        let room = AFTER.saturating_sub(meant.chars().count());
        let after = &source[end.min(line_end)..line_end];
        text.extend(after.trim_end_matches('\r').chars().take(room).map(shown));
        Self {
            name: clean::line(name),
            text,
            line: 1 + head.bytes().filter(|byte| *byte == b'\n').count(),
            skipped,
            span: from..to,
        }
    }
}

impl<'a> Files<'a> for Excerpt {
    type FileId = ();
    type Name = &'a str;
    type Source = &'a str;

    fn name(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(&self.name)
    }

    fn source(&'a self, (): ()) -> Result<&'a str, Error> {
        Ok(&self.text)
    }

    fn line_index(&'a self, (): (), _: usize) -> Result<usize, Error> {
        Ok(0)
    }

    fn line_number(&'a self, (): (), index: usize) -> Result<usize, Error> {
        Ok(self.line + index)
    }

    fn column_number(&'a self, (): (), _: usize, byte: usize) -> Result<usize, Error> {
        let before = self.text.get(..byte).unwrap_or(&self.text);
        Ok(self.skipped + before.chars().count() + 1)
    }

    fn line_range(&'a self, (): (), index: usize) -> Result<Range<usize>, Error> {
        if index == 0 {
            return Ok(0..self.text.len());
        }
        Err(Error::LineTooLarge {
            given: index,
            max: 0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Excerpt;
    use lanescope_frontend::Span;
    use lanescope_syntax::BundledFile;

    fn excerpt(text: &str, start: usize, end: usize) -> (String, usize, String) {
        let part = BundledFile {
            path: "",
            start: 0,
            text,
            lines_before: 0,
        };
        let one = Excerpt::of("source", &part, Span::new(start, end));
        (one.text.clone(), one.line, one.text[one.span].to_owned())
    }

    #[test]
    fn what_a_terminal_obeys_is_a_picture() {
        let (text, line, meant) = excerpt("a\n\u{1b}[2Jb \u{202e}c\r\n", 2, 7);
        assert_eq!(text, "␛[2Jb \u{fffd}c");
        assert_eq!((line, meant.as_str()), (2, "␛[2Jb"));
    }

    #[test]
    fn long_lines_are_cut() {
        let source = "x".repeat(1_000_000);
        let (text, line, meant) = excerpt(&source, 500_000, 900_000);
        assert_eq!((text.len(), line, meant.len()), (360, 1, 240));
    }
}
