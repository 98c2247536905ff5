//! The source page: instructions with counters, or text alone.
//!
//! ```text
//! sass      = { "Kernel Name", name; "Address", "Source", titles …; { address, instruction, cells … } }
//! cuda,sass = { "File Path", path; "Function Name", name; "Line No", "Source", "Address", "Source", titles …;
//!               { line, text, "-" … | "", "", address, instruction, cells … | "", "", "..." … } }
//! cuda      = { "File Name", path; "Line No", "Source"; { line, text } }
//! ptx       = "Line No", "Source"; { line, text }
//! ```
//!
//! Nsight Compute 2025.3 prints every kernel of the first and every instruction of the second twice.

use crate::kernel::{Access, Instruction, KernelProfile, Operation, Space};
use crate::number::{Value, value};
use csv::StringRecord;
use std::collections::{BTreeMap, BTreeSet};

/// A column as the page heads it: by a label where the report was collected by sections, by the metric's own name where
/// it was collected by `--metrics` alone.
struct Title {
    label: &'static str,
    metric: &'static str,
}

const EXECUTED: Title = Title {
    label: "Instructions Executed",
    metric: "inst_executed",
};
const ADDRESS_SPACE: Title = Title {
    label: "Address Space",
    metric: "memory_type",
};
const ACCESS_OPERATION: Title = Title {
    label: "Access Operation",
    metric: "memory_access_type",
};
const WAVEFRONTS: Title = Title {
    label: "L1 Wavefronts Shared",
    metric: "memory_l1_wavefronts_shared",
};
const IDEAL_WAVEFRONTS: Title = Title {
    label: "L1 Wavefronts Shared Ideal",
    metric: "memory_l1_wavefronts_shared_ideal",
};
const SECTORS: Title = Title {
    label: "L2 Theoretical Sectors Global",
    metric: "memory_l2_theoretical_sectors_global",
};
const IDEAL_SECTORS: Title = Title {
    label: "L2 Theoretical Sectors Global Ideal",
    metric: "memory_l2_theoretical_sectors_global_ideal",
};

/// The columns of a page with instructions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Columns {
    line: Option<usize>,
    address: Option<usize>,
    by_title: BTreeMap<String, usize>,
}

impl Columns {
    /// The columns of a title row; `None` of a page without instructions.
    pub(crate) fn of(titles: &StringRecord) -> Option<Self> {
        let mut by_title = BTreeMap::new();
        for (at, title) in titles.iter().enumerate() {
            by_title.entry(title.trim().to_owned()).or_insert(at);
        }
        let address = by_title.get("Address").copied()?;
        Some(Self {
            line: by_title.get("Line No").copied(),
            address: Some(address),
            by_title,
        })
    }

    fn cell<'r>(&self, row: &'r StringRecord, title: &Title) -> &'r str {
        let by_label = self.by_title.get(title.label);
        let at = by_label.or_else(|| self.by_title.get(title.metric));
        at.and_then(|at| row.get(*at)).unwrap_or_default().trim()
    }

    fn count(&self, row: &StringRecord, title: &Title) -> Option<u64> {
        value(self.cell(row, title), "").and_then(Value::count)
    }

    /// The source line that a row begins.
    fn line(&self, row: &StringRecord) -> Option<u32> {
        row.get(self.line?)?.trim().parse().ok()
    }

    /// The instruction of a row.
    fn instruction(&self, row: &StringRecord) -> Option<Instruction> {
        let at = self.address?;
        let address = hex(row.get(at)?.trim())?;
        let text = row.get(at + 1)?.trim();
        let access = self.access(row);
        let of = |space, title| {
            self.count(row, title)
                .filter(|_| access.is_some_and(|access| access.space == space))
        };
        Some(Instruction {
            address,
            text: text.to_owned(),
            source: None,
            access,
            executed: self.count(row, &EXECUTED),
            wavefronts: of(Space::Shared, &WAVEFRONTS),
            ideal_wavefronts: of(Space::Shared, &IDEAL_WAVEFRONTS),
            sectors: of(Space::Global, &SECTORS),
            ideal_sectors: of(Space::Global, &IDEAL_SECTORS),
        })
    }

    fn access(&self, row: &StringRecord) -> Option<Access> {
        let space = match self.cell(row, &ADDRESS_SPACE) {
            "" | "-" => return None,
            "Shared" => Space::Shared,
            "Global" | "Generic" => Space::Global,
            _ => Space::Other,
        };
        let operation = match self.cell(row, &ACCESS_OPERATION) {
            "Load" => Operation::Load,
            "Store" => Operation::Store,
            _ => Operation::Atomic,
        };
        Some(Access { space, operation })
    }
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x").unwrap_or(text), 16).ok()
}

/// Gathers the kernels of a page with instructions.
#[derive(Default)]
pub(crate) struct Gathering {
    columns: Columns,
    file: Option<String>,
    /// Files of the kernel that is read.
    files: BTreeSet<String>,
    line: Option<(String, u32)>,
    /// The text of that line.
    text: String,
    seen: BTreeSet<u64>,
    kernels: Vec<KernelProfile>,
    has_lines: bool,
}

impl Gathering {
    /// A file of a page with source and SASS.
    pub(crate) fn file(&mut self, path: &str) {
        self.file = Some(path.to_owned());
        self.line = None;
        self.has_lines = true;
    }

    /// A kernel begins, or goes on in another file.
    pub(crate) fn kernel(&mut self, name: &str) {
        let is_same = self.kernels.last().is_some_and(|last| last.name == name);
        let is_other_file = self
            .file
            .as_ref()
            .is_some_and(|file| !self.files.contains(file));
        if !(is_same && is_other_file) {
            self.files.clear();
            self.seen.clear();
            self.kernels.push(KernelProfile {
                name: name.to_owned(),
                ..KernelProfile::default()
            });
        }
        self.files.extend(self.file.clone());
    }

    /// The titles of the columns.
    pub(crate) fn titles(&mut self, columns: Columns) {
        self.columns = columns;
    }

    /// A row of a kernel.
    pub(crate) fn row(&mut self, row: &StringRecord) {
        if let Some(line) = self.columns.line(row) {
            self.line = self.file.clone().map(|file| (file, line));
            row.get(1)
                .unwrap_or_default()
                .trim()
                .clone_into(&mut self.text);
        }
        let Some(mut instruction) = self.columns.instruction(row) else {
            return;
        };
        if !self.seen.insert(instruction.address) {
            return;
        }
        instruction.source.clone_from(&self.line);
        if self.kernels.is_empty() {
            self.kernels.push(KernelProfile::default());
        }
        if let Some(kernel) = self.kernels.last_mut() {
            if let Some(line) = &self.line {
                let lines = &mut kernel.source_lines;
                lines
                    .entry(line.clone())
                    .or_insert_with(|| self.text.clone());
            }
            kernel.instructions.push(instruction);
        }
    }

    /// Whether the page has source lines too.
    pub(crate) const fn has_lines(&self) -> bool {
        self.has_lines
    }

    /// The kernels, each once.
    pub(crate) fn kernels(self) -> Vec<KernelProfile> {
        let mut kernels = self.kernels;
        kernels.retain(|kernel| !kernel.instructions.is_empty());
        for kernel in &mut kernels {
            kernel
                .instructions
                .sort_by_key(|instruction| instruction.address);
        }
        let is_doubled = kernels.len().is_multiple_of(2)
            && kernels
                .chunks_exact(2)
                .all(|pair| matches!(pair, [one, other] if one == other));
        if is_doubled {
            let firsts = kernels.into_iter().step_by(2);
            return firsts.collect();
        }
        kernels
    }
}
