//! The details page: a row for each metric of each launch.
//!
//! Its sections print metrics by label; by name are those that were asked for on the command line, and all of them with
//! `--print-metric-name name`.

use crate::kernel::KernelProfile;
use crate::number::value;
use crate::raw::LaunchColumns;
use crate::table::column;
use csv::StringRecord;

/// The columns of a details page.
pub(crate) struct Columns {
    launch: LaunchColumns,
    name: Option<usize>,
    unit: Option<usize>,
    value: Option<usize>,
}

impl Columns {
    /// The columns of a title row.
    pub(crate) fn of(titles: &StringRecord) -> Self {
        Self {
            launch: LaunchColumns::of(titles),
            name: column(titles, "Metric Name"),
            unit: column(titles, "Metric Unit"),
            value: column(titles, "Metric Value"),
        }
    }

    /// A row: one metric of a launch, which may be the one before.
    pub(crate) fn row(&self, row: &StringRecord, kernels: &mut Vec<KernelProfile>) {
        let Some(launch) = self.launch.launch(row) else {
            return;
        };
        let is_new = kernels
            .last()
            .is_none_or(|last| (last.id, &last.name) != (launch.id, &launch.name));
        if is_new {
            kernels.push(launch);
        }
        let cell = |at: Option<usize>| at.and_then(|at| row.get(at)).unwrap_or_default();
        let name = cell(self.name).trim();
        if let Some(value) =
            value(cell(self.value), cell(self.unit)).filter(|_| name.contains("__"))
            && let Some(kernel) = kernels.last_mut()
        {
            kernel.metrics.insert(name.to_owned(), value);
        }
    }
}
