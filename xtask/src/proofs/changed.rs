//! A kernel's files with a fix made in them.

use super::case::Case;
use super::totals::Fix;
use anyhow::{Context as _, Result};
use lanescope_fixes::apply;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes the changed files into `folder`, with links to all that stands beside them, and gives the source's new path.
///
/// A changed file that is in another folder than the source stands beside it: its own folder is searched for what it includes.
///
/// # Errors
/// When a file cannot be read or written, or edits overlap.
pub(super) fn written(case: &Case, fix: &Fix, folder: &Path) -> Result<PathBuf> {
    if folder.is_dir() {
        fs::remove_dir_all(folder)?;
    }
    fs::create_dir_all(folder)?;
    let beside = case.input.parent().context("the source has no folder")?;
    let name = case.input.file_name().context("the source has no name")?;
    for (file, edits) in &fix.edits {
        let path = file.as_ref().unwrap_or(&case.input);
        let bytes = fs::read(path).with_context(|| format!("could not read {}", path.display()))?;
        // As the command line reads it.
        let text = String::from_utf8_lossy(&bytes);
        let changed = apply(&text, edits).context("edits overlap")?;
        let name = path.file_name().context("a changed file has no name")?;
        fs::write(folder.join(name), changed)?;
    }
    for entry in fs::read_dir(beside)? {
        let entry = entry?;
        let link = folder.join(entry.file_name());
        if !link.exists() {
            link_to(&entry.path(), &link)?;
        }
    }
    Ok(folder.join(name))
}

#[cfg(unix)]
fn link_to(path: &Path, link: &Path) -> Result<()> {
    Ok(std::os::unix::fs::symlink(
        std::path::absolute(path)?,
        link,
    )?)
}

#[cfg(not(unix))]
fn link_to(path: &Path, link: &Path) -> Result<()> {
    if path.is_file() {
        fs::copy(path, link)?;
    }
    Ok(())
}
