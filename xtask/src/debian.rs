//! Packages of Debian that tests need and a fresh machine lacks.

use std::process::Command;

use anyhow::Result;

use crate::process;

/// Installs `package`; returns `false` where this is no Debian or this user may not.
///
/// # Errors
/// When apt-get fails.
pub(crate) fn install(package: &str) -> Result<bool> {
    let Some(prefix) = privilege().filter(|_| process::exists("apt-get")) else {
        return Ok(false);
    };
    println!("installing {package}");
    for arguments in [
        &["update", "--quiet"][..],
        &["install", "--yes", "--no-install-recommends", package][..],
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
    Ok(true)
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
