//! A layout, its accesses and what was found for them, as JSON.

use anyhow::Context as _;
use lanescope_layouts::find::{self, Cost, Finding, Notation, Proof, Remedy, WidthCost};
use lanescope_layouts::{Document, LaneRequest, Operand, Severity, parse};
use lanescope_locale::Language;
use lanescope_model::Device;
use serde::Serialize;

/// A layout text with the accesses that count, and what was found for it if that was asked for.
#[derive(Debug)]
pub struct Layout {
    /// The text, accesses included.
    pub text: String,
    /// The access that the text had none instead of.
    pub assumed: Option<String>,
    /// The text, read.
    pub document: Document,
    /// What was found.
    pub finding: Option<Finding>,
    /// How the layout is written.
    pub notation: Notation,
}

impl Layout {
    /// Reads `layout` with `accesses` and, if `search` is given, seeks under its alignment.
    ///
    /// # Errors
    /// When there is nothing to seek for.
    pub fn of(
        layout: &str,
        accesses: &[String],
        device: &Device,
        search: Option<Option<u64>>,
    ) -> anyhow::Result<Self> {
        let mut text = layout.to_owned();
        for access in accesses {
            text = format!("{text}\n{access}");
        }
        let assumed = parse(&text).default_access(device);
        if let Some(access) = &assumed {
            text = format!("{text}\n{access}");
        }
        let document = parse(&text);
        let finding = match search {
            None => None,
            Some(alignment) => Some(find::find(&document, device, alignment)?),
        };
        Ok(Self {
            text,
            assumed,
            document,
            finding,
            notation: Notation::of(layout),
        })
    }

    /// The text of an access.
    #[must_use]
    pub fn access(&self, span: &std::ops::Range<usize>) -> &str {
        self.text.get(span.clone()).unwrap_or("").trim()
    }

    /// Everything as JSON.
    ///
    /// # Errors
    /// When there is no layout.
    pub fn json(&self, device: &Device) -> anyhow::Result<String> {
        let placement = self.document.placement.as_ref();
        let placement = placement.context("no layout, as in `(8,32):(32,1)`")?;
        let requests: Vec<_> = self.document.requests.iter().collect();
        let document = LayoutJson {
            layout: placement.map().to_string(),
            element: &self.document.element,
            element_bytes: placement.element_bytes(),
            rows: placement.rows(),
            columns: placement.columns(),
            bytes: placement.extent_bytes(),
            device: device.id(),
            element_assumed: self.document.is_element_assumed,
            access_assumed: self.assumed.as_deref(),
            diagnostics: self.diagnostics(),
            totals: sum(&requests, device),
            accesses: self.accesses(device),
            readings: placement.readings().map(readings),
            operand: placement.operand().map(operand),
            finding: self.finding.as_ref().map(|finding| self.found(finding)),
        };
        Ok(serde_json::to_string_pretty(&document)? + "\n")
    }

    fn diagnostics(&self) -> Vec<DiagnosticJson> {
        let all = self.document.diagnostics.iter();
        all.map(|found| DiagnosticJson {
            severity: match found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: found.fault.text(Language::English),
            start: found.span.start,
            end: found.span.end,
        })
        .collect()
    }

    fn accesses(&self, device: &Device) -> Vec<AccessJson<'_>> {
        let mut spans: Vec<_> = Vec::new();
        for request in &self.document.requests {
            if !spans.contains(&request.span) {
                spans.push(request.span.clone());
            }
        }
        let of = |span: std::ops::Range<usize>| {
            let requests = self.document.requests.iter();
            let requests: Vec<_> = requests.filter(|request| request.span == span).collect();
            AccessJson {
                text: self.access(&span),
                bits: requests
                    .first()
                    .map_or(0, |request| request.width.bytes() * 8),
                cost: sum(&requests, device),
            }
        };
        spans.into_iter().map(of).collect()
    }

    fn found(&self, finding: &Finding) -> FindingJson {
        FindingJson {
            alignment_bytes: finding.alignment_bytes,
            verdict: finding.verdict(Language::English),
            proof: match finding.proof {
                Proof::Cheapest { .. } => "cheapest",
                Proof::NoneIsFree { .. } => "none_is_free",
                Proof::Undecided { .. } => "undecided",
            },
            tried: match finding.proof {
                Proof::Cheapest { tried }
                | Proof::NoneIsFree { tried, .. }
                | Proof::Undecided { tried, .. } => tried,
            },
            as_written: self.remedy(&finding.as_written),
            remedies: finding
                .remedies
                .iter()
                .map(|remedy| self.remedy(remedy))
                .collect(),
        }
    }

    fn remedy(&self, remedy: &Remedy) -> RemedyJson {
        RemedyJson {
            change: remedy.change.name(),
            layout: self.notation.spell(&remedy.placement),
            free: remedy.is_free(),
            added_bytes: remedy.added_bytes,
            operations: remedy.change.operations(),
            totals: Some(CostJson::of(remedy.total())),
            accesses: remedy.accesses.iter().copied().map(CostJson::of).collect(),
            widths: remedy.widths.iter().map(width).collect(),
            readings: remedy.placement.readings().map(readings),
        }
    }
}

