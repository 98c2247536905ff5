//! A folder for files that exist only while a tool reads or writes them.

use anyhow::Context as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// How many there were in this process.
static COUNT: AtomicU32 = AtomicU32::new(0);

/// An empty folder of this process alone, removed with all it holds when it is dropped.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    /// Makes one.
    ///
    /// # Errors
    /// When the system's folder for temporary files cannot be written.
    pub(super) fn new() -> anyhow::Result<Self> {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("lanescope-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // A folder that is there already is somebody else's.
        fs::create_dir(&path).with_context(|| format!("cannot make {}", path.display()))?;
        Ok(Self(path))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
