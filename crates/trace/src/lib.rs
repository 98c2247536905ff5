//! Recorded lane addresses: a text with one instruction of one warp a row, read row by row.
//!
//! - A table (CSV) whose first line names the columns: `instruction`, `lane0` … `lane31` (byte
//!   offsets, blank for a lane that is off), and where they were measured `shared_wavefronts`,
//!   `shared_bank_conflicts` and `global_sectors`. Other columns are left out. Of an asynchronous
//!   copy (`cp.async.ca.4`, `cp.async.cg.16`) `lane0` … are offsets in shared memory, `source0` …
//!   `source31` those in global memory, and `l1tex_sectors` may hold the launch's total beside the
//!   source page's `global_sectors`.
//!   Semicolons or tabs may part the columns instead of commas.
//! - A table without titles: one warp a line, its lanes' offsets parted by commas or blanks, the
//!   instruction before them where it is not `ld.shared.b32`.
//! - A table with one lane a row: columns `lane` and `addr` (or `address`), and where they are there `warp`, `block`, `pc`,
//!   `instruction`, `space`, `bytes`; the rows of a warp that follow each other are one request, until a lane comes again.
//! - JSON: a list of rows, or one row after another; a row is an object with the columns' names
//!   (or `lanes`, a list of offsets) or just the list.
//! - What NVBit's `mem_trace` prints, and a kernel's trace of Accel-Sim (`.traceg`): the lines that access memory,
//!   with absolute addresses and SASS names.
//!
//! A row that cannot be read is named by line and column, and the next one is read.
//!
//! ```
//! use lanescope_trace::{Answer, Trace};
//! use lanescope_model::Device;
//!
//! let device = <&Device>::default();
//! let mut trace = Trace::open("instruction,lane0,lane1\nld.shared.b32,0,128\n").unwrap();
//! let row = trace.next_row(device).unwrap();
//! let answer = Answer::of(&row, device);
//! assert_eq!(answer.shared().map(|counts| counts.ways), Some(2));
//! assert!(trace.next_row(device).is_none());
//! ```

mod answer;
mod columns;
mod fault;
mod instruction;
mod json;
mod lanes;
mod machine;
mod profiler;
mod recorder;
mod records;
mod row;
mod totals;

pub use answer::Answer;
pub use fault::{Fault, FaultKind, JsonExpected, TraceError};
pub use instruction::Instruction;
pub use profiler::is_export;
pub use row::{Access, Measured, Row};
pub use totals::{Entry, Totals};

use columns::Columns;
use lanes::LaneColumns;
use lanescope_model::{Device, MAX_LANES};
use recorder::Recorder;
use records::Record;
use std::sync::Arc;

/// A recorded trace, and how far it has been read.
#[derive(Clone, Debug)]
pub struct Trace {
    text: Arc<str>,
    form: Form,
    columns: Columns,
    /// What parts the fields of a table.
    separator: char,
    next: Mark,
}

/// How a trace is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A table with titles.
    Titled,
    /// A table without.
    Bare,
    /// A table with one lane a row.
    Lanes(LaneColumns),
    Json {
        /// Whether all rows stand in one list.
        is_list: bool,
    },
    /// Lines of a recorder, among others.
    Recorded(Recorder),
}

/// Where a row begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    byte: usize,
    line: usize,
    /// Characters before it on its line; JSON alone counts them.
    character: usize,
    row: usize,
}

impl Trace {
    /// Begins to read.
    ///
    /// # Errors
    /// When the text is empty, is a profiler's export, or its first line does not name the columns.
    pub fn open(text: impl Into<Arc<str>>) -> Result<Self, TraceError> {
        let text = text.into();
        if text.contains('\r') {
            return Self::begin(text.replace("\r\n", "\n").replace('\r', "\n").into());
        }
        Self::begin(text)
    }

    fn begin(text: Arc<str>) -> Result<Self, TraceError> {
        let start = Mark {
            byte: 0,
            line: 1,
            character: 0,
            row: 1,
        };
        if text.trim_start().starts_with(['[', '{']) {
            let (byte, is_list) = json::first(&text);
            return Ok(Self {
                form: Form::Json { is_list },
                columns: Columns::of_objects(),
                separator: ',',
                next: advanced(&text, start, byte),
                text,
            });
        }
        if let Some(recorder) = Recorder::of(&text) {
            return Ok(Self {
                form: Form::Recorded(recorder),
                columns: Columns::recorded(),
                separator: ' ',
                next: start,
                text,
            });
        }
        let is_export = |error: &TraceError| {
            matches!(error, TraceError::NoInstruction | TraceError::NoLanes)
                && profiler::is_export(&text)
        };
        Self::table(Arc::clone(&text), start).map_err(|error| match is_export(&error) {
            true => TraceError::Profiler,
            false => error,
        })
    }

