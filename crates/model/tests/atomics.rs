//! Atomic operations on global memory, a warp at once, against counting lane by lane.

use crate::oracle::passes;

use std::collections::BTreeSet;

use lanescope_model::{Device, GlobalCounts, LaneMask, Operation, Request, Space, Unit, Width};
use proptest::prelude::*;

/// Bytes of a sector and of a line wherever atomics are counted.
const PIECES: [u64; 2] = [32, 128];

/// Addresses that collide often, now and then or never, near and far, a few of them misaligned.
fn addresses(bytes: u64) -> impl Strategy<Value = Vec<u64>> {
    let span = prop_oneof![
        Just(1_u64),
        Just(3),
        Just(8),
        Just(40),
        Just(256),
        Just(8192),
        Just(1 << 20),
        Just(1 << 29),
    ];
    let base = prop_oneof![Just(0_u64), 0..1_u64 << 40];
    let lanes = prop_oneof![4 => Just(32_usize), 1 => 1..32_usize];
    let clusters = prop::collection::vec(0..1_u64 << 24, 1..4);
    let shape = (
        0..4_u8,
        prop_oneof![9 => Just(None), 1 => (0..32_usize).prop_map(Some)],
    );
    (span, base, lanes, clusters, shape).prop_flat_map(
        move |(span, base, lanes, clusters, (kind, misaligned))| {
            prop::collection::vec(0..span, lanes).prop_map(move |mut elements| {
                match kind {
                    0 => elements.sort_unstable(),
                    1 => {
                        for (lane, element) in elements.iter_mut().enumerate() {
                            *element += clusters[lane % clusters.len()];
                        }
                    }
                    _ => {}
                }
                let aligned = base / bytes * bytes;
                let place = |(lane, element)| {
                    aligned + element * bytes + u64::from(misaligned == Some(lane))
                };
                elements.into_iter().enumerate().map(place).collect()
            })
        },
    )
}

/// What the lanes of `request` cost, byte by byte.
fn expected(request: &Request<'_>) -> Option<GlobalCounts> {
    let [sector, line] = PIECES;
    let mut sectors = BTreeSet::new();
    let mut bytes = BTreeSet::new();
    for lane in request.participating().iter() {
        let first = request.addresses[lane];
        for byte in first..first + request.width.bytes() {
            sectors.insert(byte / sector);
            bytes.insert(byte);
        }
    }
    let small = |count: usize| u32::try_from(count).ok();
    let lanes = request.participating().iter();
    let wanted = lanes.map(|lane| {
        let first = request.addresses[lane];
        (first..first + request.width.bytes()).collect()
    });
    let units = passes::sectors(&wanted.collect::<Vec<_>>());
    let lines: BTreeSet<u64> = bytes.iter().map(|byte| byte / line).collect();
    Some(GlobalCounts {
        unit: Unit::Sector,
        requests: u32::from(!bytes.is_empty()),
        units,
        ideal_units: small(bytes.len())?.div_ceil(32),
        sectors: small(sectors.len())?,
        lines: small(lines.len())?,
        bytes_used: small(bytes.len())?,
        bytes_moved: units * 32,
    })
}

/// Every width, with masks that leave all, some, few and no lanes on.
fn requests() -> impl Strategy<Value = (Width, u64, Vec<u64>)> {
    let widths = [1, 2, 4, 8, 16].map(|bytes| Width::from_bytes(bytes).unwrap_or(Width::Bytes4));
    let masks = prop_oneof![
        3 => Just(u64::from(u32::MAX)),
        3 => any::<u32>().prop_map(u64::from),
        1 => (any::<u32>(), any::<u32>()).prop_map(|(a, b)| u64::from(a & b)),
        1 => (any::<u32>(), any::<u32>()).prop_map(|(a, b)| u64::from(a | b)),
        1 => (0..32_u32).prop_map(|lane| 1 << lane),
    ];
    (prop::sample::select(widths.to_vec()), masks).prop_flat_map(|(width, mask)| {
        addresses(width.bytes()).prop_map(move |addresses| (width, mask, addresses))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn a_warp_of_atomics_costs_what_its_lanes_do((width, mask, addresses) in requests()) {
        let request = Request {
            space: Space::Global,
            operation: Operation::Reduction,
            width,
            active: LaneMask(mask),
            addresses: &addresses,
        };
        let counts = <&Device>::default().global_counts(&request).ok();
        prop_assert_eq!(counts, expected(&request));
    }
}
