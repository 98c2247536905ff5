//! Counts of compiled code as a profiler's counters divide them.

use crate::counts::{Class, Counts, SiteCounts};
use lanescope_ir::Kernel;
use lanescope_profiler::{Certainty, Prediction, Total};
use lanescope_simt as simt;
use lanescope_tally::{Kind, Status};
use std::collections::BTreeSet;

/// What is predicted of the launch, by total and by line of the listing.
pub(crate) fn prediction(kernel: &Kernel, counts: &Counts<'_>, status: Status) -> Prediction {
    let mut prediction = Prediction {
        certainty: match status {
            Status::Counted | Status::Predicted => Certainty::Counted,
            Status::Assumed => Certainty::Assumed,
            Status::Partial => Certainty::Partial,
        },
        ..Prediction::default()
    };
    let line = |site: lanescope_ir::SiteId| {
        let site = kernel.sites.get(site.index());
        let place = site.and_then(|site| kernel.places.get(site.place.index()));
        place.map_or(0, |place| place.line)
    };
    let copies = counts
        .sites
        .keys()
        .filter(|(_, class)| *class == Class::Copy);
    let copies: BTreeSet<u32> = copies.map(|(site, _)| line(*site)).collect();
    for ((site, class), counts) in &counts.sites {
        let line = line(*site);
        add(
            &mut prediction,
            *class,
            (line, copies.contains(&line)),
            counts,
        );
    }
    prediction
}

fn add(
    prediction: &mut Prediction,
    class: Class,
    (line, is_copy): (u32, bool),
    counts: &SiteCounts,
) {
    let certainty = certainty(counts);
    let conflicts = counts.wavefronts.saturating_sub(counts.ideal_wavefronts);
    let (wavefronts, sectors, requests) = (counts.wavefronts, counts.sectors, counts.requests);
    let totals: &[(Total, u64)] = match class {
        Class::Copy => &[(Total::AsyncCopyWavefronts, wavefronts)],
        Class::Plain(Kind::GlobalLoad) if is_copy => &[
            (Total::GlobalLoadRequests, requests),
            (Total::GlobalLoadSectors, sectors),
            (Total::AsyncCopySectors, counts.page_sectors),
        ],
        Class::Plain(kind) | Class::Matrix(kind) => match kind {
            Kind::SharedLoad => &[
                (Total::SharedLoadWavefronts, wavefronts),
                (Total::SharedLoadBankConflicts, conflicts),
            ],
            Kind::SharedStore => &[
                (Total::SharedStoreWavefronts, wavefronts),
                (Total::SharedStoreBankConflicts, conflicts),
            ],
            Kind::SharedAtomic => &[(Total::SharedAtomicWavefronts, wavefronts)],
            Kind::GlobalLoad => &[
                (Total::GlobalLoadRequests, requests),
                (Total::GlobalLoadSectors, sectors),
            ],
            Kind::GlobalStore => &[
                (Total::GlobalStoreRequests, requests),
                (Total::GlobalStoreSectors, sectors),
            ],
            Kind::GlobalReduction => &[(Total::GlobalReductionSectors, sectors)],
            Kind::GlobalAtomic => &[(Total::GlobalAtomicSectors, sectors)],
        },
    };
    for (total, count) in totals {
        prediction
            .totals
            .entry(*total)
            .or_default()
            .add(*count, certainty);
    }
    let (by_line, count) = match class.is_shared() {
        true => (&mut prediction.wavefronts, wavefronts),
        false => (&mut prediction.sectors, counts.page_sectors),
    };
    by_line.entry(line).or_default().add(count, certainty);
}

/// How sure the counts of an access are: those without a number on the device are not, and a bound is none.
fn certainty(counts: &SiteCounts) -> Certainty {
    match counts.certainty {
        _ if counts.unknown > 0 => Certainty::Partial,
        simt::Certainty::Certain if counts.bounds + counts.rivals > 0 => Certainty::Assumed,
        simt::Certainty::Certain => Certainty::Counted,
        simt::Certainty::Assumed => Certainty::Assumed,
        simt::Certainty::Partial => Certainty::Partial,
    }
}
