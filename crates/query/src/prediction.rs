//! An analysis as a profiler's counters divide it.

use crate::Analysis;
use lanescope_frontend::DiagnosticKind;
use lanescope_ir::{Op, SiteId};
use lanescope_profiler::{
    Certainty, Comparison, KernelProfile, Predicted, Prediction, ProfilerError, Total, compare,
};
use lanescope_tally::{Kind, Reason, Status, Sums, status_of};
use std::collections::BTreeSet;

/// Lays an analysis beside what was measured of the same launch. Where its source is the
/// [listing](lanescope_profiler::listing) of the profile (`is_of_listing`), instruction by instruction.
///
/// # Errors
/// When the profile has nothing that is predicted.
pub fn measured(
    analysis: &Analysis,
    kernel: &KernelProfile,
    is_of_listing: bool,
) -> Result<Comparison, ProfilerError> {
    let mut prediction = prediction(analysis);
    prediction.is_of_listing = is_of_listing;
    compare(&prediction, kernel)
}

/// What an analysis predicts. A sum is as sure as its least certain request, and no surer than what holds for all of them.
fn prediction(analysis: &Analysis) -> Prediction {
    let mut prediction = Prediction {
        certainty: certainty(analysis.standing.status),
        ..Prediction::default()
    };
    let of_all = of_all(&analysis.standing.reasons);
    let copied = copied(analysis);
    for (id, kind, sums) in &analysis.accesses {
        let own = match sums.unknown {
            Some(_) => Certainty::Partial,
            // A bound is no count.
            None if sums.bounds + sums.rivals > 0 => {
                Certainty::Assumed.max(certainty(status_of(sums.certainty)))
            }
            None => certainty(status_of(sums.certainty)),
        };
        let certainty = own.max(of_all);
        for (total, count) in totals(*kind, copied.contains(id), sums) {
            let sum = prediction.totals.entry(total).or_default();
            sum.add(count, certainty);
        }
        let site = analysis.program().site(*id);
        let line = site.map_or(0, |site| analysis.question.line_of(site));
        let (by_line, count) = match kind.is_shared() {
            true => (&mut prediction.wavefronts, sums.wavefronts),
            false => (&mut prediction.sectors, sums.page_sectors),
        };
        by_line.entry(line).or_default().add(count, certainty);
    }
    // What was not reached is as sure as the whole.
    let none = Predicted {
        count: 0,
        certainty: prediction.certainty,
    };
    for &total in Total::ALL {
        prediction.totals.entry(total).or_insert(none);
    }
    prediction
}

const fn certainty(status: Status) -> Certainty {
    match status {
        // A prediction is compared as what it says, without condition.
        Status::Counted | Status::Predicted => Certainty::Counted,
        Status::Assumed => Certainty::Assumed,
        Status::Partial => Certainty::Partial,
    }
}

/// How sure all sums are at most: what depends on data, each request knows of itself, and rounds of compare and swap are
/// atomics' alone.
fn of_all(reasons: &[Reason]) -> Certainty {
    let is_of_all = |reason: &&Reason| match reason {
        Reason::Contents { .. }
        | Reason::NoContention { .. }
        | Reason::CrowdedAtomic { .. }
        | Reason::CopyBound { .. }
        | Reason::CopyRace { .. }
        | Reason::Device(_) => false,
        Reason::Unread(one) => !matches!(one.kind, DiagnosticKind::DependsOnUnknown { .. }),
        Reason::Argument { .. }
        | Reason::Template { .. }
        | Reason::Name { .. }
        | Reason::DynamicShared { .. }
        | Reason::NoResult
        | Reason::Include { .. }
        | Reason::ParameterPlace { .. }
        | Reason::Prediction(_)
        | Reason::Compiler
        | Reason::Unrolling { .. }
        | Reason::Shape { .. }
        | Reason::Stopped { .. }
        | Reason::Blocks { .. } => true,
    };
    let all = reasons.iter().filter(is_of_all);
    all.map(|reason| certainty(reason.status()))
        .max()
        .unwrap_or_default()
}

/// The accesses of the source that asynchronous copies read at.
fn copied(analysis: &Analysis) -> BTreeSet<SiteId> {
    let kernel = analysis.program().lowered();
    let blocks = kernel.into_iter().flat_map(|kernel| &kernel.blocks);
    let instructions = blocks.flat_map(|block| &block.instructions);
    let sites = instructions.filter_map(|instruction| {
        let Op::AsyncCopy { source_site, .. } = instruction.op else {
            return None;
        };
        Some(analysis.program().counted_for(source_site))
    });
    sites.collect()
}

/// The profiler's totals that an access adds to.
fn totals(kind: Kind, is_copied: bool, sums: &Sums) -> Vec<(Total, u64)> {
    let Sums {
        wavefronts,
        conflicts,
        sectors,
        page_sectors,
        global_requests: requests,
        ..
    } = *sums;
    match kind {
        Kind::SharedLoad | Kind::MatrixLoad => vec![
            (Total::SharedLoadWavefronts, wavefronts),
            (Total::SharedLoadBankConflicts, conflicts),
        ],
        Kind::SharedStore | Kind::MatrixStore => vec![
            (Total::SharedStoreWavefronts, wavefronts),
            (Total::SharedStoreBankConflicts, conflicts),
        ],
        Kind::SharedAtomic => vec![(Total::SharedAtomicWavefronts, wavefronts)],
        Kind::AsyncCopy => vec![(Total::AsyncCopyWavefronts, wavefronts)],
        Kind::GlobalLoad if is_copied => vec![
            (Total::GlobalLoadRequests, requests),
            (Total::GlobalLoadSectors, sectors),
            (Total::AsyncCopySectors, page_sectors),
        ],
        Kind::GlobalLoad => vec![
            (Total::GlobalLoadRequests, requests),
            (Total::GlobalLoadSectors, sectors),
        ],
        Kind::GlobalStore => vec![
            (Total::GlobalStoreRequests, requests),
            (Total::GlobalStoreSectors, sectors),
        ],
        Kind::GlobalReduction => vec![(Total::GlobalReductionSectors, sectors)],
        Kind::GlobalAtomic => vec![(Total::GlobalAtomicSectors, sectors)],
    }
}
