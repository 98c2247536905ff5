//! An analysis as JSON.

use crate::finding::{Finding, NeedReport, findings};
use crate::{
    AccessRemark, Analysis, Divergence, L1, Line, LineDivergence, Origin, Question, remarks,
    verdict,
};
use lanescope_frontend::{Diagnostic, Fix, Lines, Severity};
use lanescope_ir::Stage;
use lanescope_locale::Language;
use lanescope_model::Unit;
use lanescope_syntax::line_in_file;
use lanescope_tally::{Basis, L1Counts, PREDICTION_RECORD, Reason, RecordRow, Totals, status_of};
use serde::{Serialize, Serializer};

/// The version of the document: it grows where a field goes or changes its meaning; further fields may come at any time.
pub const REPORT_VERSION: u32 = 1;

/// The whole answer, on a source as on compiled code. The names are public: scripts read them.
#[derive(Debug, Serialize)]
pub struct Report {
    /// [`REPORT_VERSION`].
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    kernel: Option<String>,
    device: &'static str,
    /// Whose version of the kernel is counted; of an expression, nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    compiler: Option<&'static str>,
    /// The answer in one sentence.
    verdict: String,
    /// Whether the totals are those of the whole launch, with nothing assumed.
    exact: bool,
    /// How far the totals can be relied on.
    status: &'static str,
    /// What a prediction rests on.
    #[serde(skip_serializing_if = "Option::is_none")]
    basis: Option<&'static str>,
    /// How often such predictions were exact.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    record: Vec<RecordReport>,
    /// Why they are not simply counted.
    reasons: Vec<ReasonReport>,
    #[serde(serialize_with = "totals")]
    totals: Totals,
    /// The same of the kernel as written, where that is another count.
    #[serde(
        skip_serializing_if = "Option::is_none",
        serialize_with = "some_totals"
    )]
    as_written: Option<Totals>,
    /// What both memories take, and what of it is needed.
    need: NeedReport,
    /// The accesses that waste something, the costliest first.
    findings: Vec<Finding>,
    lines: Vec<LineReport>,
    /// Lane slots used of those issued.
    #[serde(skip_serializing_if = "Option::is_none")]
    divergence: Option<DivergenceReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    l1: Option<L1Report>,
    diagnostics: Vec<DiagnosticReport>,
    /// The other kernels of the text whose launch its host code has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<Report>,
}

impl Report {
    /// The report on a kernel or (without a name) an expression.
    #[must_use]
    pub fn of(analysis: &Analysis) -> Self {
        let question = &analysis.question;
        let places = Lines::of(&question.source);
        let name = analysis.program().name();
        let diagnostic = |found| DiagnosticReport::of(found, question, &places);
        let remarks = remarks(question);
        let line = |line| LineReport::of(line, &remarks, question, &places);
        let stage = analysis.program().lowered().map(|kernel| kernel.stage);
        Self {
            version: REPORT_VERSION,
            kernel: (!name.is_empty()).then(|| name.to_owned()),
            device: question.device.id(),
            compiler: match stage {
                Some(Stage::Machine) => None,
                Some(Stage::Ptx) => Some("ptxas-13"),
                Some(Stage::Source) | None => (!name.is_empty()).then(|| question.compiler().key()),
            },
            verdict: verdict(analysis),
            exact: analysis.standing.is_counted(),
            status: analysis.standing.status.key(),
            basis: analysis.standing.basis().map(Basis::key),
            record: analysis
                .standing
                .record()
                .into_iter()
                .map(RecordReport::of)
                .collect(),
            reasons: analysis
                .standing
                .reasons
                .iter()
                .map(ReasonReport::of)
                .collect(),
            totals: analysis.totals,
            as_written: analysis
                .as_written
                .filter(|written| *written != analysis.totals),
            need: NeedReport::of(analysis),
            findings: findings(analysis),
            lines: analysis.lines.iter().map(line).collect(),
            divergence: Divergence::of(analysis).map(DivergenceReport::of),
            l1: None,
            diagnostics: analysis.diagnostics.iter().map(diagnostic).collect(),
            others: Vec::new(),
        }
    }

    /// The same with the reports on the other kernels of its text.
    #[must_use]
    pub fn with_others(self, others: Vec<Self>) -> Self {
        Self { others, ..self }
    }

    /// The same with what an L1 would fetch.
    #[must_use]
    pub fn with_l1(self, l1: &L1) -> Self {
        Self {
            l1: Some(L1Report::of(l1)),
            ..self
        }
    }
}

