//! The local files that a source includes.

use crate::input;
use lanescope_cuda::source::{gather, path_beside};
use std::path::{Path, PathBuf};

/// The source in the file at `path` with the files that it includes: those beside the including
/// file, else in one of `folders`. What is not found is left to the reader of the source to say.
pub(crate) fn bundled(path: &Path, text: &str, folders: &[PathBuf]) -> String {
    let own = path.parent().unwrap_or_else(|| Path::new(""));
    gather(text, |from, name, quoted| {
        let (path, file) = found(own, from, name, quoted, folders)?;
        Some((path, input::text(&file).ok()?))
    })
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
