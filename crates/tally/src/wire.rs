//! Sums as bytes: a worker's answer to its page.

use lanescope_wire::{wire_enums, wire_structs};

use crate::{Basis, GlobalTotals, L1Counts, Need, SharedTotals, SiteTally, WorstRequest};

wire_structs! {
    SharedTotals { requests, wavefronts, wavefronts_least, ideal, conflicts, ways }
    GlobalTotals { unit, requests, units, ideal, bytes_used, bytes_moved }
    SiteTally { site, requests, shared, global, unknown, certainty, bounds, rivals, worst }
    Need { wavefronts, ideal_wavefronts, units, ideal_units, unit }
    WorstRequest { block, warp, occurrence, cost }
    L1Counts { requested, distinct, fetched }
}

wire_enums! {
    Basis { OpenChoice, LoopsCut, AccessesChanged, AssemblerChoice }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lanescope_ir::SiteId;
    use lanescope_model::{Unit, Unknown};
    use lanescope_simt::Certainty;
    use lanescope_wire::Wire as _;

    #[test]
    fn sums_are_carried_whole() {
        let tally = SiteTally {
            requests: 1,
            shared: SharedTotals {
                requests: 2,
                wavefronts: 3,
                wavefronts_least: 4,
                ideal: 5,
                conflicts: 6,
                ways: 7,
            },
            global: GlobalTotals {
                unit: Unit::Transaction,
                requests: 8,
                units: 9,
                ideal: 10,
                bytes_used: 11,
                bytes_moved: 12,
            },
            unknown: Some(Unknown::ReadPhases { bytes: 13 }),
            certainty: Certainty::Assumed,
            bounds: 15,
            rivals: 16,
            worst: Some(WorstRequest {
                block: [17, 18, 19],
                warp: 20,
                occurrence: 21,
                cost: [22, 23, 24],
            }),
            ..SiteTally::new(SiteId(14))
        };
        assert_eq!(SiteTally::of_bytes(&tally.to_bytes()), Some(tally));
    }
}
