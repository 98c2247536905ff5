//! A recorded trace, read a little at a time.

use lanescope_model::{Device, Space, Unknown};
use lanescope_share::{MAX_FRAGMENT_BYTES, MAX_TEXT_BYTES, Source, State, encode};
use lanescope_trace::{Answer, Entry, Fault, Mark, Row, Totals, Trace, TraceError};

use std::sync::Arc;

use super::inside::Picture;
use crate::export::Table;

/// Rows read between two looks at the clock.
const AT_ONCE: usize = 64;
/// How many faults are kept; all are counted.
const FAULTS: usize = 50;
/// A mark is kept for every so many rows.
const MARKED: usize = 256;

/// Whether a trace is short enough for links.
pub(crate) fn fits_link(text: &str) -> bool {
    let state = || State {
        source: Source::Trace(text.to_owned()),
        ..State::default()
    };
    // Room for the launch, the device and what is selected.
    text.len() <= MAX_TEXT_BYTES && encode(&state()).len() <= MAX_FRAGMENT_BYTES - 1_024
}

/// A trace that is being read, and what it comes to so far.
pub(crate) struct Reading {
    trace: Trace,
    device: Device,
    pub(crate) totals: Totals,
    pub(crate) faults: Vec<Fault>,
    pub(crate) fault_count: usize,
    marks: Vec<Mark>,
    names: Vec<String>,
    predicted: Vec<Predicted>,
    is_done: bool,
}

/// What a row of the exported table holds.
struct Predicted {
    name: usize,
    /// Wavefronts, conflicts, sectors.
    counts: [Option<u32>; 3],
}

impl Reading {
    /// Begins to read for `device`.
    ///
    /// # Errors
    /// When the text is no trace.
    pub(crate) fn begin(text: Arc<str>, device: &Device) -> Result<Self, TraceError> {
        Ok(Self {
            trace: Trace::open(text)?,
            device: device.clone(),
            totals: Totals::default(),
            faults: Vec::new(),
            fault_count: 0,
            marks: Vec::new(),
            names: Vec::new(),
            predicted: Vec::new(),
            is_done: false,
        })
    }

    /// Reads some rows; `false` when there are no more.
    pub(crate) fn step(&mut self) -> bool {
        for _ in 0..AT_ONCE {
            let mark = self.trace.mark();
            let Some(row) = self.trace.next_row(&self.device) else {
                self.is_done = true;
                return false;
            };
            self.take(&row, mark);
        }
        true
    }

    fn take(&mut self, row: &Row, mark: Mark) {
        let answer = Answer::of(row, &self.device);
        if self.totals.rows.is_multiple_of(MARKED) {
            self.marks.push(mark);
        }
        self.totals.add(row, mark, &answer);
        self.fault_count += row.faults.len();
        let room = FAULTS.saturating_sub(self.faults.len());
        self.faults.extend(row.faults.iter().take(room).cloned());
        let counts = [answer.wavefronts(), answer.conflicts(), answer.sectors()];
        let name = self.name(&row.name);
        self.predicted.push(Predicted { name, counts });
    }

    /// The number of an instruction's name; most rows have the name of the row before.
    fn name(&mut self, name: &str) -> usize {
        let known = self.names.iter().rposition(|other| other == name);
        known.unwrap_or_else(|| {
            // Names that are none (of rows that cannot be read) must not fill the memory.
            if self.names.len() < FAULTS {
                self.names.push(name.to_owned());
            }
            self.names.len().saturating_sub(1)
        })
    }

    /// Whether all is read.
    pub(crate) const fn is_done(&self) -> bool {
        self.is_done
    }

    /// Bytes read, and all.
    pub(crate) fn progress(&self) -> (usize, usize) {
        self.trace.progress()
    }

    /// The row with this number, from 1, if it has been read.
    pub(crate) fn row(&self, number: usize) -> Option<Row> {
        let index = number
            .checked_sub(1)
            .filter(|index| *index < self.totals.rows)?;
        let mut trace = self.trace.clone_at(*self.marks.get(index / MARKED)?);
        let before = index % MARKED;
        for _ in 0..before {
            trace.next_row(&self.device)?;
        }
        trace.next_row(&self.device)
    }

    /// What the row does, lane by lane; `None` for one that cannot be read, and for a copy.
    pub(crate) fn picture(&self, row: &Row) -> Option<Result<Picture, Unknown>> {
        let request = row.access.as_ref()?.request()?;
        Some(match request.space {
            Space::Shared => self.device.shared_report(&request).map(Picture::Banks),
            Space::Global => self.device.global_report(&request).map(Picture::Sectors),
        })
    }

    /// The row to look at when none is chosen: the worst, or the first that can be read.
    pub(crate) fn first_row(&self) -> usize {
        let worst = self.totals.worst();
        worst.first().map_or(1, |entry| entry.row)
    }

    /// The prediction for every row, as `lanescope trace --format csv` writes it.
    pub(crate) fn table(&self) -> Table {
        let cell = |count: Option<u32>| count.map_or_else(String::new, |count| count.to_string());
        let row = |(number, row): (usize, &Predicted)| {
            let [wavefronts, conflicts, sectors] = row.counts.map(cell);
            let name = self.names.get(row.name).cloned().unwrap_or_default();
            vec![
                (number + 1).to_string(),
                name,
                wavefronts,
                conflicts,
                sectors,
            ]
        };
        Table {
            columns: vec!["row", "instruction", "wavefronts", "conflicts", "sectors"],
            rows: self.predicted.iter().enumerate().map(row).collect(),
        }
    }
}

/// Predicted and measured, of the counter that differs.
pub(crate) fn difference(entry: &Entry) -> Option<(u64, u64)> {
    let (cost, measured) = (entry.cost, entry.measured);
    let pairs = match entry.space {
        Space::Shared => [
            (cost, measured.wavefronts),
            (cost.saturating_sub(entry.ideal), measured.conflicts),
        ],
        Space::Global => [(cost, measured.sectors), (cost, None)],
    };
    let mut counters = pairs
        .into_iter()
        .filter_map(|(predicted, measured)| Some((predicted, measured?)));
    counters.find(|(predicted, measured)| predicted != measured)
}
