//! The files that paths, folders and globs name.

use super::settings::Settings;
use crate::usage::Usage;
use globset::GlobBuilder;
use ignore::WalkBuilder;
use std::path::{Path, PathBuf};

/// What kernels stand in: of these a folder's files are looked at.
const ENDINGS: [&str; 11] = [
    "cu", "cuh", "hip", "wgsl", "ptx", "sass", "cpp", "cc", "h", "hpp", "hxx",
];

/// Endings of files that may hold other code: only those are looked at in which a kernel is written.
const SHARED_ENDINGS: [&str; 5] = ["cpp", "cc", "h", "hpp", "hxx"];

/// What there is to check, and what could not be looked at.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) files: Vec<PathBuf>,
    /// Sentences.
    pub(super) unreadable: Vec<String>,
}

/// The files that `paths` name, each once, in the order of their names; a file that is named itself is taken whatever it
/// is called.
///
/// # Errors
/// When one names nothing that is there.
pub(super) fn found(paths: &[String], settings: &Settings) -> anyhow::Result<Found> {
    let here = [".".to_owned()];
    let paths = if paths.is_empty() { &here } else { paths };
    let mut found = Found::default();
    for given in paths {
        let path = Path::new(given);
        if path.is_file() {
            found.files.push(path.to_owned());
        } else if path.is_dir() {
            found.walk(path, settings, |_| true);
        } else {
            found.glob(given, settings)?;
        }
    }
    found.files.sort();
    found.files.dedup();
    Ok(found)
}

impl Found {
    fn walk(&mut self, folder: &Path, settings: &Settings, is_meant: impl Fn(&Path) -> bool) {
        for entry in WalkBuilder::new(folder).require_git(false).build() {
            match entry {
                Ok(entry) => {
                    let path = entry.path();
                    let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
                    if is_file
                        && has_kernels_ending(path)
                        && is_meant(path)
                        && !settings.excludes(path)
                    {
                        self.files
                            .push(path.strip_prefix("./").unwrap_or(path).to_owned());
                    }
                }
                Err(error) => self.unreadable.push(error.to_string()),
            }
        }
    }

    fn glob(&mut self, pattern: &str, settings: &Settings) -> anyhow::Result<()> {
        let missing = || {
            Usage::new(format!(
                "{pattern}: there is no such file or folder, and no file that it matches"
            ))
        };
        let is_pattern = |part: &str| part.contains(['*', '?', '[', '{']);
        if !is_pattern(pattern) {
            return Err(missing().into());
        }
        let glob = GlobBuilder::new(pattern.strip_prefix("./").unwrap_or(pattern))
            .literal_separator(true)
            .build();
        let glob = glob
            .map_err(|error| Usage::new(error.to_string()))?
            .compile_matcher();
        let fixed: Vec<&str> = pattern
            .split('/')
            .take_while(|part| !is_pattern(part))
            .collect();
        let folder = match fixed.join("/") {
            none if none.is_empty() && pattern.starts_with('/') => "/".to_owned(),
            none if none.is_empty() => ".".to_owned(),
            some => some,
        };
        let before = self.files.len();
        self.walk(Path::new(&folder), settings, |path| {
            glob.is_match(path.strip_prefix("./").unwrap_or(path))
        });
        match self.files.len() > before {
            true => Ok(()),
            false => Err(missing().into()),
        }
    }
}

fn has_kernels_ending(path: &Path) -> bool {
    ending(path).is_some_and(|ending| ENDINGS.contains(&ending))
}

fn ending(path: &Path) -> Option<&str> {
    path.extension()?.to_str()
}

/// Whether a file's text is looked at: not that of a file for any C++ in which no kernel is written.
pub(super) fn may_have_kernels(path: &Path, text: &str) -> bool {
    let is_shared = ending(path).is_some_and(|ending| SHARED_ENDINGS.contains(&ending));
    !is_shared || text.contains("__global__") || text.contains("@compute")
}
