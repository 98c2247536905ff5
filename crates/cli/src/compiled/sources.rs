//! The source texts that compiled code was made of, line by line.

use std::collections::BTreeMap;
use std::path::Path;

/// Endings of files that are read as source text.
const ENDINGS: [&str; 10] = [
    "cu", "cuh", "h", "hpp", "hxx", "cpp", "cc", "c", "hip", "py",
];

/// The most bytes of a file that is read.
const MOST_BYTES: u64 = 4 << 20;

/// Texts by the path under which a listing names them.
#[derive(Default)]
pub(crate) struct Sources {
    files: BTreeMap<String, File>,
    /// Whether no file is read that only a listing names.
    is_closed: bool,
}

struct File {
    /// What people call it.
    name: String,
    lines: Vec<String>,
}

impl Sources {
    /// Texts to be added, and no others: a listing is by whoever wrote its `#line`.
    pub(super) fn closed() -> Self {
        Self {
            is_closed: true,
            ..Self::default()
        }
    }

    /// Adds a text; it is found by its path in listings, and by the name that people know.
    pub(super) fn add(&mut self, path: &str, name: &str, text: &str) {
        for key in [path, name] {
            let lines = text.lines().map(|line| line.trim().to_owned()).collect();
            let name = name.to_owned();
            self.files.insert(key.to_owned(), File { name, lines });
        }
    }

    /// Reads those files that a listing names and that are here.
    pub(super) fn read(&mut self, paths: &[String]) {
        if self.is_closed {
            return;
        }
        for path in paths {
            let file = Path::new(path);
            let ending = file.extension().and_then(|ending| ending.to_str());
            let is_source = ending.is_some_and(|ending| ENDINGS.contains(&ending));
            let is_small = || {
                file.metadata()
                    .is_ok_and(|data| data.is_file() && data.len() < MOST_BYTES)
            };
            if self.files.contains_key(path) || !is_source || !is_small() {
                continue;
            }
            if let Ok(text) = std::fs::read_to_string(file) {
                self.add(path, path, &text);
            }
        }
    }

    /// What people call the file at `path`.
    pub(super) fn name<'s>(&'s self, path: &'s str) -> &'s str {
        self.files.get(path).map_or(path, |file| &file.name)
    }

    /// A line, counted from 1, without the blanks around it.
    pub(super) fn line(&self, path: &str, line: u32) -> Option<&str> {
        let lines = &self.files.get(path)?.lines;
        let at = usize::try_from(line).ok()?.checked_sub(1)?;
        lines.get(at).map(String::as_str)
    }
}
