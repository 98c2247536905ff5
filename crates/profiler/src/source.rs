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

    fn cell<'r>(&self, row: &'r StringRecord, title: &str) -> &'r str {
        let at = self.by_title.get(title);
        at.and_then(|at| row.get(*at)).unwrap_or_default().trim()
    }

    fn count(&self, row: &StringRecord, title: &str) -> Option<u64> {
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
            executed: self.count(row, "Instructions Executed"),
            wavefronts: of(Space::Shared, "L1 Wavefronts Shared"),
            ideal_wavefronts: of(Space::Shared, "L1 Wavefronts Shared Ideal"),
            sectors: of(Space::Global, "L2 Theoretical Sectors Global"),
            ideal_sectors: of(Space::Global, "L2 Theoretical Sectors Global Ideal"),
        })
    }

    fn access(&self, row: &StringRecord) -> Option<Access> {
        let space = match self.cell(row, "Address Space") {
            "" | "-" => return None,
            "Shared" => Space::Shared,
            "Global" | "Generic" => Space::Global,
            _ => Space::Other,
        };
        let operation = match self.cell(row, "Access Operation") {
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
            kernel.instructions.sort_by_key(|one| one.address);
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
