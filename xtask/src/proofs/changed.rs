//! A kernel's files with a fix made in them.

use super::case::Case;
use super::totals::Fix;
use anyhow::{Context as _, Result};
use lanescope_fixes::apply;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes the changed files into `folder`, with links to all that stands beside them, and gives the source's new path.
///
/// A changed file of a folder below the source's has its place there too; one of any other folder stands beside the source:
/// its own folder is searched for what it includes.
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
        let place = folder.join(place_of(path, beside)?);
        fs::create_dir_all(place.parent().context("a changed file has no folder")?)?;
        fs::write(place, changed)?;
    }
    link_rest(beside, folder)?;
    Ok(folder.join(name))
}

/// Where a changed file stands, from the folder of the source.
fn place_of(path: &Path, beside: &Path) -> Result<PathBuf> {
    let (path, beside) = (path.canonicalize()?, beside.canonicalize()?);
    let below = path.strip_prefix(&beside).map(Path::to_owned);
    match below {
        Ok(below) => Ok(below),
        Err(_) => {
            let name = path.file_name().context("a changed file has no name")?;
            Ok(name.into())
        }
    }
}

/// Links what is in `from` and not yet in `to`, also in those of its folders that stand in `to` already.
fn link_rest(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let link = to.join(entry.file_name());
        if !link.exists() {
            link_to(&entry.path(), &link)?;
        } else if link.is_dir() {
            link_rest(&entry.path(), &link)?;
        }
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::{link_rest, place_of};
    use std::fs;
    use std::path::Path;

    #[test]
    fn a_changed_file_keeps_its_folder_below_the_source() -> anyhow::Result<()> {
        let folder =
            std::env::temp_dir().join(format!("lanescope-place-of-{}", std::process::id()));
        let (from, to) = (folder.join("from"), folder.join("to"));
        fs::create_dir_all(from.join("kernels"))?;
        for file in ["main.cu", "kernels/a.cuh", "kernels/b.cuh"] {
            fs::write(from.join(file), "old")?;
        }
        fs::write(folder.join("c.cuh"), "old")?;
        let place = place_of(&from.join("kernels/a.cuh"), &from)?;
        assert_eq!(place, Path::new("kernels/a.cuh"));
        assert_eq!(place_of(&folder.join("c.cuh"), &from)?, Path::new("c.cuh"));
        fs::create_dir_all(to.join("kernels"))?;
        fs::write(to.join(&place), "new")?;
        link_rest(&from, &to)?;
        let read = |file: &str| fs::read_to_string(to.join(file));
        assert_eq!(read("kernels/a.cuh")?, "new");
        assert_eq!(read("kernels/b.cuh")?, "old");
        assert_eq!(read("main.cu")?, "old");
        fs::remove_dir_all(folder)?;
        Ok(())
    }
}
