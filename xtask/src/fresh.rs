//! The README's two commands on a fresh clone, timed: nothing is built, nothing is installed in the folder.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use anyhow::{Context as _, Result, bail};
use clap::Args;

use crate::process as programs;
use crate::workspace;

/// Between two looks whether the page is there.
const PERIOD: Duration = Duration::from_millis(250);

/// What a fresh clone is timed with.
#[derive(Args)]
pub(crate) struct Options {
    /// The second command, `cargo xtask test`, instead of the first, `cargo xtask serve`
    #[arg(long)]
    test: bool,
    /// The port that the page is served on
    #[arg(long, default_value_t = 8341)]
    port: u16,
}

/// A clone of what is committed here, which is removed in the end.
struct Clone {
    folder: PathBuf,
}

impl Clone {
    fn new() -> Result<Self> {
        let folder = env::temp_dir().join(format!("lanescope-fresh-{}", process::id()));
        let clone = Self { folder };
        programs::run(
            programs::command("git")
                .args(["clone", "--quiet", "--no-hardlinks"])
                .arg(workspace::root())
                .arg(&clone.folder),
        )?;
        Ok(clone)
    }

    /// A task of the clone's own.
    fn task(&self, words: &[&str]) -> Command {
        let mut cargo = programs::cargo(&["xtask"]);
        cargo
            .args(words)
            .current_dir(&self.folder)
            .env_remove("CARGO_TARGET_DIR");
        cargo
    }
}

impl Drop for Clone {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Times one of the two commands and prints the seconds. What cargo and npm have downloaded before is used.
///
/// # Errors
/// When the command fails.
pub(crate) fn time(options: &Options) -> Result<()> {
    let clone = Clone::new()?;
    if options.test {
        let started = Instant::now();
        programs::run(&mut clone.task(&["test"]))?;
        println!(
            "`cargo xtask test` ends after {} s",
            started.elapsed().as_secs()
        );
        return Ok(());
    }
    let started = Instant::now();
    let port = options.port.to_string();
    let mut server = clone.task(&["serve", "--port", &port]).spawn()?;
    let shown = wait(&mut server, options.port, "/", started);
    let whole = shown.and_then(|shown| {
        println!("`cargo xtask serve` shows the page after {shown} s");
        wait(&mut server, options.port, "/gallery/", started)
    });
    let _ = server.kill();
    let _ = server.wait();
    println!("and all that stands beside it after {} s", whole?);
    Ok(())
}

/// Seconds from `started` until the server answers with the page at `path`.
fn wait(server: &mut Child, port: u16, path: &str, started: Instant) -> Result<u64> {
    loop {
        if let Some(status) = server.try_wait()? {
            bail!("`cargo xtask serve` ended early ({status})");
        }
        if is_there(port, path).unwrap_or(false) {
            return Ok(started.elapsed().as_secs());
        }
        thread::sleep(PERIOD);
    }
}

fn is_there(port: u16, path: &str) -> Result<bool> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    )?;
    let mut head = [0; 12];
    stream.read_exact(&mut head).context("no answer")?;
    Ok(head == *b"HTTP/1.1 200")
}
