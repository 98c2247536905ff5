//! A run of another program: with a deadline, a process group of its own, and no more output than is wanted.

use crate::clock;
use anyhow::{Context as _, bail, ensure};
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long a program may take where the command line says nothing.
const PATIENCE: Duration = Duration::from_secs(300);

/// Between two looks at a program that runs.
const PERIOD: Duration = Duration::from_millis(10);

/// The most bytes that are kept of what a program prints.
const MOST_BYTES: u64 = 256 << 20;

/// What a program says of itself, at most.
const MOST_SAID_BYTES: u64 = 64 << 10;

/// How long the pipes of a program that has ended may stay open.
const LINGER: Duration = Duration::from_secs(1);

/// What came of a program.
pub(super) struct Ran {
    /// Whether it says that it did what it was asked.
    pub(super) is_success: bool,
    /// Standard output.
    pub(super) out: Vec<u8>,
    /// Standard error.
    pub(super) said: Vec<u8>,
}

/// Runs a program. It is ended, with all that it has started, after its time, on Ctrl-C and when it prints too much.
///
/// # Errors
/// When it cannot be started or was ended.
pub(super) fn run(command: &mut Command) -> anyhow::Result<Ran> {
    let limits = Limits {
        patience: PATIENCE,
        bytes: MOST_BYTES,
    };
    run_within(command, limits)
}

/// What a program may take.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) patience: Duration,
    /// Bytes of its standard output.
    pub(super) bytes: u64,
}

/// Runs a program as [`run`] does, within other limits, under the name of its file.
///
/// # Errors
/// When it cannot be started or was ended.
pub(super) fn run_within(command: &mut Command, limits: Limits) -> anyhow::Result<Ran> {
    let name = Path::new(command.get_program()).to_owned();
    let name = name.file_name().unwrap_or(name.as_os_str());
    let name = name.to_string_lossy().into_owned();
    run_named(command, &name, limits)
}

/// Runs a program as [`run_within`] does, under the name that people know it by.
///
/// # Errors
/// When it cannot be started or was ended.
pub(super) fn run_named(command: &mut Command, name: &str, limits: Limits) -> anyhow::Result<Ran> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    let _looking = clock::looking();
    let child = command
        .spawn()
        .with_context(|| format!("could not start {name}"))?;
    let mut group = Group::of(child);
    let out = kept(group.child.stdout.take(), limits.bytes);
    let said = kept(group.child.stderr.take(), MOST_SAID_BYTES);
    let started = Instant::now();
    let status = loop {
        if let Some(status) = group.child.try_wait()? {
            break status;
        }
        ensure!(
            !clock::is_over(),
            "{name} was stopped: it had not ended in time"
        );
        if started.elapsed() >= limits.patience {
            bail!(
                "{name} was stopped: it had not ended after {} s",
                limits.patience.as_secs_f64()
            );
        }
        if out.is_full() {
            bail!(
                "{name} was stopped: it printed more than {} bytes",
                limits.bytes
            );
        }
        thread::sleep(PERIOD);
    };
    // What it has started and left behind keeps its pipes open.
    drop(group);
    ended(name, status, out, &said, limits)
}

fn ended(
    name: &str,
    status: ExitStatus,
    out: Kept,
    said: &Kept,
    limits: Limits,
) -> anyhow::Result<Ran> {
    let (out, is_cut) = out.take();
    ensure!(!is_cut, "{name} printed more than {} bytes", limits.bytes);
    Ok(Ran {
        is_success: status.success(),
        out,
        said: said.take().0,
    })
}

/// A program and all that it starts.
struct Group {
    child: Child,
}

impl Group {
    fn of(child: Child) -> Self {
        clock::add_group(child.id());
        Self { child }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let leader = self.child.id();
        clock::kill_group(leader);
        let _ = self.child.kill();
        let _ = self.child.wait();
        clock::forget_group(leader);
    }
}

/// What another thread reads of a pipe.
struct Kept {
    read: Receiver<(Vec<u8>, bool)>,
    full: Receiver<()>,
}

impl Kept {
    /// Whether there is more than is kept.
    fn is_full(&self) -> bool {
        self.full.try_recv().is_ok()
    }

    /// What was read, and whether there was more.
    fn take(&self) -> (Vec<u8>, bool) {
        self.read.recv_timeout(LINGER).unwrap_or_default()
    }
}

/// Reads a pipe to its end, and keeps `most` bytes.
fn kept(pipe: Option<impl Read + Send + 'static>, most: u64) -> Kept {
    let ((sender, read), (tell, full)) = (channel(), channel());
    thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let mut bytes = Vec::new();
        let _ = pipe.by_ref().take(most).read_to_end(&mut bytes);
        let is_cut = pipe.read(&mut [0]).is_ok_and(|count| count > 0);
        if is_cut {
            let _ = tell.send(());
            let _ = std::io::copy(&mut pipe, &mut std::io::sink());
        }
        let _ = sender.send((bytes, is_cut));
    });
    Kept { read, full }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    const LIMITS: Limits = Limits {
        patience: Duration::from_millis(300),
        bytes: 1_000,
    };

    fn error(script: &str) -> String {
        let ran = run_within(&mut shell(script), LIMITS);
        ran.err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn what_a_program_prints_is_its_answer() {
        let ran = run(&mut shell("echo out; echo said >&2; exit 3")).expect("an end");
        assert_eq!(
            (ran.is_success, &*ran.out, &*ran.said),
            (false, &b"out\n"[..], &b"said\n"[..])
        );
    }

    #[test]
    fn a_program_that_spins_is_ended() {
        assert_eq!(
            error("while :; do :; done"),
            "sh was stopped: it had not ended after 0.3 s"
        );
    }

    #[test]
    fn a_program_that_prints_without_end_is_ended() {
        assert!(error("yes").contains("more than 1000 bytes"));
    }

    #[test]
    fn what_a_program_has_started_ends_with_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let pid = folder.path().join("pid");
        for script in [
            "sleep 1000 & echo $! > PID",
            "sleep 1000 & echo $! > PID; wait",
        ] {
            let script = script.replace("PID", &pid.to_string_lossy());
            let started = Instant::now();
            let _ = run_within(&mut shell(&script), LIMITS);
            assert!(started.elapsed() < Duration::from_secs(10));
            let child = std::fs::read_to_string(&pid).expect("a number");
            let child = child.trim();
            let ended = || {
                let state = std::fs::read_to_string(format!("/proc/{child}/stat"));
                state
                    .is_ok_and(|state| !state.contains(") Z"))
                    .then_some(())
            };
            let gone = (0..100).any(|_| {
                thread::sleep(PERIOD);
                ended().is_none()
            });
            assert!(gone, "{child} of {script:?} goes on");
        }
    }
}
