//! A folder for files that exist only while a tool reads or writes them.

use crate::clock;
use anyhow::Context as _;
use std::path::Path;
use tempfile::{Builder, TempDir};

/// An empty folder that nobody else can open, under a name that nobody can guess; removed with all it holds when it is
/// dropped, and when the process ends before that.
pub(crate) struct Scratch(TempDir);

impl Scratch {
    /// Makes one.
    ///
    /// # Errors
    /// When the system's folder for temporary files cannot be written.
    pub(crate) fn new() -> anyhow::Result<Self> {
        Self::within(&std::env::temp_dir())
    }

    /// Makes one inside another folder.
    ///
    /// # Errors
    /// When that cannot be written.
    pub(crate) fn within(parent: &Path) -> anyhow::Result<Self> {
        let mut builder = Builder::new();
        builder.prefix("lanescope-").rand_bytes(16);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let folder = builder.tempdir_in(parent);
        let folder = folder.context("cannot make a folder for temporary files")?;
        clock::add_folder(folder.path());
        Ok(Self(folder))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        clock::forget_folder(self.0.path());
    }
}

#[cfg(test)]
mod tests {
    use super::Scratch;

    #[test]
    fn it_goes_with_what_it_holds() {
        let one = Scratch::new().expect("a folder");
        let other = Scratch::new().expect("a folder");
        assert_ne!(one.path(), other.path());
        std::fs::write(one.path().join("file"), "text").expect("a file");
        let path = one.path().to_owned();
        drop(one);
        assert!(!path.exists() && other.path().is_dir());
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_can_open_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let scratch = Scratch::new().expect("a folder");
        let mode = scratch
            .path()
            .metadata()
            .expect("a folder")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o700);
    }
}
