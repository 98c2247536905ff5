//! The files that the command line names: read for the page, and saved from it. No others are.

use crate::input;
use anyhow::{Context as _, bail, ensure};
use serde::Serialize;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// Files by number, and the folders that a compiler may read.
#[derive(Debug)]
pub(super) struct Files {
    files: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

/// A file as a tab shows it.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct FileTab {
    name: String,
    version: String,
}

impl Files {
    /// The files and folders of the command line.
    ///
    /// # Errors
    /// Names the first that is not there, or whose name a compiler's shell would obey.
    pub(super) fn new(files: &[PathBuf], folders: &[PathBuf]) -> anyhow::Result<Self> {
        let real = |path: &PathBuf| {
            path.canonicalize()
                .with_context(|| path.display().to_string())
        };
        let files: Vec<PathBuf> = files.iter().map(real).collect::<anyhow::Result<_>>()?;
        let folders = folders.iter().map(real);
        let mut folders: Vec<PathBuf> = folders.collect::<anyhow::Result<_>>()?;
        if let Some(file) = files.iter().find(|file| !file.is_file()) {
            bail!("{} is no file", file.display());
        }
        folders.extend(
            files
                .iter()
                .filter_map(|file| file.parent().map(Path::to_owned)),
        );
        folders.sort();
        folders.dedup();
        for folder in &folders {
            let name = folder.to_string_lossy();
            ensure!(folder.is_dir(), "{name} is no folder");
            ensure!(
                !name.contains(['$', '`', '"', '\'', '\\', ';', '&', '|', '\n']) || cfg!(windows),
                "{name}: nvcc would take this folder's name for a command; rename the folder"
            );
        }
        Ok(Self { files, folders })
    }

    /// The folders that a compiler may read.
    pub(super) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// All of them.
    pub(super) fn tabs(&self) -> Vec<FileTab> {
        let name = |file: &Path| {
            file.file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned()
        };
        let tab = |file: &PathBuf| FileTab {
            name: name(file),
            version: version(file),
        };
        self.files.iter().map(tab).collect()
    }

    /// Where a file is.
    ///
    /// # Errors
    /// When there are not so many.
    pub(super) fn path(&self, number: usize) -> anyhow::Result<&Path> {
        let path = self.files.get(number).map(PathBuf::as_path);
        path.with_context(|| format!("there is no file {number}"))
    }

    /// The text of a file, and its version.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn read(&self, number: usize) -> anyhow::Result<(String, String)> {
        let path = self.path(number)?;
        let version = version(path);
        let text = input::text_of_at_most(path, input::MOST_TEXT_BYTES)?;
        Ok((text, version))
    }

    /// Writes a file that is still as it was read; returns its new version. A reader sees the former text or the new one,
    /// never a part.
    ///
    /// # Errors
    /// When somebody else has changed it, or it cannot be written.
    pub(super) fn save(&self, number: usize, text: &str, known: &str) -> anyhow::Result<String> {
        let path = self.path(number)?;
        ensure!(
            version(path) == known,
            "the file has changed on disk since the page read it; open it again first"
        );
        let folder = path.parent().context("the file has no folder")?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        if let Ok(data) = fs::metadata(path) {
            fs::set_permissions(file.path(), data.permissions())?;
        }
        file.persist(path)?;
        Ok(version(path))
    }
}

/// What changes with each change of a file.
fn version(path: &Path) -> String {
    let Ok(data) = fs::metadata(path) else {
        return "gone".to_owned();
    };
    let changed = data.modified().ok();
    let changed = changed.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    format!("{}-{}", changed.unwrap_or_default().as_nanos(), data.len())
}

#[cfg(test)]
mod tests {
    use super::Files;
    use std::fs;

    #[test]
    fn a_file_is_saved_only_over_what_was_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("k.cu");
        fs::write(&path, "one").expect("a file");
        let files = Files::new(std::slice::from_ref(&path), &[]).expect("files");
        let (text, version) = files.read(0).expect("a text");
        assert_eq!(text, "one");
        let newer = files.save(0, "three", &version).expect("saved");
        assert_eq!(fs::read_to_string(&path).expect("a text"), "three");
        assert!(files.save(0, "four", &version).is_err());
        assert!(files.save(0, "four", &newer).is_ok());
        assert!(files.read(1).is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
