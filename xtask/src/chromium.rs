//! A Chromium for the end-to-end tests.

use std::env;
use std::path::Path;

use anyhow::{Result, bail};

use crate::debian;

const CANDIDATES: [&str; 4] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/snap/bin/chromium",
];

/// The path of a Chromium; on Debian it is installed when there is none and this user may.
///
/// # Errors
/// When there is none and none can be installed from here.
pub(crate) fn ensure() -> Result<String> {
    if let Some(found) = find() {
        return Ok(found);
    }
    if !debian::install("chromium")? {
        bail!(
            "the end-to-end tests need Chromium: install it (on Debian: apt-get install chromium) or set CHROMIUM"
        );
    }
    find().map_or_else(
        || bail!("Chromium was installed, but not where it was looked for: set CHROMIUM"),
        Ok,
    )
}

fn find() -> Option<String> {
    let named = env::var("CHROMIUM").ok();
    named
        .into_iter()
        .chain(CANDIDATES.map(str::to_owned))
        .find(|path| Path::new(path).exists())
}
