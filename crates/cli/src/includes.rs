//! The local files that a source includes.

use crate::input;
use lanescope_lang::{bundle, includes, path_beside};
use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

/// The most files that are read for one source.
const MOST_FILES: usize = 256;

/// The most bytes of all included files together.
const MOST_BYTES: usize = 1 << 20;

/// The source in the file at `path` with the files that it includes: those beside the including
/// file, else in one of `folders`. What is not found is left to the reader of the source to say.
pub(crate) fn bundled(path: &Path, text: String, folders: &[PathBuf]) -> String {
    let own = path.parent().unwrap_or_else(|| Path::new(""));
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    let mut waiting = VecDeque::from([(String::new(), text.clone())]);
    let mut bytes = 0;
    while let Some((from, text)) = waiting.pop_front() {
        for (name, quoted) in includes(&text) {
            let found = found(own, &from, name, quoted, folders);
            let Some((path, file)) = found.filter(|(path, _)| !files.contains_key(path)) else {
                continue;
            };
            let Ok(text) = input::text(&file) else {
                continue;
            };
            bytes += text.len();
            if files.len() >= MOST_FILES || bytes > MOST_BYTES {
                continue;
            }
            files.insert(path.clone(), text.clone());
            waiting.push_back((path, text));
        }
    }
    bundle(&text, &files)
}

/// The path by which the file that `name` stands for is known, and where it is.
fn found(
    own: &Path,
    from: &str,
    name: &str,
    quoted: bool,
    folders: &[PathBuf],
) -> Option<(String, PathBuf)> {
    let beside = path_beside(from, name);
    let file = own.join(&beside);
    if quoted && file.is_file() {
        return Some((beside, file));
    }
    folders.iter().find_map(|folder| {
        let file = folder.join(name);
        let path = file.to_string_lossy().replace('\\', "/");
        file.is_file().then_some((path, file))
    })
}