/// How often predictions of a basis were exact on kernels that no rule was fitted to.
#[derive(Debug, Serialize)]
struct RecordReport {
    set: &'static str,
    exact: u32,
    launches: u32,
    date: &'static str,
}

impl RecordReport {
    const fn of(row: &RecordRow) -> Self {
        Self {
            set: row.set,
            exact: row.exact,
            launches: row.launches,
            date: PREDICTION_RECORD.date,
        }
    }
}

/// An assumption, or what is missing.
#[derive(Debug, Serialize)]
struct ReasonReport {
    code: &'static str,
    /// What it makes of the answer.
    status: &'static str,
    message: String,
}

impl ReasonReport {
    fn of(reason: &Reason) -> Self {
        Self {
            code: reason.key(),
            status: reason.status().key(),
            message: reason.text(Language::English),
        }
    }
}

/// Lane slots used of those that warps issued.
#[derive(Debug, Serialize)]
struct DivergenceReport {
    /// Whose instructions: `source`, `ptx` or `machine`.
    instructions_of: &'static str,
    warp_lanes: u32,
    warp_instructions: u64,
    thread_instructions: u64,
    /// Lanes an instruction, to two digits.
    active_lanes: f64,
    lines: Vec<LineDivergenceReport>,
}

#[derive(Debug, Serialize)]
struct LineDivergenceReport {
    #[serde(skip_serializing_if = "String::is_empty")]
    file: String,
    line: u32,
    warp_instructions: u64,
    thread_instructions: u64,
    active_lanes: f64,
}

impl DivergenceReport {
    fn of(divergence: Divergence) -> Self {
        let line = |line: LineDivergence| LineDivergenceReport {
            active_lanes: decimal(line.lanes_hundredths()),
            file: line.file,
            line: line.line,
            warp_instructions: line.warp_instructions,
            thread_instructions: line.thread_instructions,
        };
        Self {
            instructions_of: divergence.of.name(),
            warp_lanes: divergence.warp_lanes,
            warp_instructions: divergence.warp_instructions,
            thread_instructions: divergence.thread_instructions,
            active_lanes: decimal(divergence.lanes_hundredths()),
            lines: divergence.lines.into_iter().map(line).collect(),
        }
    }
}

/// At most a warp's lanes, so that nothing is lost.
fn decimal(hundredths: u64) -> f64 {
    f64::from(u32::try_from(hundredths).unwrap_or(u32::MAX)) / 100.0
}

/// What an L1 would fetch for global loads, in sectors.
#[derive(Debug, Serialize)]
struct L1Report {
    /// Of the cache; null where the device's is not known, as then is what it fetches.
    bytes: Option<u64>,
    /// Whether these are all blocks of the launch; otherwise a limit was reached before.
    whole: bool,
    #[serde(flatten)]
    counts: L1CountsReport,
    lines: Vec<L1LineReport>,
}

#[derive(Debug, Serialize)]
struct L1LineReport {
    line: u32,
    #[serde(flatten)]
    counts: L1CountsReport,
}

#[derive(Debug, Serialize)]
struct L1CountsReport {
    requested: u64,
    distinct: u64,
    fetched: Option<u64>,
}

impl L1Report {
    fn of(l1: &L1) -> Self {
        let counts = |counts: L1Counts| L1CountsReport {
            requested: counts.requested,
            distinct: counts.distinct,
            fetched: l1.bytes.map(|_| counts.fetched),
        };
        let line = |(line, sums): (&u32, &L1Counts)| L1LineReport {
            line: *line,
            counts: counts(*sums),
        };
        Self {
            bytes: l1.bytes,
            whole: l1.is_whole,
            counts: counts(l1.counts),
            lines: l1.lines.iter().map(line).collect(),
        }
    }
}

/// The sums of the whole run, by their public names.
fn totals<S: Serializer>(totals: &Totals, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(totals.named())
}

fn some_totals<S: Serializer>(some: &Option<Totals>, to: S) -> Result<S::Ok, S::Error> {
    match some {
        Some(some) => totals(some, to),
        None => to.serialize_none(),
    }
}

