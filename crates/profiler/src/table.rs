//! Records of a CSV text, and where its tables begin.

use csv::{ReaderBuilder, StringRecord};

/// The most bytes that are read.
pub(crate) const MOST_BYTES: usize = 64 << 20;
/// The most bytes before the table, of the profiler and of the program.
const MOST_BEFORE: usize = 8 << 20;

/// What a table's first row says it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Title {
    /// `ID`, …, a column for each metric.
    Raw,
    /// `ID`, …, `Metric Name`, `Metric Unit`, `Metric Value`.
    Details,
    /// `Kernel Name`, name: a kernel of the source page.
    Kernel,
    /// `File Path`, path: a file of the page with source and SASS.
    FilePath,
    /// `Function Name`, name: a kernel in it.
    Function,
    /// `File Name`, path: a file of the page with source alone.
    FileName,
    /// `Address`, `Source`, …: the columns of SASS.
    Address,
    /// `Line No`, `Source`, …: the columns of source or PTX.
    Line,
}

/// What a row is the title of.
pub(crate) fn title(row: &StringRecord) -> Option<Title> {
    let has = |title: &str| row.iter().any(|cell| cell == title);
    let second = row.get(1).unwrap_or_default();
    match row.get(0)?.trim_start_matches('\u{feff}') {
        "ID" if has("Kernel Name") && has("Metric Name") => Some(Title::Details),
        "ID" if has("Kernel Name") => Some(Title::Raw),
        "Kernel Name" if !second.is_empty() => Some(Title::Kernel),
        "File Path" if !second.is_empty() => Some(Title::FilePath),
        "Function Name" if !second.is_empty() => Some(Title::Function),
        "File Name" if !second.is_empty() => Some(Title::FileName),
        "Address" if second == "Source" => Some(Title::Address),
        "Line No" if second == "Source" => Some(Title::Line),
        _ => None,
    }
}

/// The byte where the first table begins, and what separates its fields.
pub(crate) fn start(text: &str) -> Option<(usize, u8)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(separator) = separator(line) {
            return Some((at, separator));
        }
        at += line.len();
        if at > MOST_BEFORE {
            return None;
        }
    }
    None
}

/// What separates the fields of a line that is a title.
fn separator(line: &str) -> Option<u8> {
    let bare = line.trim_start_matches(['\u{feff}', '"']);
    let titles = [
        "ID",
        "Kernel Name",
        "File Path",
        "File Name",
        "Function Name",
        "Address",
        "Line No",
    ];
    titles.iter().find(|title| bare.starts_with(**title))?;
    [b',', b';', b'\t'].into_iter().find(|separator| {
        let mut records = reader(line, *separator).into_records();
        records
            .next()
            .and_then(Result::ok)
            .is_some_and(|row| title(&row).is_some())
    })
}

fn reader(text: &str, separator: u8) -> csv::Reader<&[u8]> {
    ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(separator)
        .buffer_capacity(text.len().clamp(64, 8 << 10))
        .from_reader(text.as_bytes())
}

/// A row, and the text that it was read from.
pub(crate) struct Row<'a> {
    /// Its cells.
    pub(crate) cells: StringRecord,
    /// Its line or lines.
    pub(crate) text: &'a str,
}

/// The most lines that a field in quotes may run over.
const MOST_JOINED: usize = 64;

/// Goes through the rows of a text from its first table on, without the profiler's own lines.
pub(crate) struct Rows<'a> {
    rest: &'a str,
    separator: u8,
}

impl<'a> Rows<'a> {
    /// The rows of a text that has a table.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        let (at, separator) = start(text)?;
        Some(Self {
            rest: text.get(at..)?,
            separator,
        })
    }

    /// The next row. Where fields may run over lines (`joins`), one does if its quotes say so; source text is printed with
    /// its own quotes as they are, and a row of it is a line.
    pub(crate) fn next(&mut self, joins: bool) -> Option<Row<'a>> {
        loop {
            let text = self.line(joins)?;
            if text.starts_with("==") || text.trim().is_empty() {
                continue;
            }
            let mut records = reader(text, self.separator).into_records();
            if let Some(Ok(cells)) = records.next() {
                return Some(Row { cells, text });
            }
        }
    }

    fn line(&mut self, joins: bool) -> Option<&'a str> {
        let (mut end, mut quotes, mut first) = (0, 0_usize, None);
        for line in self.rest.split_inclusive('\n').take(MOST_JOINED) {
            end += line.len();
            quotes += line.bytes().filter(|byte| *byte == b'"').count();
            first = first.or(Some(end));
            if !joins || quotes % 2 == 0 {
                break;
            }
        }
        // A quote that nothing closes is its line's alone.
        let end = if quotes % 2 == 0 { end } else { first? };
        let (line, rest) = self.rest.split_at_checked(end).filter(|_| end > 0)?;
        self.rest = rest;
        Some(line.trim_end_matches(['\n', '\r']))
    }
}

/// Where a title stands in a row.
pub(crate) fn column(row: &StringRecord, title: &str) -> Option<usize> {
    row.iter()
        .position(|cell| cell.trim_start_matches('\u{feff}') == title)
}
