//! Length of files: at most 500 lines, so that each holds one noun; tables and tests may be longer.

use std::fs;
use std::path::Path;

use anyhow::{Result, bail};
use walkdir::WalkDir;

use crate::workspace;

/// Lines of a file, at most.
const MOST: usize = 500;

/// Folders with code of ours.
const FOLDERS: [&str; 6] = ["crates", "fuzz", "packages", "tests", "web", "xtask"];

/// What code is written in.
const EXTENSIONS: [&str; 6] = ["css", "js", "mjs", "py", "rs", "ts"];

/// Tables, one row or arm for each of what they list: to cut them would part what is read as one.
const TABLES: [&str; 3] = [
    "crates/model/src/profiles/nvidia.rs",
    "crates/syntax/src/diagnostic.rs",
    "crates/syntax/src/tree.rs",
];

/// Checks that no file is longer than it may be, and that no exception has outlived its reason.
///
/// # Errors
/// Names the files.
pub(crate) fn check() -> Result<()> {
    let faults = faults(&workspace::root())?;
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

fn faults(root: &Path) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    for folder in FOLDERS {
        let entries = WalkDir::new(root.join(folder))
            .sort_by_file_name()
            .into_iter();
        for entry in entries.filter_entry(|entry| !is_foreign(entry.path())) {
            let entry = entry?;
            let path = entry.path().strip_prefix(root)?;
            if is_code(path) {
                let lines = fs::read_to_string(entry.path())?.lines().count();
                faults.extend(fault(&path.to_string_lossy(), lines));
            }
        }
    }
    Ok(faults)
}

fn fault(path: &str, lines: usize) -> Option<String> {
    let is_table = TABLES.contains(&path);
    if lines > MOST && !is_table && !is_test(path) {
        return Some(format!(
            "{path} has {lines} lines, more than {MOST}: give a part of it a file of its own"
        ));
    }
    (is_table && lines <= MOST)
        .then(|| format!("{path} has {lines} lines: it needs no exception any more"))
}

fn is_code(path: &Path) -> bool {
    let extension = path.extension().and_then(|one| one.to_str());
    extension.is_some_and(|one| EXTENSIONS.contains(&one))
}

/// Whether a folder holds what others wrote or what is built.
fn is_foreign(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    matches!(
        name,
        Some("node_modules" | "target" | "corpus" | "artifacts")
    )
}

/// Whether a file holds tests, or what generates them.
fn is_test(path: &str) -> bool {
    path.split('/')
        .any(|part| matches!(part, "tests" | "examples" | "benches"))
}

#[cfg(test)]
mod tests {
    use super::{check, fault, is_test};

    #[test]
    fn a_long_file_is_a_fault_unless_it_is_a_table_or_a_test() {
        assert!(fault("crates/simt/src/machine.rs", 501).is_some());
        assert!(fault("crates/simt/src/machine.rs", 500).is_none());
        assert!(fault("crates/syntax/src/tree.rs", 501).is_none());
        assert!(fault("crates/cuda/tests/hostile.rs", 501).is_none());
        assert!(is_test("crates/model/tests/oracle/mod.rs"));
    }

    #[test]
    fn the_workspace_keeps_to_it() {
        check().unwrap();
    }

    #[test]
    fn an_exception_that_is_not_needed_is_a_fault() {
        assert!(fault("crates/syntax/src/tree.rs", 500).is_some());
    }
}
