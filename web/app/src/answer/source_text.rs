//! The source text that travels with a compiled text, as `--source-in-ptx` prints it: `//FILE:LINE TEXT` comments.
//!
//! Both readers of compiled code skip such comments, so that a link and a file carry source and compiled code in one text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The most lines of a source that are kept.
const MOST_LINES: u32 = 20_000;

/// Source lines by number, from 1, and the file they are of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SourceText {
    /// The file as the comments name it.
    pub(crate) file: String,
    /// Its lines that are at hand.
    pub(crate) lines: BTreeMap<u32, String>,
}

impl SourceText {
    /// The lines of the file at `path` that stand in `text`; where it names no such file, of the only file there is.
    pub(crate) fn in_text(text: &str, path: &str) -> Self {
        let mut files: BTreeMap<&str, BTreeMap<u32, String>> = BTreeMap::new();
        for (file, line, source) in text.lines().filter_map(comment) {
            let lines = files.entry(file).or_default();
            lines.entry(line).or_insert_with(|| source.to_owned());
        }
        let named = files.keys().copied().find(|file| is_same(file, path));
        let only = files.keys().copied().next().filter(|_| files.len() == 1);
        named.or(only).map_or_else(Self::default, |file| Self {
            file: file.to_owned(),
            lines: files.remove(file).unwrap_or_default(),
        })
    }
}

/// `text` with `source` as the lines of `file`; lines of a source that were there before go.
pub(crate) fn with_source(text: &str, file: &str, source: &str) -> String {
    let kept: Vec<&str> = text
        .lines()
        .filter(|line| comment(line).is_none())
        .collect();
    let mut all = kept.join("\n");
    all.truncate(all.trim_end().len());
    all.push_str("\n\n");
    let name = short(file).replace([':', '\n', '\r'], "_");
    for (number, line) in (1..=MOST_LINES).zip(source.lines()) {
        let _ = writeln!(all, "//{name}:{number} {line}");
    }
    all
}

/// Whether a line is one of the source's.
pub(crate) fn is_source(line: &str) -> bool {
    comment(line).is_some()
}

/// A path's last part.
pub(crate) fn short(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// `//FILE:LINE TEXT`, the file with an ending and without blanks.
fn comment(line: &str) -> Option<(&str, u32, &str)> {
    let rest = line.trim_start().strip_prefix("//")?;
    let (place, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let (file, number) = place.rsplit_once(':')?;
    let is_file = short(file).contains('.') && !file.contains(char::is_whitespace);
    let number = number.parse().ok().filter(|number| *number > 0)?;
    is_file.then_some((file, number, text))
}

/// Whether two paths name the same file, one of them perhaps by its end alone.
fn is_same(one: &str, other: &str) -> bool {
    let ends = |long: &str, end: &str| {
        let before = long.strip_suffix(end);
        before.is_some_and(|before| before.is_empty() || before.ends_with(['/', '\\']))
    };
    ends(one, other) || ends(other, one)
}

#[cfg(test)]
mod tests {
    use super::{SourceText, is_source, with_source};

    #[test]
    fn lines_come_back() {
        let listing = "\t/*0000*/ LDS R1, [R0] ;\n//## File \"/a/x.cu\", line 2\n";
        let both = with_source(listing, "/a/x.cu", "first\n\n    third : 3");
        assert!(both.starts_with(listing.trim_end()));
        let read = SourceText::in_text(&both, "/a/x.cu");
        assert_eq!(read.file, "x.cu");
        let lines: Vec<(u32, &str)> = read
            .lines
            .iter()
            .map(|(at, line)| (*at, line.as_str()))
            .collect();
        assert_eq!(lines, [(1, "first"), (2, ""), (3, "    third : 3")]);
        let again = with_source(&both, "y.cu", "other");
        assert!(!again.contains("third"));
        assert_eq!(SourceText::in_text(&again, "/a/x.cu").lines.len(), 1);
    }

    #[test]
    fn other_comments_are_none() {
        for line in [
            "// Based on NVVM 7.0.1",
            "//## File \"/a/x.cu\", line 2",
            "//--- .text ---",
            "//x.cu:0 a",
            "LDS",
        ] {
            assert!(!is_source(line), "{line}");
        }
        assert!(is_source("//dir/x.cu:12 a[i] = 0;"));
    }
}
