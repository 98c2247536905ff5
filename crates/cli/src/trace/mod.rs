//! `lanescope trace`: recorded lane addresses, a row each.

mod print;

use lanescope_model::Device;
use lanescope_trace::{Answer, Fault, Row, Trace, TraceError};

use crate::args::TraceArgs;
use crate::{input, output};
use std::process::ExitCode;

/// A trace with its answers.
struct Traced {
    device: &'static str,
    has_measured: bool,
    rows: Vec<(Row, Answer)>,
}

impl Traced {
    fn faults(&self) -> impl Iterator<Item = &Fault> {
        self.rows.iter().flat_map(|(row, _)| &row.faults)
    }
}

/// Answers every row that can be read, and names the others on standard error.
///
/// # Errors
/// When the file cannot be read or its first line does not name the columns.
pub(crate) fn run(args: &TraceArgs) -> anyhow::Result<ExitCode> {
    let name = input::name(&args.file);
    let text = input::text(&args.file)?;
    let traced = trace(&text, &args.device.choice.device)
        .map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
    for fault in traced.faults() {
        output::complain(&format!("{name}: {fault}"));
    }
    output::print(&print::print(&traced, args.format)?)?;
    let all_malformed = traced.rows.iter().all(|(row, _)| row.access.is_none());
    Ok(if all_malformed && !traced.rows.is_empty() {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// The answers to a trace as the command line's JSON.
///
/// # Errors
/// When its first line does not name the columns.
pub fn json(text: &str, device: &Device) -> anyhow::Result<String> {
    let traced = trace(text, device).map_err(|error| anyhow::anyhow!("{error}"))?;
    output::json(&print::Report::of(&traced))
}

fn trace(text: &str, device: &Device) -> Result<Traced, TraceError> {
    let mut trace = Trace::open(text)?;
    let mut rows = Vec::new();
    while let Some(row) = trace.next_row(device) {
        let answer = Answer::of(&row, device);
        rows.push((row, answer));
    }
    Ok(Traced {
        device: device.id(),
        has_measured: trace.has_measured(),
        rows,
    })
}
