//! Running other programs.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::tally::Tally;
use crate::workspace;

/// A command that runs in the repository's top folder.
pub(crate) fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(workspace::root());
    command
}

/// [`command`], of a program at a place.
pub(crate) fn command_at(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.current_dir(workspace::root());
    command
}

/// The cargo that runs this task.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    command.args(arguments);
    // What `cargo run` told this process about xtask is not for the crates it builds.
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_package_variable(name)) {
        command.env_remove(name);
    }
    command
}

fn is_package_variable(name: &OsStr) -> bool {
    name.to_str()
        .is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"))
}

/// Runs to the end, with its output on the terminal.
///
/// # Errors
/// When it cannot be started or ends with a failure.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("could not start {}", name(command)))?;
    if !status.success() {
        bail!("{} failed ({status})", line(command));
    }
    Ok(())
}

/// The command line at `path`, else the release build of this tree, which is brought up to date.
///
/// # Errors
/// When it is not there, or cannot be built.
pub(crate) fn command_line(path: Option<&Path>) -> Result<PathBuf> {
    let Some(path) = path else {
        let build = ["build", "--quiet", "--release", "-p", "lanescope"];
        run(&mut cargo(&build))?;
        return Ok(workspace::target().join("release/lanescope"));
    };
    if !path.is_file() {
        bail!("{} is no file: name a build of lanescope", path.display());
    }
    Ok(std::path::absolute(path)?)
}

/// Runs it without input for no longer than `limit`; `None` where that ended it.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn output_within(command: &mut Command, limit: Duration) -> Result<Option<Output>> {
    let started = Instant::now();
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command
        .spawn()
        .with_context(|| format!("could not start {}", name(command)))?;
    let (out, err) = (drained(child.stdout.take()), drained(child.stderr.take()));
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if started.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        thread::sleep(Duration::from_millis(2));
    };
    let output = |status| Output {
        status,
        stdout: out.join().unwrap_or_default(),
        stderr: err.join().unwrap_or_default(),
    };
    Ok(status.map(output))
}

/// Reads a pipe to its end, beside what else is done.
fn drained(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Runs to the end, with its output on the terminal, and adds up the results that its lines tell.
///
/// A failure that no line told of counts as one.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn tally(command: &mut Command) -> Result<Tally> {
    tally_lines(command, |line| println!("{line}"))
}

/// As [`tally`], without showing the lines.
///
/// # Errors
/// When it cannot be started.
pub(crate) fn tally_quietly(command: &mut Command) -> Result<Tally> {
    tally_lines(command, |_| {})
}

fn tally_lines(command: &mut Command, show: impl Fn(&str)) -> Result<Tally> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("could not start {}", name(command)))?;
    let mut tally = Tally::default();
    let output = child.stdout.take().into_iter();
    for line in output.flat_map(|output| BufReader::new(output).lines()) {
        let line = line?;
        show(&line);
        if let Some(part) = Tally::read(&line) {
            tally += part;
        }
    }
    Ok(tally.ended(child.wait()?.success()))
}

/// Runs to the end and returns what it wrote to its standard output.
///
/// # Errors
/// When it cannot be started or ends with a failure.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("could not start {}", name(command)))?;
    if !output.status.success() {
        bail!("{} failed ({})", line(command), output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether a program of this name can be run.
pub(crate) fn exists(program: &str) -> bool {
    let probe = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    probe.is_ok_and(|status| status.success())
}

fn name(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

fn line(command: &Command) -> String {
    let arguments = command.get_args().map(OsStr::to_string_lossy);
    std::iter::once(command.get_program().to_string_lossy())
        .chain(arguments)
        .collect::<Vec<_>>()
        .join(" ")
}
