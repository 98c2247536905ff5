//! What goes to standard output.

use crate::clean::{self, Cleaner};
use crate::clock;
use lanescope_query::Analysis;
use lanescope_tally::Status;
use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;

/// Prints `text`, with nothing in it that a terminal obeys; a reader that has gone away is no error.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    bytes(clean::text(text).as_bytes())
}

/// The same for what is no text.
pub(crate) fn bytes(bytes: &[u8]) -> anyhow::Result<()> {
    clock::prints();
    let mut out = io::stdout().lock();
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
    let mut out = Cleaner::new(io::BufWriter::new(io::stdout().lock()));
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
