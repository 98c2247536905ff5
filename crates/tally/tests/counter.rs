//! What is remembered of requests is what the device says of each, on every device.

use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};
use lanescope_tally::Counter;
use proptest::prelude::*;

/// Addresses on a line, or anywhere.
fn addresses(lanes: usize) -> impl Strategy<Value = Vec<u64>> {
    let line = (0_u64..2048, -260_i64..260).prop_map(move |(base, stride)| {
        let at = |lane: usize| (base + (1 << 20)).wrapping_add_signed(stride * lane as i64);
        (0..lanes).map(at).collect::<Vec<u64>>()
    });
    let bent = (line.clone(), 0..lanes, 0_u64..512).prop_map(|(mut addresses, lane, offset)| {
        addresses[lane] += offset;
        addresses
    });
    prop_oneof![line, bent, proptest::collection::vec(0_u64..4096, lanes)]
}

fn widths() -> impl Strategy<Value = Width> {
    prop_oneof![
        Just(Width::Bytes1),
        Just(Width::Bytes4),
        Just(Width::Bytes8),
        Just(Width::Bytes16)
    ]
}

fn masks(lanes: usize) -> impl Strategy<Value = LaneMask> {
    let all = LaneMask::first(lanes);
    prop_oneof![
        Just(all),
        any::<u64>().prop_map(move |mask| LaneMask(mask & all.0))
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn remembered_counts_are_the_devices(
        requests in proptest::collection::vec(
            (addresses(32), masks(32), widths(), 0_u64..64), 1..24),
        device in 0..Device::all().len(),
    ) {
        let device = &Device::all()[device];
        let mut counter = Counter::new(device);
        for (addresses, active, width, periods) in &requests {
            for space in [Space::Shared, Space::Global] {
                for operation in [Operation::Load, Operation::Store, Operation::Atomic] {
                    // As asked; moved by whole periods, which is what was remembered; and by a few words, which is not.
                    let (shared, global) = counter.periods();
                    let period = if space == Space::Shared { shared } else { global };
                    for moved in [0, periods * period, periods * 4] {
                        let aligned = addresses.iter().map(|at| at / width.bytes() * width.bytes() + moved);
                        let addresses: Vec<u64> = aligned.collect();
                        let request = Request {
                            space,
                            operation,
                            width: *width,
                            active: *active,
                            addresses: &addresses,
                        };
                        if space == Space::Shared {
                            prop_assert_eq!(counter.shared_counts(&request), device.shared_counts(&request));
                        } else {
                            prop_assert_eq!(counter.global_counts(&request), device.global_counts(&request));
                        }
                    }
                }
            }
        }
    }
}
