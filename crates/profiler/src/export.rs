//! An export: which page it is, and the kernels in it.

use crate::error::ProfilerError;
use crate::kernel::{KernelProfile, is_named, squeezed};
use crate::source::{self, Gathering};
use crate::table::{self, MOST_BYTES, Row, Rows, Title, title};
use crate::{details, printed, raw};
use csv::StringRecord;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Launches of one name that a joined page's launch is looked for among.
const MOST_LOOKED_AT: usize = 64;

/// A page of Nsight Compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// All metrics, a row for each launch.
    Raw,
    /// Sections, a row for each metric.
    Details,
    /// Instructions or source lines.
    Source(View),
    /// What is printed without `--csv`.
    Printed,
}

/// What a source page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// SASS with counters.
    Sass,
    /// Source and SASS with counters.
    SourceAndSass,
    /// PTX without counters.
    Ptx,
    /// Source without counters.
    Source,
}

/// Text that a source page holds whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceText {
    /// Its file; empty for PTX.
    pub file: String,
    /// Its lines.
    pub text: String,
}

/// What an export holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// Which page it is.
    pub page: Page,
    /// Launches, in the order of the report.
    pub kernels: Vec<KernelProfile>,
    /// Source or PTX, of pages that show it whole.
    pub texts: Vec<SourceText>,
}

/// Whether a text is an export, or a report that can be said to be one of another kind.
#[must_use]
pub fn detects(text: &str) -> bool {
    table::start(text).is_some() || !matches!(other(text), ProfilerError::NotAnExport)
}

/// Reads an export.
///
/// # Errors
/// When the text is none, or another kind of report.
pub fn read(text: &str) -> Result<Export, ProfilerError> {
    if text.len() > MOST_BYTES {
        return Err(ProfilerError::TooLarge {
            mebibytes: MOST_BYTES >> 20,
        });
    }
    let Some(mut rows) = Rows::of(text) else {
        return printed_export(text).ok_or_else(|| other(text));
    };
    let mut reader = Reader::default();
    while let Some(row) = rows.next(reader.joins()) {
        match title(&row.cells) {
            Some(title) => reader.title(title, &row.cells),
            None => reader.cells(&row),
        }
    }
    reader.export()
}

/// What is printed without `--csv`, where it has metrics by name.
fn printed_export(text: &str) -> Option<Export> {
    let mut kernels = printed::kernels(text);
    kernels.retain(|kernel| !kernel.metrics.is_empty());
    (!kernels.is_empty()).then(|| Export {
        page: Page::Printed,
        kernels,
        texts: Vec::new(),
    })
}

/// The longest beginning that is looked at for a report that cannot be read.
const BEGINNING: usize = 64 << 10;

/// What a text without a table is.
fn other(text: &str) -> ProfilerError {
    let end = (0..=BEGINNING.min(text.len()))
        .rev()
        .find(|end| text.is_char_boundary(*end));
    let head = text.get(..end.unwrap_or(0)).unwrap_or_default();
    let start = head.trim_start_matches('\u{feff}');
    if start.starts_with("NVR\0") {
        return ProfilerError::Binary;
    }
    if let Some(message) = head.lines().find_map(|line| line.strip_prefix("==ERROR==")) {
        return ProfilerError::Failed {
            message: message.trim().to_owned(),
        };
    }
    if head.contains("\"Launch Attribute\",\"Value\"")
        || head.contains("\"Session Attribute\",\"Value\"")
    {
        return ProfilerError::Session;
    }
    let is_printed = head.contains("Section: ") && head.contains("Metric Name")
        || head.contains("==PROF== ")
        || head.contains(", Context ") && head.contains(", Stream ") && head.contains(", CC ");
    match is_printed {
        true => ProfilerError::NotCsv,
        false => ProfilerError::NotAnExport,
    }
}

/// What the rows that are read belong to.
#[derive(Default)]
enum Table {
    #[default]
    None,
    Raw(raw::Columns),
    Details(details::Columns),
    Instructions,
    Lines,
}

#[derive(Default)]
struct Reader {
    table: Table,
    page: Option<Page>,
    kernels: Vec<KernelProfile>,
    gathering: Gathering,
    texts: Vec<SourceText>,
}

impl Reader {
    /// Whether a field of this table may run over lines.
    const fn joins(&self) -> bool {
        matches!(self.table, Table::Raw(_) | Table::Details(_))
    }

    fn title(&mut self, title: Title, row: &StringRecord) {
        let second = row.get(1).unwrap_or_default();
        match title {
            Title::Raw => {
                self.table = Table::Raw(raw::Columns::of(row));
                self.page.get_or_insert(Page::Raw);
            }
            Title::Details => {
                self.table = Table::Details(details::Columns::of(row));
                self.page.get_or_insert(Page::Details);
            }
            Title::Kernel | Title::Function => self.gathering.kernel(second),
            Title::FilePath => self.gathering.file(second),
            Title::FileName => {
                self.texts.push(SourceText {
                    file: second.to_owned(),
                    text: String::new(),
                });
                self.table = Table::Lines;
            }
            Title::Address | Title::Line => self.columns(row),
        }
    }

