//! What cleans up where the server cannot any more: a shell that waits for the server to end, however that ends.

use std::path::Path;

/// Reads the leaders of process groups as they begin (0: none runs); at the end of its input, which comes with the end of
/// the server, it ends the last one and removes the folder.
#[cfg(unix)]
const SCRIPT: &str = "trap '' INT TERM HUP; group=0; while read -r line; do group=$line; done; \
     [ \"$group\" = 0 ] || kill -9 \"-$group\" 2>/dev/null; rm -rf -- \"$1\"";

/// Starts it; from then on it is told of each group.
///
/// # Errors
/// When there is no shell.
#[cfg(unix)]
pub(super) fn start(folder: &Path) -> anyhow::Result<()> {
    use anyhow::Context as _;
    use std::io::Write as _;
    use std::os::unix::process::CommandExt as _;
    use std::process::{Command, Stdio};
    let mut child = Command::new("/bin/sh")
        .args(["-c", SCRIPT, "sh"])
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .context("could not start /bin/sh")?;
    let mut stdin = child.stdin.take().context("no way to talk to /bin/sh")?;
    crate::clock::set_heir(Box::new(move |leader| {
        let _ = writeln!(stdin, "{leader}");
    }));
    Ok(())
}

/// Elsewhere nothing outlives the server: a forced end leaves its folder to the system's cleaning.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub(super) fn start(_folder: &Path) -> anyhow::Result<()> {
    Ok(())
}
