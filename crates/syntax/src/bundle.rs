//! A bundle: a source and the files that it includes, as one text.
//!
//! ```text
//! bundle = text { "#pragma lanescope file \"" path "\"" line-end text }
//! ```
//! The source comes first, so that its lines keep their numbers; each included file follows its
//! mark. Spans count bytes of the whole, so that a file that is included twice has one place.

use crate::includes::includes;
use std::collections::{BTreeMap, VecDeque};

/// What stands before a file's path.
const MARK: &str = "#pragma lanescope file \"";

/// The most files of one bundle.
const MOST_FILES: usize = 512;

/// The most files that are gathered for one source.
const MOST_GATHERED: usize = 256;

/// The most bytes of all gathered files together.
pub const MOST_GATHERED_BYTES: usize = 1 << 20;

/// One file of a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BundledFile<'s> {
    /// Its path as an `#include` finds it; empty for the source itself.
    pub path: &'s str,
    /// Its text.
    pub text: &'s str,
    /// The bytes of the bundle before its text.
    pub start: usize,
    /// The lines of the bundle before its first.
    pub lines_before: u32,
}

impl BundledFile<'_> {
    /// A source without text.
    pub const NONE: Self = Self {
        path: "",
        text: "",
        start: 0,
        lines_before: 0,
    };
}

/// The files of a bundle, the source first; a text without marks is the source alone.
#[must_use]
pub fn bundled_files(bundle: &str) -> Vec<BundledFile<'_>> {
    let mut files = vec![BundledFile {
        path: "",
        text: bundle,
        start: 0,
        lines_before: 0,
    }];
    if !bundle.contains(MARK) {
        return files;
    }
    let (mut at, mut lines) = (0, 0_u32);
    for line in bundle.split_inclusive('\n') {
        let begins = at;
        at += line.len();
        lines = lines.saturating_add(1);
        let path = line
            .strip_prefix(MARK)
            .and_then(|rest| rest.split_once('"'));
        let Some((path, _)) = path.filter(|_| files.len() < MOST_FILES) else {
            continue;
        };
        if let Some(last) = files.last_mut() {
            last.text = bundle.get(last.start..begins).unwrap_or("");
        }
        files.push(BundledFile {
            path,
            text: bundle.get(at..).unwrap_or(""),
            start: at,
            lines_before: lines,
        });
    }
    files
}

/// Joins a source and the files that it includes, by their paths.
#[must_use]
pub fn bundle(source: &str, files: &BTreeMap<String, String>) -> String {
    let mut whole = source.to_owned();
    for (path, text) in files {
        if !whole.is_empty() && !whole.ends_with('\n') {
            whole.push('\n');
        }
        whole.push_str(MARK);
        whole.push_str(path);
        whole.push_str("\"\n");
        whole.push_str(text);
    }
    whole
}

/// A breadth-first search of what `source` includes, and the bundle of it all.
///
/// `find` is given the path of the including file (empty for the source), the included name and whether it stands in
/// quotes, and returns the path by which the file is known from now on, with its text. What comes to more than
/// [`MOST_GATHERED_BYTES`] is left out.
#[must_use]
pub fn gather(
    source: &str,
    mut find: impl FnMut(&str, &str, bool) -> Option<(String, String)>,
) -> String {
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut waiting = VecDeque::from([(String::new(), source.to_owned())]);
    let mut bytes = 0;
    while let Some((from, text)) = waiting.pop_front() {
        for (name, quoted) in includes(&text) {
            let found = find(&from, &name, quoted);
            let Some((path, text)) = found.filter(|(path, _)| !files.contains_key(path)) else {
                continue;
            };
            if files.len() >= MOST_GATHERED || bytes + text.len() > MOST_GATHERED_BYTES {
                continue;
            }
            bytes += text.len();
            files.insert(path.clone(), text.clone());
            waiting.push_back((path, text));
        }
    }
    bundle(source, &files)
}

/// The file of a bundle that a line lies in, and its line there; the path is empty for the source.
#[must_use]
pub fn line_in_file(bundle: &str, line: u32) -> (&str, u32) {
    let files = bundled_files(bundle);
    let file = files.iter().rev().find(|file| file.lines_before < line);
    file.map_or(("", line), |file| (file.path, line - file.lines_before))
}

/// The path behind `include`, and whether it stands in quotes.
pub(crate) fn included(rest: &str) -> Option<(&str, bool)> {
    let quoted = rest.starts_with('"');
    let inner = rest.strip_prefix(['"', '<'])?;
    let (path, _) = inner.split_once(if quoted { '"' } else { '>' })?;
    Some((path.trim(), quoted))
}

/// The path that `name` has when a file at `from` includes it from its own folder; `.` and `..` are followed.
#[must_use]
pub fn path_beside(from: &str, name: &str) -> String {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(name.split('/')) {
        match part {
            "." => {}
            "" if !parts.is_empty() || !folder.starts_with('/') => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, ".." | "")) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// The file that `name` stands for in a file at `from`: the one beside it, else the first whose path ends so.
pub(crate) fn find(files: &[BundledFile<'_>], from: &str, name: &str) -> Option<usize> {
    let beside = path_beside(from, name);
    let name = name.trim_start_matches("./");
    let rest = || {
        let ends = |path: &str| {
            path.strip_suffix(name)
                .is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        files.iter().skip(1).position(|file| ends(file.path))
    };
    let first = files.iter().skip(1).position(|file| file.path == beside);
    first.or_else(rest).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundle_gives_back_its_files() {
        let files = BTreeMap::from([
            ("a.h".to_owned(), "int a;\n".to_owned()),
            ("inc/b.h".to_owned(), "int b;".to_owned()),
        ]);
        let whole = bundle("int k;", &files);
        let parts = bundled_files(&whole);
        let shown: Vec<_> = parts.iter().map(|part| (part.path, part.text)).collect();
        assert_eq!(
            shown,
            [("", "int k;\n"), ("a.h", "int a;\n"), ("inc/b.h", "int b;")]
        );
        assert_eq!(line_in_file(&whole, 1), ("", 1));
        assert_eq!(line_in_file(&whole, 3), ("a.h", 1));
        assert_eq!(line_in_file(&whole, 5), ("inc/b.h", 1));
    }

    #[test]
    fn paths_are_followed_from_the_including_file() {
        assert_eq!(path_beside("", "a.h"), "a.h");
        assert_eq!(path_beside("src/k.cu", "../inc/./a.h"), "inc/a.h");
        assert_eq!(path_beside("k.cu", "../a.h"), "../a.h");
        assert_eq!(path_beside("../x/k.cu", "../../a.h"), "../../a.h");
        assert_eq!(path_beside("/x/k.cu", "a.h"), "/x/a.h");
    }
}