    fn columns(&mut self, row: &StringRecord) {
        match source::Columns::of(row) {
            Some(columns) => {
                self.gathering.titles(columns);
                self.table = Table::Instructions;
            }
            None => {
                if self.texts.last().is_none_or(|last| !last.text.is_empty()) {
                    self.texts.push(SourceText::default());
                }
                self.table = Table::Lines;
            }
        }
    }

    fn cells(&mut self, row: &Row<'_>) {
        match &mut self.table {
            Table::None => {}
            Table::Raw(columns) => self.kernels.extend(columns.row(&row.cells)),
            Table::Details(columns) => columns.row(&row.cells, &mut self.kernels),
            Table::Instructions => self.gathering.row(&row.cells),
            Table::Lines => {
                if let (Some(line), Some(last)) = (source_line(row.text), self.texts.last_mut()) {
                    last.text.push_str(line);
                    last.text.push('\n');
                }
            }
        }
    }

    fn export(self) -> Result<Export, ProfilerError> {
        let has_lines = self.gathering.has_lines();
        let mut kernels = self.kernels;
        let listed = self.gathering.kernels();
        let view = match self.texts.first() {
            _ if !listed.is_empty() && has_lines => View::SourceAndSass,
            _ if !listed.is_empty() => View::Sass,
            Some(text) if text.file.is_empty() => View::Ptx,
            Some(_) | None => View::Source,
        };
        kernels.extend(listed);
        if kernels.is_empty() && self.texts.iter().all(|text| text.text.is_empty()) {
            return Err(ProfilerError::NoKernel);
        }
        Ok(Export {
            page: self.page.unwrap_or(Page::Source(view)),
            kernels,
            texts: self.texts,
        })
    }
}

/// `text` of `"12","text"`, where quotes in the text are not doubled.
fn source_line(row: &str) -> Option<&str> {
    let (number, text) = match row.strip_prefix('"') {
        Some(quoted) => quoted.split_once("\",\"")?,
        None => row.split_once(',')?,
    };
    number.parse::<u32>().ok()?;
    Some(text.strip_suffix('"').unwrap_or(text))
}

impl Export {
    /// Joins another page of the same report: the nth launch of a name is the nth there.
    pub fn join(&mut self, other: Self) {
        let mut open: BTreeMap<String, VecDeque<usize>> = BTreeMap::new();
        for (at, kernel) in self.kernels.iter().enumerate() {
            open.entry(squeezed(&kernel.name))
                .or_default()
                .push_back(at);
        }
        for kernel in other.kernels {
            let launches = open.get_mut(&squeezed(&kernel.name));
            let own = launches.and_then(|launches| {
                let of = |at: &usize| self.kernels.get(*at).is_some_and(|own| own.agrees(&kernel));
                let first = launches.iter().take(MOST_LOOKED_AT).position(of)?;
                self.kernels.get_mut(launches.remove(first)?)
            });
            match own {
                Some(own) => own.take(kernel),
                None => self.kernels.push(kernel),
            }
        }
        self.texts.extend(other.texts);
    }

    /// The launch that is asked for by the kernel's name and its number among the launches of that name, from 1; what
    /// there is only one of need not be asked for.
    ///
    /// # Errors
    /// When there is none, or more than one.
    pub fn chosen(
        &self,
        name: Option<&str>,
        number: Option<usize>,
    ) -> Result<&KernelProfile, ProfilerError> {
        let wanted: Vec<&KernelProfile> = match name {
            Some(name) => {
                let found = self
                    .kernels
                    .iter()
                    .filter(|kernel| is_named(&kernel.name, name));
                found.collect()
            }
            None => self.kernels.iter().collect(),
        };
        let Some(first) = wanted.first() else {
            return Err(match name {
                Some(name) => ProfilerError::UnknownKernel {
                    name: name.to_owned(),
                    kernels: self.names(),
                },
                None => ProfilerError::NoKernel,
            });
        };
        if wanted.iter().any(|kernel| kernel.name != first.name) {
            return Err(ProfilerError::SeveralKernels {
                kernels: self.names(),
            });
        }
        let (name, launches) = (first.name.clone(), wanted.len());
        match number {
            None if launches > 1 => Err(ProfilerError::SeveralLaunches { name, launches }),
            None => Ok(first),
            Some(number) => {
                let one = number.checked_sub(1).and_then(|at| wanted.get(at));
                one.copied().ok_or(ProfilerError::NoSuchLaunch {
                    name,
                    number,
                    launches,
                })
            }
        }
    }

    /// The kernels' names, each once.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let names = self.kernels.iter().map(|kernel| &kernel.name);
        names.filter(|name| seen.insert(*name)).cloned().collect()
    }
}
