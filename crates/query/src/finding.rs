//! The ranked list: accesses that waste something, the costliest first.

use crate::Analysis;
use crate::line::{file_of, one_line};
use lanescope_model::Unit;
use lanescope_syntax::bundled_files;
use lanescope_tally::{Cost, Kind, Need, SiteTally, WorstRequest};
use serde::Serialize;

/// What a launch takes of both pipes, and what of it is needed, by its public names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct NeedReport {
    wavefronts: u64,
    ideal_wavefronts: u64,
    sectors: u64,
    ideal_sectors: u64,
}

impl NeedReport {
    /// That of a whole run.
    pub(crate) fn of(analysis: &Analysis) -> Self {
        let need = Need::of(&analysis.sites);
        Self {
            wavefronts: need.wavefronts,
            ideal_wavefronts: need.ideal_wavefronts,
            sectors: need.units,
            ideal_sectors: need.ideal_units,
        }
    }
}

/// An access that costs more than it needs, by its public names. What does not apply is 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The included file that it stands in; of the source, nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// From 1, in its file.
    pub line: u32,
    /// From 1.
    pub column: u32,
    /// Which memory, and what is done to it.
    pub op: String,
    /// The access as written.
    pub text: String,
    /// Requests of warps.
    pub requests: u64,
    /// Wavefronts of shared memory.
    pub wavefronts: u64,
    /// The fewest.
    pub ideal_wavefronts: u64,
    /// n of n-way of the worst request.
    pub ways: u32,
    /// Sectors, or what `unit` says.
    pub sectors: u64,
    /// The fewest.
    pub ideal_sectors: u64,
    /// What `sectors` counts where it is not sectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<&'static str>,
    /// Cycles of the pipe that the waste occupies.
    pub wasted_cycles: u64,
    /// Its part of all waste, in hundredths of a percent: those of all findings sum to 10,000.
    pub share_basis_points: u32,
    /// The request that costs most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<WorstReport>,
    /// What it costs.
    #[serde(skip)]
    pub tally: SiteTally,
}

/// A request by its place in the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WorstReport {
    block: [u32; 3],
    warp: u32,
    iteration: u64,
}

impl From<WorstRequest> for WorstReport {
    fn from(worst: WorstRequest) -> Self {
        Self {
            block: worst.block,
            warp: worst.warp,
            iteration: worst.occurrence,
        }
    }
}

/// The findings of an analysis, the costliest first.
#[must_use]
pub fn findings(analysis: &Analysis) -> Vec<Finding> {
    let question = &analysis.question;
    let files = bundled_files(&question.source);
    let cost = Cost::of(&question.device);
    let found = analysis.counted().findings().into_iter();
    let finding = |found: lanescope_tally::Finding<'_>| {
        let tally = *found.tally;
        let site = analysis.program().site(tally.site)?;
        let file = file_of(&files, site.line);
        Some(Finding {
            file: (!file.path.is_empty()).then(|| file.path.to_owned()),
            line: question.counted(site.line.saturating_sub(file.lines_before)),
            column: site.column,
            op: Kind::of(site.space, site.operation)
                .words()
                .replace(' ', "_"),
            text: one_line(site.span.text(&question.source)),
            requests: tally.requests,
            wavefronts: tally.shared.wavefronts,
            ideal_wavefronts: tally.shared.ideal,
            ways: tally.shared.ways,
            sectors: tally.global.units,
            ideal_sectors: tally.global.ideal,
            unit: match tally.global.unit {
                Unit::Sector => None,
                Unit::Line => Some("lines"),
                Unit::Transaction => Some("transactions"),
            },
            wasted_cycles: cost.cycles(found.waste),
            share_basis_points: found.share_basis_points,
            worst: tally.worst.map(WorstReport::from),
            tally,
        })
    };
    found.filter_map(finding).collect()
}
