//! Requests that are told as lines over the lanes add up to the sums of the same requests told lane by lane.

use lanescope_ir::SiteId;
use lanescope_model::{Device, LaneMask, Operation, Space, Width};
use lanescope_simt::{Access, AffineAccess, BlockDone, Certainty, Observer};
use lanescope_tally::ClassTally;
use proptest::prelude::*;

fn operations() -> impl Strategy<Value = Operation> {
    prop_oneof![
        Just(Operation::Load),
        Just(Operation::Store),
        Just(Operation::Atomic),
        Just(Operation::Reduction),
        Just(Operation::CompareAndSwap),
    ]
}

/// Few starts and strides, so that many are alike, and enough that some take another's place.
fn accesses() -> impl Strategy<Value = (SiteId, AffineAccess)> {
    let widths = prop_oneof![
        Just(Width::Bytes2),
        Just(Width::Bytes4),
        Just(Width::Bytes16)
    ];
    let masks = prop_oneof![
        Just(LaneMask::first(32)),
        Just(LaneMask::first(7)),
        any::<u32>().prop_map(|mask| LaneMask(u64::from(mask)))
    ];
    (
        0_u32..5,
        1_u64..4,
        any::<bool>(),
        operations(),
        widths,
        masks,
        0_u64..96,
        -40_i64..40,
    )
        .prop_map(
            |(site, times, is_shared, operation, width, active, first, stride)| {
                let bytes = width.bytes();
                let access = AffineAccess {
                    block_index: [0; 3],
                    warp: 0,
                    occurrence: 0,
                    times,
                    certainty: Certainty::Certain,
                    space: if is_shared {
                        Space::Shared
                    } else {
                        Space::Global
                    },
                    operation,
                    width,
                    active,
                    lanes: 32,
                    first: (1 << 20) + first * bytes,
                    stride: (stride * bytes.cast_signed()).cast_unsigned(),
                };
                (SiteId(site), access)
            },
        )
}

/// Tells a tally of a request lane by lane.
fn tell(tally: &mut ClassTally<'_>, site: SiteId, line: &AffineAccess) {
    let addresses = line.addresses();
    let access = Access {
        site,
        block: 0,
        block_index: [0; 3],
        warp: 0,
        occurrence: 0,
        times: line.times,
        certainty: line.certainty,
        unknown: 0,
        request: line.request(&addresses),
    };
    assert!(tally.access(&access));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn lines_add_up_as_lanes_do(
        blocks in proptest::collection::vec(
            (proptest::collection::vec(accesses(), 1..400), 1_u64..5), 1..4),
        device in 0..Device::all().len(),
    ) {
        let device = &Device::all()[device];
        let (mut lines, mut lanes) = (ClassTally::new(device), ClassTally::new(device));
        for (block, (accesses, times)) in (0..).zip(&blocks) {
            for (site, one) in accesses {
                if lines.affine_access(*site, one).is_none() {
                    tell(&mut lines, *site, one);
                }
                tell(&mut lanes, *site, one);
            }
            let done = BlockDone {
                block,
                times: *times,
            };
            lines.block_done(&done);
            lanes.block_done(&done);
        }
        prop_assert_eq!(lines.requests(), lanes.requests());
        let (lines, lanes) = (lines.whole(), lanes.whole());
        prop_assert_eq!(lines.sites(5), lanes.sites(5));
        prop_assert_eq!(lines.totals(), lanes.totals());
    }
}
