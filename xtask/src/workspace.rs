//! Where things are.

use std::env;
use std::path::{Path, PathBuf};

/// The repository's top folder.
pub(crate) fn root() -> PathBuf {
    let manifest =
        env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| PathBuf::from("xtask"), PathBuf::from);
    manifest
        .parent()
        .map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Where cargo puts what it builds: `CARGO_TARGET_DIR` if set, else `target` in the top folder.
pub(crate) fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// Where the built page goes.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// Where the end-to-end tests are.
pub(crate) fn e2e() -> PathBuf {
    root().join("tests/e2e")
}
