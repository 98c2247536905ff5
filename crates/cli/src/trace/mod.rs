//! `lanescope trace`: recorded lane addresses, a row each.

mod answer;
mod columns;
mod fault;
mod print;
mod records;
mod row;

use answer::Answer;
use columns::Columns;
use fault::Fault;
use records::{Record, records};
use row::{Measured, Row, RowReader};

use crate::args::TraceArgs;
use crate::{input, output};
use std::process::ExitCode;

/// A trace with its answers.
struct Traced {
    device: &'static str,
    has_measured: bool,
    rows: Vec<(Row, Answer)>,
    faults: Vec<Fault>,
}

/// Answers every row that can be read, and names the others on standard error.
///
/// # Errors
/// When the file cannot be read or its first line does not name the columns.
pub(crate) fn run(args: &TraceArgs) -> anyhow::Result<ExitCode> {
    let name = input::name(&args.file);
    let text = input::text(&args.file)?
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    let traced = trace(&text, args).map_err(|message| anyhow::anyhow!("{name}: {message}"))?;
    for fault in &traced.faults {
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

fn trace(text: &str, args: &TraceArgs) -> Result<Traced, String> {
    let records = records(text);
    let Some((header, records)) = records.split_first() else {
        return Err("the file is empty; its first line must name the columns".to_owned());
    };
    let columns = Columns::read(&header.fields)?;
    let mut reader = RowReader {
        columns: &columns,
        device: &args.device.choice.device,
        faults: Vec::new(),
    };
    let answered = records.iter().enumerate().map(|(index, record)| {
        let row = reader.read(index + 1, record);
        let answer = Answer::of(&row, &args.device.choice.device);
        (row, answer)
    });
    let rows = answered.collect();
    Ok(Traced {
        device: args.device.choice.device.id(),
        has_measured: columns.has_measured(),
        rows,
        faults: reader.faults,
    })
}