/// One line and kind of operation. What does not apply is 0.
#[derive(Debug, Serialize)]
struct LineReport {
    /// The included file that it stands in; of the source, nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    op: String,
    text: String,
    /// Of compiled code: the instruction without its operands.
    #[serde(skip_serializing_if = "Option::is_none")]
    opcode: Option<String>,
    /// Of compiled code: the line of the source that it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<Origin>,
    /// How far the line's counts can be relied on, as far as they depend on data.
    certainty: &'static str,
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
    /// Whether the wavefronts are a lower bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_least: bool,
    /// Why there is no number.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
    /// What the compiler's model did to its accesses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<RemarkReport>,
}

/// What the compiler's model did to an access.
#[derive(Debug, Serialize)]
struct RemarkReport {
    code: &'static str,
    /// The access as written.
    text: String,
    message: String,
}

impl RemarkReport {
    fn of(remark: &AccessRemark) -> Self {
        Self {
            code: remark.remark.key(),
            text: remark.access.text.clone(),
            message: remark.text(Language::English),
        }
    }
}

impl LineReport {
    fn of(line: &Line, remarks: &[AccessRemark], question: &Question, places: &Lines) -> Self {
        let is_mine = |one: &&AccessRemark| one.access.place == line.place && one.kind == line.kind;
        let sums = &line.sums;
        let (end_line, end_column) = places.place(line.span.end);
        // An included file's lines count from its own first.
        let before = line.place.saturating_sub(line.line);
        let end_line = question.counted(end_line).saturating_sub(before);
        Self {
            file: (!line.file.is_empty()).then(|| line.file.clone()),
            line: line.line,
            column: line.column,
            end_line: end_line.max(line.line),
            end_column,
            opcode: line.opcode.clone(),
            source: line.origin.clone(),
            certainty: status_of(sums.certainty).key(),
            op: line.kind.words().replace(' ', "_"),
            text: line.text.clone(),
            requests: sums.requests,
            wavefronts: sums.wavefronts,
            ideal_wavefronts: sums.ideal_wavefronts,
            conflicts: sums.conflicts,
            ways: sums.ways,
            sectors: sums.sectors,
            ideal_sectors: sums.ideal_sectors,
            bytes_used: sums.bytes_used,
            bytes_moved: sums.bytes_moved,
            unit: match sums.unit {
                None | Some(Unit::Sector) => None,
                Some(Unit::Line) => Some("lines"),
                Some(Unit::Transaction) => Some("transactions"),
            },
            at_least: sums.bounds > 0,
            unknown: sums.unknown.map(|why| why.to_string()),
            remarks: remarks
                .iter()
                .filter(is_mine)
                .map(RemarkReport::of)
                .collect(),
        }
    }
}

#[derive(Debug, Serialize)]
struct DiagnosticReport {
    severity: &'static str,
    code: &'static str,
    /// Of an expression: `declarations` or `accesses`, in which lines are counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<&'static str>,
    /// The included file that it stands in; of the source, nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<FixReport>,
    /// The same under its former name, which programs read.
    #[serde(skip_serializing_if = "Option::is_none")]
    mend: Option<FixReport>,
}

#[derive(Clone, Debug, Serialize)]
struct FixReport {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    replacement: String,
}

impl DiagnosticReport {
    fn of(found: &Diagnostic, question: &Question, places: &Lines) -> Self {
        let is_access = question.counted(found.line) > 0;
        let (file, first) = line_in_file(&question.source, found.line);
        let before = found.line.saturating_sub(first);
        let counted = |line: u32| {
            let line = line.saturating_sub(before);
            if is_access {
                question.counted(line)
            } else {
                line
            }
        };
        let part = if is_access {
            "accesses"
        } else {
            "declarations"
        };
        let (end_line, end_column) = places.place(found.span.end);
        let fix = found.fix.as_ref();
        let fix = fix.map(|fix| FixReport::of(fix, places, counted));
        Self {
            severity: severity(found.severity()),
            code: found.kind.code(),
            within: (question.first_line > 0).then_some(part),
            file: (!file.is_empty()).then(|| file.to_owned()),
            line: counted(found.line),
            column: found.column,
            end_line: counted(end_line),
            end_column,
            message: found.to_string(),
            mend: fix.clone(),
            fix,
        }
    }
}

impl FixReport {
    fn of(fix: &Fix, places: &Lines, counted: impl Fn(u32) -> u32) -> Self {
        let (line, column) = places.place(fix.span.start);
        let (end_line, end_column) = places.place(fix.span.end);
        let replacement = fix.replacement.clone();
        Self {
            line: counted(line),
            column,
            end_line: counted(end_line),
            end_column,
            replacement,
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