/// What some requests cost; `None` where the device's rule is not known.
fn sum(requests: &[&LaneRequest], device: &Device) -> Option<CostJson> {
    let mut all = CostJson::default();
    for request in requests {
        let counts = device.shared_counts(&request.request()).ok()?;
        all.requests += 1;
        all.wavefronts += u64::from(counts.wavefronts);
        all.ideal_wavefronts += u64::from(counts.ideal_wavefronts);
        all.conflicts += u64::from(counts.conflicts);
        all.ways = all.ways.max(counts.ways);
    }
    Some(all)
}

fn width(cost: &WidthCost) -> WidthJson {
    WidthJson {
        bits: cost.bits,
        row_ways: cost.row.map(|cost| cost.ways),
        column_ways: cost.column.map(|cost| cost.ways),
    }
}

fn readings(readings: find::Readings) -> ReadingsJson {
    ReadingsJson {
        cute_elements: readings.elements.map(|swizzle| swizzle.to_string()),
        bytes: readings.bytes.to_string(),
        absolute_shift: readings.absolute_shift,
        tma: readings.tma.map(lanescope_layouts::TmaSwizzle::name),
        triton: readings.triton,
        reads_mask: readings.masks.0,
        changes_mask: readings.masks.1,
    }
}

const fn operand(operand: Operand) -> OperandJson {
    OperandJson {
        major: if operand.is_k_major { "K" } else { "MN" },
        swizzle: operand.mode.name(),
        line_bytes: operand.line_bytes,
        next_lines_bytes: operand.next_lines_bytes,
        next_along_bytes: operand.next_along_bytes,
    }
}

#[derive(Serialize)]
struct LayoutJson<'a> {
    layout: String,
    element: &'a str,
    element_bytes: u64,
    rows: u64,
    columns: u64,
    bytes: u64,
    device: &'a str,
    /// Whether no element type was given.
    element_assumed: bool,
    access_assumed: Option<&'a str>,
    diagnostics: Vec<DiagnosticJson>,
    totals: Option<CostJson>,
    accesses: Vec<AccessJson<'a>>,
    readings: Option<ReadingsJson>,
    operand: Option<OperandJson>,
    finding: Option<FindingJson>,
}

#[derive(Serialize)]
struct DiagnosticJson {
    severity: &'static str,
    message: String,
    start: usize,
    end: usize,
}

#[derive(Clone, Copy, Default, Serialize)]
struct CostJson {
    requests: u64,
    wavefronts: u64,
    ideal_wavefronts: u64,
    conflicts: u64,
    ways: u32,
}

impl CostJson {
    const fn of(cost: Cost) -> Self {
        Self {
            requests: cost.requests,
            wavefronts: cost.wavefronts,
            ideal_wavefronts: cost.ideal_wavefronts,
            conflicts: cost.conflicts,
            ways: cost.ways,
        }
    }
}

#[derive(Serialize)]
struct AccessJson<'a> {
    text: &'a str,
    bits: u64,
    #[serde(flatten)]
    cost: Option<CostJson>,
}

#[derive(Serialize)]
struct ReadingsJson {
    cute_elements: Option<String>,
    bytes: String,
    absolute_shift: Option<i64>,
    tma: Option<&'static str>,
    triton: Option<[u64; 3]>,
    reads_mask: u64,
    changes_mask: u64,
}

/// A tile as an operand of `wgmma` and `tcgen05`.
#[derive(Serialize)]
struct OperandJson {
    major: &'static str,
    swizzle: &'static str,
    line_bytes: u64,
    next_lines_bytes: Option<u64>,
    next_along_bytes: Option<u64>,
}

#[derive(Serialize)]
struct WidthJson {
    bits: u64,
    row_ways: Option<u32>,
    column_ways: Option<u32>,
}

#[derive(Serialize)]
struct RemedyJson {
    change: String,
    layout: String,
    free: bool,
    added_bytes: u64,
    operations: u32,
    totals: Option<CostJson>,
    accesses: Vec<CostJson>,
    widths: Vec<WidthJson>,
    readings: Option<ReadingsJson>,
}

#[derive(Serialize)]
struct FindingJson {
    alignment_bytes: u64,
    verdict: String,
    proof: &'static str,
    tried: usize,
    as_written: RemedyJson,
    remedies: Vec<RemedyJson>,
}
