//! Packages from npm, at the versions of the lock file.

use std::path::Path;

use anyhow::{Context, Result};

use crate::process;

/// Installs a folder's packages unless they are there already, at the versions of its lock file. None of their scripts runs.
///
/// # Errors
/// When npm is missing or fails.
pub(crate) fn install(folder: &Path) -> Result<()> {
    if is_current(folder) {
        return Ok(());
    }
    println!("installing npm packages in {}", folder.display());
    process::run(
        process::command("npm")
            .args(["ci", "--ignore-scripts", "--loglevel=error"])
            .current_dir(folder),
    )
    .context("npm comes with Node, https://nodejs.org")
}

/// npm leaves its own lock file with what it installed; an older one is of a former version.
fn is_current(folder: &Path) -> bool {
    let modified = |path: &str| {
        folder
            .join(path)
            .metadata()
            .and_then(|data| data.modified())
    };
    match (
        modified("package-lock.json"),
        modified("node_modules/.package-lock.json"),
    ) {
        (Ok(wanted), Ok(installed)) => wanted <= installed,
        _ => false,
    }
}
