//! An analysis as JSON.

use super::{Analysis, Line, Op, Tally};
use lanescope_lang::{Diagnostic, Lines, Mend, Severity};
use lanescope_model::Unit;
use serde::Serialize;

/// The whole answer. The names are public: scripts read them.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    kernel: Option<String>,
    device: &'static str,
    /// Whether the totals are those of the whole launch.
    exact: bool,
    totals: Totals,
    lines: Vec<LineReport>,
    diagnostics: Vec<DiagnosticReport>,
}

impl Report {
    /// The report on a kernel or (without a name) an expression.
    pub(crate) fn of(analysis: &Analysis) -> Self {
        let lines = Line::all(analysis);
        let places = Lines::of(&analysis.source);
        let name = analysis.program.name();
        Self {
            kernel: (!name.is_empty()).then(|| name.to_owned()),
            device: analysis.device.id(),
            exact: analysis.outcome.exact(),
            totals: Totals::of(&lines),
            lines: lines.iter().map(LineReport::of).collect(),
            diagnostics: analysis
                .diagnostics
                .iter()
                .map(|found| DiagnosticReport::of(found, &places))
                .collect(),
        }
    }
}

/// Sums over all lines.
#[derive(Debug, Serialize)]
pub(crate) struct Totals {
    pub(crate) shared_load_wavefronts: u64,
    pub(crate) shared_load_bank_conflicts: u64,
    pub(crate) shared_store_wavefronts: u64,
    pub(crate) shared_store_bank_conflicts: u64,
    pub(crate) shared_atomic_wavefronts: u64,
    pub(crate) global_load_requests: u64,
    pub(crate) global_load_sectors: u64,
    pub(crate) global_store_requests: u64,
    pub(crate) global_store_sectors: u64,
}

impl Totals {
    /// The sums over `lines`.
    pub(crate) fn of(lines: &[Line]) -> Self {
        let [loads, stores, atomics] =
            [Op::SharedLoad, Op::SharedStore, Op::SharedAtomic].map(|op| sum(lines, op));
        let [global_loads, global_stores] =
            [Op::GlobalLoad, Op::GlobalStore].map(|op| sum(lines, op));
        Self {
            shared_load_wavefronts: loads.wavefronts,
            shared_load_bank_conflicts: loads.conflicts,
            shared_store_wavefronts: stores.wavefronts,
            shared_store_bank_conflicts: stores.conflicts,
            shared_atomic_wavefronts: atomics.wavefronts,
            global_load_requests: global_loads.global_requests,
            global_load_sectors: global_loads.units,
            global_store_requests: global_stores.global_requests,
            global_store_sectors: global_stores.units,
        }
    }

    /// The totals by their names, in order.
    pub(crate) const fn named(&self) -> [(&'static str, u64); 9] {
        [
            ("shared_load_wavefronts", self.shared_load_wavefronts),
            (
                "shared_load_bank_conflicts",
                self.shared_load_bank_conflicts,
            ),
            ("shared_store_wavefronts", self.shared_store_wavefronts),
            (
                "shared_store_bank_conflicts",
                self.shared_store_bank_conflicts,
            ),
            ("shared_atomic_wavefronts", self.shared_atomic_wavefronts),
            ("global_load_requests", self.global_load_requests),
            ("global_load_sectors", self.global_load_sectors),
            ("global_store_requests", self.global_store_requests),
            ("global_store_sectors", self.global_store_sectors),
        ]
    }
}

fn sum(lines: &[Line], op: Op) -> Tally {
    let mut sum = Tally::default();
    lines
        .iter()
        .filter(|line| line.op == op)
        .for_each(|line| sum.add(&line.tally));
    sum
}

/// One line and kind of operation. What does not apply is 0.
#[derive(Debug, Serialize)]
struct LineReport {
    line: u32,
    op: Op,
    text: String,
    requests: u64,
    wavefronts: u64,
    ideal_wavefronts: u64,
    conflicts: u64,
    ways: u32,
    sectors: u64,
    ideal_sectors: u64,
    bytes_used: u64,
    bytes_moved: u64,
    /// What `sectors` counts where it is not sectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'static str>,
    /// Why there is no number.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
}

impl LineReport {
    fn of(line: &Line) -> Self {
        let tally = &line.tally;
        Self {
            line: line.line,
            op: line.op,
            text: line.text.clone(),
            requests: tally.requests,
            wavefronts: tally.wavefronts,
            ideal_wavefronts: tally.ideal_wavefronts,
            conflicts: tally.conflicts,
            ways: tally.ways,
            sectors: tally.units,
            ideal_sectors: tally.ideal_units,
            bytes_used: tally.bytes_used,
            bytes_moved: tally.bytes_moved,
            unit: match tally.unit {
                None | Some(Unit::Sector) => None,
                Some(Unit::Line) => Some("lines"),
                Some(Unit::Transaction) => Some("transactions"),
            },
            unknown: tally.unknown.map(|why| why.to_string()),
        }
    }
}

#[derive(Debug, Serialize)]
struct DiagnosticReport {
    severity: &'static str,
    code: &'static str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mend: Option<MendReport>,
}

#[derive(Debug, Serialize)]
struct MendReport {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    replacement: String,
}

impl DiagnosticReport {
    fn of(found: &Diagnostic, places: &Lines) -> Self {
        let (end_line, end_column) = places.place(found.span.end);
        Self {
            severity: severity(found.severity()),
            code: found.kind.code(),
            line: found.line,
            column: found.column,
            end_line,
            end_column,
            message: found.to_string(),
            mend: found.mend.as_ref().map(|mend| MendReport::of(mend, places)),
        }
    }
}

impl MendReport {
    fn of(mend: &Mend, places: &Lines) -> Self {
        let (line, column) = places.place(mend.span.start);
        let (end_line, end_column) = places.place(mend.span.end);
        Self {
            line,
            column,
            end_line,
            end_column,
            replacement: mend.replacement.clone(),
        }
    }
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    }
}
