//! `lanescope trace`: recorded lane addresses, a row each.

mod decoder;
mod print;
mod stream;

use lanescope_model::Device;
use lanescope_report::{MOST_FAULTS, Sum, Traced};
use lanescope_trace::{Answer, Row};

use crate::args::trace::TraceArgs;
use crate::{clock, input, output};
use anyhow::Context as _;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::PathBuf;
use std::process::ExitCode;
use stream::Stream;

/// Where a trace stands that is read more than once.
enum Place {
    File(PathBuf),
    /// What can be read only once is kept.
    Bytes(Vec<u8>),
}

impl Place {
    fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match self {
            Self::File(path) => Box::new(File::open(path)?),
            Self::Bytes(bytes) => Box::new(Cursor::new(bytes)),
        })
    }
}

/// A trace, whose rows are read and answered as often as they are asked for: none is kept.
struct Recorded<'a> {
    device: &'a Device,
    place: Place,
    has_measured: bool,
    /// Whether rows may be asynchronous copies.
    has_sources: bool,
    /// What went wrong while rows were read.
    failure: RefCell<Option<anyhow::Error>>,
}

impl<'a> Recorded<'a> {
    /// # Errors
    /// When it cannot be read or its first line does not name the columns.
    fn open(place: Place, device: &'a Device) -> anyhow::Result<Self> {
        let (has_measured, has_sources) = {
            let stream = Stream::open(place.open()?)?;
            let trace = stream.trace();
            (trace.has_measured(), trace.has_sources())
        };
        Ok(Self {
            device,
            place,
            has_measured,
            has_sources,
            failure: RefCell::default(),
        })
    }

    fn unless_failed<T>(&self, read: anyhow::Result<T>) -> Option<T> {
        let failed = |error| {
            self.failure.borrow_mut().get_or_insert(error);
        };
        read.map_err(failed).ok()
    }

    /// # Errors
    /// When rows could not be read since it was opened.
    fn check(&self) -> anyhow::Result<()> {
        self.failure.take().map_or(Ok(()), Err)
    }
}

impl Traced for Recorded<'_> {
    fn device(&self) -> &Device {
        self.device
    }

    fn has_measured(&self) -> bool {
        self.has_measured
    }

    fn rows(&self) -> Box<dyn Iterator<Item = (Row, Answer)> + '_> {
        let opened = self.place.open().map_err(anyhow::Error::from);
        let mut stream = self.unless_failed(opened.and_then(Stream::open));
        Box::new(std::iter::from_fn(move || {
            let row = stream.as_mut()?.next_row(self.device);
            let row = self.unless_failed(row.map_err(anyhow::Error::from))??;
            let answer = Answer::of(&row, self.device);
            Some((row, answer))
        }))
    }
}

/// Answers every row that can be read, and names the others on standard error.
///
/// # Errors
/// When the file cannot be read or its first line does not name the columns.
pub(crate) fn run(args: &TraceArgs) -> anyhow::Result<ExitCode> {
    let name = input::name(&args.file);
    let place = if args.file.is_file() {
        Place::File(args.file.clone())
    } else {
        Place::Bytes(input::bytes(&args.file)?)
    };
    let device = args.device.choice().device;
    let opened = Recorded::open(place, &device);
    let traced = opened.map_err(|error| anyhow::anyhow!("{name}: {error}"))?;
    let mut sum = Sum::default();
    let mut frame = print::frame(&traced);
    for (row, answer) in traced.rows() {
        // A sum of a part of the rows would be taken for that of all.
        anyhow::ensure!(
            !clock::is_over(),
            "{name}: stopped at row {}: its time was up",
            row.number
        );
        let named = sum.faults;
        sum.add(&row, &answer);
        for fault in row.faults.iter().take(MOST_FAULTS.saturating_sub(named)) {
            output::complain(&format!("{name}: {fault}"));
        }
        frame.widen(&print::cells(&traced, &row, &answer));
    }
    traced
        .check()
        .with_context(|| format!("cannot read {name}"))?;
    if sum.faults > MOST_FAULTS {
        let more = sum.faults - MOST_FAULTS;
        output::complain(&format!("{name}: {more} more like these"));
    }
    output::stream(|out| print::print(&traced, &sum, &frame, args.format, out))?;
    traced
        .check()
        .with_context(|| format!("cannot read {name}"))?;
    Ok(if sum.readable == 0 && sum.rows > 0 {
        ExitCode::FAILURE
    } else if sum.malformed > 0 {
        output::partial()
    } else {
        ExitCode::SUCCESS
    })
}