    fn table(text: Arc<str>, mut at: Mark) -> Result<Self, TraceError> {
        let mut separator = ',';
        let header = loop {
            if let Some((line, _)) = records::line(&text, at.byte) {
                separator = records::separator(line);
            }
            let Some((record, next, lines)) = records::record(&text, at.byte, separator, None)
            else {
                return Err(TraceError::Empty);
            };
            if !is_blank(&text, at.byte) {
                break (record, next, lines);
            }
            (at.byte, at.line) = (next, at.line + lines);
        };
        let (record, next, lines) = header;
        let (line, _) = records::line(&text, at.byte).unwrap_or_default();
        if is_bare(&bare_fields(line)) {
            return Ok(Self {
                form: Form::Bare,
                columns: Columns::bare(MAX_LANES),
                separator,
                next: at,
                text,
            });
        }
        let (form, columns) = match LaneColumns::of(&record.fields) {
            Some(lanes) => (Form::Lanes(lanes), Columns::recorded()),
            None => (Form::Titled, Columns::read(&record.fields)?),
        };
        Ok(Self {
            form,
            columns,
            separator,
            next: Mark {
                byte: next,
                line: at.line + lines,
                character: 0,
                row: 1,
            },
            text,
        })
    }

    /// The next row, as a warp of `device` would ask for it; `None` at the end.
    pub fn next_row(&mut self, device: &Device) -> Option<Row> {
        let (record, mark, next) = self.record(self.next)?;
        self.next = next;
        Some(self.read(&record, mark, device))
    }

    /// Where the next row begins, or blank lines before it.
    #[must_use]
    pub const fn mark(&self) -> Mark {
        self.next
    }

    /// The same trace, about to read the row at `mark`; the text is shared.
    #[must_use]
    pub fn clone_at(&self, mark: Mark) -> Self {
        Self {
            next: mark,
            ..self.clone()
        }
    }

    /// Whether the row that was read last would be the same if `rest` were longer than it is: a request of one lane a row
    /// ends with the line after it.
    #[must_use]
    pub fn has_ended_row(&self) -> bool {
        match self.form {
            Form::Lanes(_) => self.rest().contains('\n'),
            Form::Titled | Form::Bare | Form::Json { .. } | Form::Recorded(_) => {
                !self.rest().is_empty()
            }
        }
    }

    /// The text that follows the rows read so far.
    #[must_use]
    pub fn rest(&self) -> &str {
        self.text.get(self.next.byte..).unwrap_or("")
    }

    /// Bytes of the text from `mark` on.
    #[must_use]
    pub fn held_from(&self, mark: Mark) -> usize {
        self.text.len().saturating_sub(mark.byte)
    }

    /// Goes on from the row at `mark` in a text that comes in pieces: what stands before it is forgotten, `more` follows
    /// what is left. Line ends are line feeds.
    pub fn go_on(&mut self, mark: Mark, more: &str) {
        let rest = self.text.get(mark.byte..).unwrap_or("");
        self.text = [rest, more].concat().into();
        self.next = Mark { byte: 0, ..mark };
    }

