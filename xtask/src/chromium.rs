//! A Chromium for the end-to-end tests.

use std::env;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process;

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
    install()?;
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

fn install() -> Result<()> {
    let Some(prefix) = privilege().filter(|_| process::exists("apt-get")) else {
        bail!(
            "the end-to-end tests need Chromium: install it (on Debian: apt-get install chromium) or set CHROMIUM"
        );
    };
    println!("installing Chromium");
    for arguments in [
        &["update", "--quiet"][..],
        &["install", "--yes", "--no-install-recommends", "chromium"][..],
    ] {
        let line: Vec<&str> = prefix
            .iter()
            .chain(&["apt-get"])
            .chain(arguments)
            .copied()
            .collect();
        process::run(
            Command::new(line[0])
                .args(&line[1..])
                .env("DEBIAN_FRONTEND", "noninteractive"),
        )?;
    }
    Ok(())
}

/// What to write before a command that only the administrator may run; nothing if this user may not become that.
fn privilege() -> Option<&'static [&'static str]> {
    let is_root = process::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if is_root {
        return Some(&[]);
    }
    let may = process::exists("sudo")
        && process::output(Command::new("sudo").args(["--non-interactive", "true"])).is_ok();
    may.then_some(&["sudo", "--non-interactive"])
}
