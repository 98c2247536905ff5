//! An analysis as a profiler's counters divide it.

use crate::Analysis;
use lanescope_profiler::{
    Certainty, Comparison, KernelProfile, Predicted, Prediction, ProfilerError, Total, compare,
};
use lanescope_tally::Status;

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

/// What an analysis predicts. A sum is as sure as the whole: a line's assumptions are not told apart.
fn prediction(analysis: &Analysis) -> Prediction {
    let certainty = match analysis.standing.status {
        // A prediction is compared as what it says, without condition.
        Status::Counted | Status::Predicted => Certainty::Counted,
        Status::Assumed => Certainty::Assumed,
        Status::Partial => Certainty::Partial,
    };
    let said = |count| Predicted { count, certainty };
    let totals = &analysis.totals;
    let mut prediction = Prediction {
        certainty,
        totals: [
            (Total::SharedLoadWavefronts, totals.shared_load_wavefronts),
            (
                Total::SharedLoadBankConflicts,
                totals.shared_load_bank_conflicts,
            ),
            (Total::SharedStoreWavefronts, totals.shared_store_wavefronts),
            (
                Total::SharedStoreBankConflicts,
                totals.shared_store_bank_conflicts,
            ),
            (
                Total::SharedAtomicWavefronts,
                totals.shared_atomic_wavefronts,
            ),
            (Total::GlobalLoadRequests, totals.global_load_requests),
            (Total::GlobalLoadSectors, totals.global_load_sectors),
            (Total::GlobalStoreRequests, totals.global_store_requests),
            (Total::GlobalStoreSectors, totals.global_store_sectors),
            (
                Total::GlobalReductionSectors,
                totals.global_reduction_sectors,
            ),
            (Total::GlobalAtomicSectors, totals.global_atomic_sectors),
        ]
        .map(|(total, count)| (total, said(count)))
        .into(),
        ..Prediction::default()
    };
    for line in &analysis.lines {
        let (by_line, count) = match line.kind.is_shared() {
            true => (&mut prediction.wavefronts, line.sums.wavefronts),
            false => (&mut prediction.sectors, line.sums.sectors),
        };
        by_line.entry(line.place).or_default().add(count, certainty);
    }
    prediction
}