    /// Bytes read so far, and all.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        (self.next.byte, self.text.len())
    }

    /// Whether any hardware counter can stand beside the offsets.
    #[must_use]
    pub const fn has_measured(&self) -> bool {
        self.columns.has_measured()
    }

    /// Whether a row may be an asynchronous copy, which has offsets to read from too.
    #[must_use]
    pub fn has_sources(&self) -> bool {
        match self.form {
            Form::Titled => self.columns.sources.iter().any(Option::is_some),
            Form::Json { .. } => json::has_sources(&self.text),
            Form::Bare | Form::Lanes(_) | Form::Recorded(_) => false,
        }
    }

    fn read(&self, record: &Record, mark: Mark, device: &Device) -> Row {
        let is_whole = self.form == Form::Titled;
        row::row(mark.row, record, &self.columns, device, is_whole)
    }

    /// The record at `mark` or after the blank lines there, where it is, and where the next is.
    fn record(&self, mut mark: Mark) -> Option<(Record, Mark, Mark)> {
        if let Form::Json { is_list } = self.form {
            return self.json_record(mark, is_list);
        }
        if let Form::Recorded(recorder) = self.form {
            return self.recorded(recorder, mark);
        }
        while is_blank(&self.text, mark.byte) {
            let (_, next) = records::line(&self.text, mark.byte)?;
            (mark.byte, mark.line) = (next, mark.line + 1);
        }
        let (mut record, byte, lines) = if self.form == Form::Bare {
            let (line, next) = records::line(&self.text, mark.byte)?;
            (bare_record(line), next, 1)
        } else if let Form::Lanes(lanes) = self.form {
            lanes.record(&self.text, mark.byte, self.separator)?
        } else {
            let columns = Some(self.columns.titles.len());
            records::record(&self.text, mark.byte, self.separator, columns)?
        };
        record.line = mark.line;
        let next = Mark {
            byte,
            line: mark.line + lines,
            character: 0,
            row: mark.row + 1,
        };
        Some((record, mark, next))
    }

    fn recorded(&self, recorder: Recorder, mut mark: Mark) -> Option<(Record, Mark, Mark)> {
        let (mut record, byte, lines) = recorder.record(&self.text, mark.byte)?;
        let next = Mark {
            byte,
            line: mark.line + lines,
            character: 0,
            row: mark.row + 1,
        };
        mark.line = next.line.saturating_sub(1);
        record.line = mark.line;
        Some((record, mark, next))
    }

    fn json_record(&self, mark: Mark, is_list: bool) -> Option<(Record, Mark, Mark)> {
        let at = json::next(&self.text, mark.byte, is_list, mark.row == 1);
        let (start, fault) = match at {
            json::Next::Row(start) => (start, None),
            json::Next::Fault(start, expected, end) => (start, Some((expected, end))),
            json::Next::End => return None,
        };
        let mark = advanced(&self.text, mark, start);
        let column = mark.character + 1;
        let (mut record, end) = match fault {
            Some((expected, end)) => (json::fault(expected, column, &self.columns), end),
            None => json::row(&self.text, start, column, &self.columns),
        };
        record.line = mark.line;
        let mut next = advanced(&self.text, mark, end);
        next.row += 1;
        Some((record, mark, next))
    }
}

/// `mark` moved on to `byte`, its lines counted.
fn advanced(text: &str, mark: Mark, byte: usize) -> Mark {
    let passed = text.get(mark.byte..byte).unwrap_or("");
    let last = passed.rfind('\n');
    let characters = passed.get(last.map_or(0, |end| end + 1)..).unwrap_or("");
    let before = if last.is_some() { 0 } else { mark.character };
    Mark {
        byte,
        line: mark.line + passed.matches('\n').count(),
        character: before + characters.chars().count(),
        row: mark.row,
    }
}

/// Whether there is a line at `byte`, and nothing on it.
fn is_blank(text: &str, byte: usize) -> bool {
    records::line(text, byte).is_some_and(|(line, _)| line.trim().is_empty())
}

/// The fields of a line without titles: parted by commas, semicolons or tabs, or else by blanks.
fn bare_fields(line: &str) -> Vec<String> {
    let separator = records::separator(line);
    if line.contains(separator) {
        records::fields(line, separator)
    } else {
        line.split_whitespace().map(str::to_owned).collect()
    }
}

/// A line without titles; where no instruction stands before the offsets, an empty one is put.
fn bare_record(line: &str) -> Record {
    let mut fields = bare_fields(line);
    let mut places = Vec::new();
    if fields.first().is_some_and(|first| is_offset(first)) {
        places = (0..=fields.len()).map(|place| (0, place.max(1))).collect();
        fields.insert(0, String::new());
    }
    Record {
        fields,
        places,
        ..Record::default()
    }
}

fn is_offset(field: &str) -> bool {
    field
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// Whether the fields are offsets, perhaps behind an instruction.
fn is_bare(fields: &[String]) -> bool {
    let first = fields.first();
    let named = first.is_some_and(|first| instruction::parse(first).is_some());
    let offsets = fields.get(usize::from(named)..).unwrap_or_default();
    let is_number = |offset: &String| !offset.is_empty();
    offsets.iter().any(is_number) && offsets.iter().all(|offset| is_offset(offset))
}
