//! `lanescope trace`: recorded lane addresses, a row each.

mod print;

use lanescope_model::Device;
use lanescope_trace::{Answer, Fault, Row, Trace};

use crate::args::TraceArgs;
use crate::{input, output};
use std::process::ExitCode;

/// The most faults that are named; of the rest their number is.
const MOST_FAULTS: usize = 100;

/// A trace, whose rows are read and answered as often as they are asked for: none is kept.
struct Traced<'a> {
    device: &'a Device,
    trace: Trace,
}

impl Traced<'_> {
    fn rows(&self) -> impl Iterator<Item = (Row, Answer)> {
        let mut trace = self.trace.clone();
        std::iter::from_fn(move || {
            let row = trace.next_row(self.device)?;
            let answer = Answer::of(&row, self.device);
            Some((row, answer))
        })
    }

    fn faults(&self) -> impl Iterator<Item = Fault> {
        self.rows().flat_map(|(row, _)| row.faults)
    }
}

/// What all rows come to.
#[derive(Default)]
struct Sum {
    rows: usize,
    readable: usize,
    faults: usize,
    compared: usize,
    agreeing: usize,
}

impl Sum {
    fn add(&mut self, row: &Row, answer: &Answer) {
        let agrees = answer.agrees(&row.measured);
        self.rows += 1;
        self.readable += usize::from(row.access.is_some());
        self.faults += row.faults.len();
        self.compared += usize::from(agrees.is_some());
        self.agreeing += usize::from(agrees == Some(true));
    }
}

/// Answers every row that can be read, and names the others on standard error.
///
/// # Errors
/// When the file cannot be read or its first line does not name the columns.
pub(crate) fn run(args: &TraceArgs) -> anyhow::Result<ExitCode> {
    let name = input::name(&args.file);
    let trace = Trace::open(input::text(&args.file)?);
    let traced = Traced {
        device: &args.device.choice.device,
        trace: trace.map_err(|error| anyhow::anyhow!("{name}: {error}"))?,
    };
    let mut sum = Sum::default();
    let mut frame = print::frame(&traced);
    for (row, answer) in traced.rows() {
        let named = sum.faults;
        sum.add(&row, &answer);
        for fault in row.faults.iter().take(MOST_FAULTS.saturating_sub(named)) {
            output::complain(&format!("{name}: {fault}"));
        }
        frame.widen(&print::cells(&traced, &row, &answer));
    }
    if sum.faults > MOST_FAULTS {
        let more = sum.faults - MOST_FAULTS;
        output::complain(&format!("{name}: {more} more like these"));
    }
    output::stream(|out| print::print(&traced, &sum, &frame, args.format, out))?;
    Ok(if sum.readable == 0 && sum.rows > 0 {
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
    let trace = Trace::open(text).map_err(|error| anyhow::anyhow!("{error}"))?;
    let traced = Traced { device, trace };
    let mut sum = Sum::default();
    for (row, answer) in traced.rows() {
        sum.add(&row, &answer);
    }
    output::json(&print::Report::of(&traced, &sum))
}
