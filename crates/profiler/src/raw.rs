//! The raw page: a row for each launch, a column for each metric, units in the row behind the titles.

use crate::kernel::KernelProfile;
use crate::number::value;
use crate::table::column;
use csv::StringRecord;

/// The columns of a raw page.
pub(crate) struct Columns {
    titles: Vec<String>,
    units: Vec<String>,
    launch: LaunchColumns,
}

/// Where the raw and the details page say what was launched.
#[derive(Clone, Copy)]
pub(crate) struct LaunchColumns {
    id: Option<usize>,
    name: Option<usize>,
    block: Option<usize>,
    grid: Option<usize>,
    capability: Option<usize>,
}

impl LaunchColumns {
    /// The columns of a title row.
    pub(crate) fn of(titles: &StringRecord) -> Self {
        Self {
            id: column(titles, "ID"),
            name: column(titles, "Kernel Name"),
            block: column(titles, "Block Size"),
            grid: column(titles, "Grid Size"),
            capability: column(titles, "CC"),
        }
    }

    /// The launch of a row, without metrics; `None` of a row of units.
    pub(crate) fn launch(&self, row: &StringRecord) -> Option<KernelProfile> {
        let cell = |at: Option<usize>| at.and_then(|at| row.get(at)).map(str::trim);
        let name = cell(self.name).filter(|name| !name.is_empty())?;
        Some(KernelProfile {
            name: name.to_owned(),
            id: cell(self.id).and_then(|id| id.parse().ok()),
            grid: cell(self.grid).and_then(extent),
            block: cell(self.block).and_then(extent),
            compute_capability: cell(self.capability).and_then(capability),
            ..KernelProfile::default()
        })
    }
}

impl Columns {
    /// The columns of a title row.
    pub(crate) fn of(titles: &StringRecord) -> Self {
        Self {
            titles: titles.iter().map(str::to_owned).collect(),
            units: Vec::new(),
            launch: LaunchColumns::of(titles),
        }
    }

    /// A row: the units, or a launch.
    pub(crate) fn row(&mut self, row: &StringRecord) -> Option<KernelProfile> {
        let Some(mut kernel) = self.launch.launch(row) else {
            self.units = row.iter().map(str::to_owned).collect();
            return None;
        };
        for (at, (title, cell)) in self.titles.iter().zip(row.iter()).enumerate() {
            let unit = self.units.get(at).map_or("", String::as_str);
            if let Some(value) = value(cell, unit).filter(|_| title.contains('_')) {
                kernel.metrics.insert(title.clone(), value);
            }
        }
        Some(kernel)
    }
}

/// `(32, 8, 1)`.
fn extent(cell: &str) -> Option<[u32; 3]> {
    let inner = cell.strip_prefix('(')?.strip_suffix(')')?;
    let mut extent = [1; 3];
    let mut parts = inner.split(',');
    for slot in &mut extent {
        *slot = parts.next()?.trim().parse().ok()?;
    }
    parts.next().is_none().then_some(extent)
}

/// `9.0`.
fn capability(cell: &str) -> Option<(u32, u32)> {
    let (major, minor) = cell.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}
