//! What goes to standard output.

use crate::clean::{self, Cleaner};
use crate::clock;
use anyhow::Context as _;
use lanescope_query::Analysis;
use lanescope_tally::Status;
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file that the answer goes to, once something is written opened.
struct Target {
    path: PathBuf,
    file: Option<File>,
}

/// Where the answer goes; without it to standard output.
static TARGET: Mutex<Option<Target>> = Mutex::new(None);

fn target() -> MutexGuard<'static, Option<Target>> {
    TARGET.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sends the answer of the command that begins to the file at `path`, or to standard output.
pub(crate) fn begin(path: Option<&Path>) {
    *target() = path.map(|path| Target {
        path: path.to_owned(),
        file: None,
    });
}

/// Whether the answer goes to a terminal.
pub(crate) fn is_terminal() -> bool {
    target().is_none() && io::stdout().is_terminal()
}

/// What the answer is written to.
fn sink() -> anyhow::Result<Box<dyn io::Write>> {
    let mut target = target();
    let Some(Target { path, file }) = &mut *target else {
        return Ok(Box::new(io::stdout().lock()));
    };
    let named = || format!("cannot write {}", path.display());
    let opened = match file.take() {
        Some(opened) => opened,
        None => File::create(path.as_path()).with_context(named)?,
    };
    let own = opened.try_clone().with_context(named)?;
    *file = Some(opened);
    Ok(Box::new(own))
}

/// Prints `text` as the answer, with nothing in it that a terminal obeys; a reader that has gone away is no error.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    bytes(clean::text(text).as_bytes())
}

/// The same for what is no text.
pub(crate) fn bytes(bytes: &[u8]) -> anyhow::Result<()> {
    clock::prints();
    let mut out = sink()?;
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Writes with `write` to standard output as it goes, with nothing in it that a terminal obeys; a reader that has gone
/// away is no error.
pub(crate) fn stream(
    write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>,
) -> anyhow::Result<()> {
    let mut out = Cleaner::new(io::BufWriter::new(sink()?));
    match write(&mut out).and_then(|()| out.finish()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// `value` as indented JSON and a line feed.
pub(crate) fn json(value: &impl serde::Serialize) -> anyhow::Result<String> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.push('\n');
    Ok(clean::json(text))
}

/// Prints `text` on standard error, where nobody may be listening; not of a task, whose answer says it.
pub(crate) fn complain(text: &str) {
    if clock::is_task() {
        return;
    }
    let _ = writeln!(io::stderr(), "{}", clean::text(text));
}

/// The exit status of an answer that is not fully counted.
const PARTIAL: u8 = 3;

/// Success when there is an answer; another status when it is not fully counted, and another when there is none.
pub(crate) fn exit_code(analysis: &Analysis) -> ExitCode {
    if !analysis.is_answered() {
        return ExitCode::FAILURE;
    }
    exit_code_of(analysis.standing.status)
}

/// The exit status of an answer that leaves out what it could not read.
pub(crate) fn partial() -> ExitCode {
    ExitCode::from(PARTIAL)
}

/// Success when counted or counted under named assumptions.
pub(crate) fn exit_code_of(status: Status) -> ExitCode {
    match status {
        Status::Counted | Status::Predicted | Status::Assumed => ExitCode::SUCCESS,
        Status::Partial => ExitCode::from(PARTIAL),
    }
}
