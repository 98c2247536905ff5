//! The model against the oracle, and the properties that any answer has.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use crate::oracle;

use std::collections::BTreeMap;

use lanescope_model::{
    Broadcast, Confidence, CustomDevice, Device, LaneMask, Operation, Request, Space, Unit, Width,
};
use proptest::prelude::*;

/// A request that owns its addresses.
#[derive(Clone, Debug)]
struct Owned {
    space: Space,
    operation: Operation,
    width: Width,
    active: u64,
    addresses: Vec<u64>,
}

impl Owned {
    fn request(&self) -> Request<'_> {
        Request {
            space: self.space,
            operation: self.operation,
            width: self.width,
            active: LaneMask(self.active),
            addresses: &self.addresses,
        }
    }
}

fn spaces() -> impl Strategy<Value = Space> {
    prop_oneof![Just(Space::Shared), Just(Space::Global)]
}

fn operations() -> impl Strategy<Value = Operation> {
    let matrices = prop_oneof![Just(1), Just(2), Just(4), any::<u8>()];
    prop_oneof![
        4 => Just(Operation::Load),
        4 => Just(Operation::Store),
        1 => Just(Operation::Atomic),
        1 => Just(Operation::Reduction),
        1 => Just(Operation::Increment),
        1 => Just(Operation::CompareAndSwap),
        1 => matrices.clone().prop_map(|matrices| Operation::MatrixLoad { matrices }),
        1 => matrices.prop_map(|matrices| Operation::MatrixStore { matrices }),
    ]
}

fn widths() -> impl Strategy<Value = Width> {
    prop_oneof![
        Just(Width::Bytes1),
        Just(Width::Bytes2),
        Just(Width::Bytes4),
        Just(Width::Bytes8),
        Just(Width::Bytes16),
    ]
}

fn masks() -> impl Strategy<Value = u64> {
    prop_oneof![
        4 => Just(0xffff_ffff),
        2 => Just(u64::MAX),
        1 => Just(0),
        2 => any::<u32>().prop_map(u64::from),
        2 => any::<u64>(),
        1 => any::<u64>().prop_map(|mask| mask | 0xffff),
    ]
}

/// Addresses: strided, within a span, repeated among neighbours, at the end of the space.
fn addresses(bytes: u64) -> impl Strategy<Value = Vec<u64>> {
    let lanes = prop_oneof![4 => Just(32_usize), 2 => Just(64), 1 => 0..70_usize];
    let span = prop_oneof![Just(4_u64), Just(32), Just(256), Just(4096), Just(1 << 20)];
    let base =
        prop_oneof![4 => Just(0_u64), 2 => 0..4096_u64, 1 => Just(u64::MAX), 1 => any::<u64>()];
    let kind = 0..5_u8;
    (lanes, span, base, kind, any::<bool>(), 0..70_u64).prop_flat_map(
        move |(lanes, span, base, kind, aligned, stride)| {
            proptest::collection::vec(0..span, lanes).prop_map(move |random| {
                let unit = if aligned { bytes } else { 1 };
                let base = if aligned { base / bytes * bytes } else { base };
                let element = |lane: usize| match kind {
                    0 => lane as u64 * stride,
                    1 => random[lane & !1],
                    2 => random[lane & !2],
                    3 => (lane as u64 * 7 % 32) * stride,
                    _ => random[lane],
                };
                (0..lanes)
                    .map(|lane| base.wrapping_add(element(lane).wrapping_mul(unit)))
                    .collect()
            })
        },
    )
}

fn requests() -> impl Strategy<Value = Owned> {
    (spaces(), operations(), widths(), masks()).prop_flat_map(
        |(space, operation, width, active)| {
            addresses(width.bytes()).prop_map(move |addresses| Owned {
                space,
                operation,
                width,
                active,
                addresses,
            })
        },
    )
}

/// Devices that a user may describe.
fn customs() -> impl Strategy<Value = CustomDevice> {
    let banks = prop_oneof![3 => (0..=6_u32).prop_map(|log| 1 << log), 1 => 1..=1024_u32];
    let lanes = prop_oneof![3 => (0..=6_u32).prop_map(|log| 1 << log), 1 => 1..=64_u32];
    let broadcast = prop_oneof![
        Just(Broadcast::None),
        Just(Broadcast::OneWordAStep),
        Just(Broadcast::AnyWord),
    ];
    let pieces = (3..=7_u32)
        .prop_flat_map(|sector| (Just(1 << sector), (sector..=12).prop_map(|line| 1 << line)));
    (banks, 3..=7_u32, lanes, broadcast, pieces).prop_map(
        |(banks, bits, lanes, broadcast, (sector_bytes, line_bytes))| CustomDevice {
            banks,
            bank_bits: 1 << bits,
            lanes,
            broadcast,
            sector_bytes,
            line_bytes,
        },
    )
}

/// Loads and stores of shared memory, all aligned.
fn plain_shared() -> impl Strategy<Value = Owned> {
    requests().prop_map(|mut owned| {
        owned.space = Space::Shared;
        if owned.operation != Operation::Store {
            owned.operation = Operation::Load;
        }
        for address in &mut owned.addresses {
            *address = *address / owned.width.bytes() * owned.width.bytes() % (1 << 40);
        }
        owned
    })
}

/// Compares one request on every device with the oracle, and counts with reports.
fn check(owned: &Owned) {
    let request = owned.request();
    for device in Device::all() {
        check_shared(device, &request);
        check_global(device, &request);
    }
}

fn check_shared(device: &Device, request: &Request<'_>) {
    let counts = device.shared_counts(request);
    let expected = oracle::shared(device.id(), request);
    let found = counts.ok().map(|counts| oracle::Shared {
        wavefronts: counts.wavefronts,
        least: counts.wavefronts_least,
        ideal: counts.ideal_wavefronts,
        ways: counts.ways,
    });
    assert_eq!(found, expected, "{} {request:?}", device.id());
    let report = device.shared_report(request);
    assert_eq!(
        report.as_ref().map(|report| report.counts),
        counts.as_ref().copied()
    );
    let Ok(report) = report else { return };
    let phases = &report.phases;
    assert_eq!(
        phases.iter().map(|phase| phase.wavefronts).sum::<u32>(),
        report.counts.wavefronts
    );
    assert_eq!(
        report.counts.conflicts,
        report.counts.wavefronts - report.counts.ideal_wavefronts
    );
    let on = phases.iter().fold(0, |on, phase| on | phase.active.0);
    assert_eq!(on, request.participating().0, "every lane is in a phase");
    for phase in phases {
        assert_eq!(phase.active.0 & !phase.lanes.0, 0);
        for bank in &phase.banks {
            assert!(bank.bank < report.banks);
            assert!(bank.wavefronts <= phase.wavefronts);
            assert!(!bank.words.is_empty());
        }
    }
}

fn check_global(device: &Device, request: &Request<'_>) {
    let counts = device.global_counts(request);
    let expected = oracle::global(device.id(), request);
    let found = counts.ok().map(|counts| oracle::Global {
        requests: counts.requests,
        units: counts.units,
        ideal: counts.ideal_units,
        sectors: counts.sectors,
        lines: counts.lines,
        used: counts.bytes_used,
        moved: counts.bytes_moved,
    });
    assert_eq!(found, expected, "{} {request:?}", device.id());
    let report = device.global_report(request);
    assert_eq!(
        report.as_ref().map(|report| report.counts),
        counts.as_ref().copied()
    );
    let Ok(report) = report else { return };
    let counts = report.counts;
    let sectors = report.lines.iter().flat_map(|line| &line.sectors);
    let moved: u32 = sectors
        .filter(|sector| sector.moved)
        .map(|sector| sector.bytes)
        .sum();
    if request.operation == Operation::Load || request.operation == Operation::Store {
        let uncoalesced = device.id() == "cc1.0" || device.id() == "cc1.1";
        assert!(
            moved == counts.bytes_moved || uncoalesced,
            "{} {request:?}",
            device.id()
        );
    }
    if counts.unit != Unit::Transaction {
        assert_eq!(report.lines.len(), counts.lines as usize);
        let touched = |line: &lanescope_model::LineUse| {
            line.sectors
                .iter()
                .filter(|sector| sector.used != 0)
                .count()
        };
        assert_eq!(
            report.lines.iter().map(touched).sum::<usize>(),
            counts.sectors as usize
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(384))]

    #[test]
    fn the_model_agrees_with_the_oracle(owned in requests()) {
        check(&owned);
    }

    #[test]
    fn anything_at_all_is_answered(
        space in spaces(),
        operation in operations(),
        width in widths(),
        active in any::<u64>(),
        addresses in proptest::collection::vec(any::<u64>(), 0..80),
    ) {
        check(&Owned { space, operation, width, active, addresses });
    }

    #[test]
    fn counts_are_those_of_the_report_on_any_device(owned in requests(), custom in customs()) {
        let device = Device::custom(custom).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let request = owned.request();
        let report = device.shared_report(&request).map(|report| report.counts);
        prop_assert_eq!(device.shared_counts(&request), report);
        let report = device.global_report(&request).map(|report| report.counts);
        prop_assert_eq!(device.global_counts(&request), report);
    }

    #[test]
    fn wavefronts_lie_between_ideal_and_worst(owned in plain_shared()) {
        for device in Device::all() {
            let Ok(counts) = device.shared_counts(&owned.request()) else { continue };
            prop_assert!(counts.ideal_wavefronts <= counts.wavefronts_least);
            prop_assert!(counts.wavefronts_least <= counts.wavefronts);
            prop_assert!(counts.ways * counts.ideal_wavefronts >= counts.wavefronts);
            prop_assert!(counts.ways <= counts.wavefronts);
        }
    }

    #[test]
    fn moving_all_lanes_by_a_whole_row_of_banks_changes_nothing(
        owned in plain_shared(),
        rows in 0..100_u64,
    ) {
        let mut moved = owned.clone();
        for address in &mut moved.addresses {
            *address += rows * 512;
        }
        for device in Device::all() {
            prop_assert_eq!(
                device.shared_counts(&owned.request()),
                device.shared_counts(&moved.request())
            );
        }
    }

    #[test]
    fn swapping_lanes_of_one_phase_changes_nothing(
        owned in plain_shared(),
        first in 0..64_usize,
        second in 0..64_usize,
    ) {
        let request = owned.request();
        for device in Device::all() {
            let Ok(report) = device.shared_report(&request) else { continue };
            let together = report.phases.iter().any(|phase| {
                phase.active.contains(first) && phase.active.contains(second)
            });
            let mut swapped = owned.clone();
            if together {
                swapped.addresses.swap(first, second);
            }
            let after = device.shared_report(&swapped.request());
            let lanes = |report: &lanescope_model::SharedReport| {
                report.phases.iter().map(|phase| phase.lanes).collect::<Vec<_>>()
            };
            let Ok(after) = after else { unreachable!("the rule is the same") };
            if lanes(&after) == lanes(&report) {
                prop_assert_eq!(after.counts, report.counts);
            }
        }
    }

    #[test]
    fn turning_a_lane_off_never_adds_to_the_fewest_passes(
        owned in plain_shared(),
        lane in 0..64_usize,
    ) {
        let mut fewer = owned.clone();
        fewer.active &= !(1 << lane);
        for device in Device::all() {
            let (Ok(all), Ok(rest)) = (
                device.shared_counts(&owned.request()),
                device.shared_counts(&fewer.request()),
            ) else { continue };
            let phases = |owned: &Owned| device.shared_report(&owned.request()).map(|report| report.phases.len());
            if phases(&owned) == phases(&fewer) {
                prop_assert!(rest.wavefronts_least <= all.wavefronts_least, "{}", device.id());
            }
        }
    }

    #[test]
    fn lanes_that_want_one_address_share_it(owned in plain_shared(), address in 0..4096_u64) {
        let mut one = owned.clone();
        one.addresses.fill(address / 16 * 16);
        for device in Device::all() {
            let Ok(counts) = device.shared_counts(&one.request()) else { continue };
            let fermi = device.id() == "cc2.x" && one.width == Width::Bytes16;
            prop_assert_eq!(counts.conflicts > 0, fermi && counts.ideal_wavefronts > 0);
        }
    }

    #[test]
    fn global_units_are_at_least_ideal_and_blind_to_order(owned in requests(), by in 0..64_usize) {
        let mut rotated = owned.clone();
        let lanes = rotated.addresses.len().min(64);
        if lanes > 0 {
            rotated.addresses.truncate(lanes);
            rotated.addresses.rotate_left(by % lanes);
            rotated.active = LaneMask::first(lanes).0;
        }
        let mut straight = owned.clone();
        straight.addresses.truncate(lanes);
        straight.active = LaneMask::first(lanes).0;
        for device in Device::all() {
            let Ok(counts) = device.global_counts(&straight.request()) else { continue };
            prop_assert!(counts.ideal_units <= counts.units || counts.unit == Unit::Transaction);
            prop_assert!(counts.bytes_used <= counts.bytes_moved || counts.unit == Unit::Transaction);
            // Passes of atomics take lanes in their order.
            let is_blind = !straight.operation.is_atomic() && counts.requests == 1;
            if is_blind && counts.unit != Unit::Transaction && lanes <= device.warp_lanes() as usize {
                let rotated = device.global_counts(&rotated.request());
                prop_assert_eq!(Ok(counts), rotated);
            }
        }
    }
}

#[test]
fn the_steps_of_every_half_warp_of_few_lanes_are_right() {
    let mut seen = BTreeMap::new();
    for lanes in 1..=9 {
        for shape in shapes(lanes) {
            check_steps(&shape, &mut seen);
        }
    }
}

/// `[bank][word]`: lanes that want it. Compares the model's steps with a search.
fn check_steps(shape: &[Vec<usize>], seen: &mut BTreeMap<Vec<Vec<usize>>, (usize, usize)>) {
    let mut addresses = Vec::new();
    for (bank, words) in shape.iter().enumerate() {
        for (word, &lanes) in words.iter().enumerate() {
            addresses.extend(std::iter::repeat_n((word * 64 + bank * 4) as u64, lanes));
        }
    }
    let request = Request {
        space: Space::Shared,
        operation: Operation::Load,
        width: Width::Bytes4,
        active: LaneMask::first(addresses.len()),
        addresses: &addresses,
    };
    let counts = Device::by_id("cc1.0")
        .unwrap()
        .shared_counts(&request)
        .unwrap();
    let (least, most) = oracle::steps(shape.to_vec(), seen);
    assert_eq!(
        (counts.wavefronts_least as usize, counts.wavefronts as usize),
        (least, most),
        "{shape:?}"
    );
}

/// Every way to spread `lanes` lanes over words and banks.
fn shapes(lanes: usize) -> Vec<Vec<Vec<usize>>> {
    let mut banks: Vec<Vec<usize>> = (1..=lanes)
        .flat_map(|lanes| partitions(lanes, lanes))
        .collect();
    banks.sort();
    let mut all = Vec::new();
    extend(&banks, lanes, &mut Vec::new(), &mut all);
    all
}

fn extend(
    banks: &[Vec<usize>],
    left: usize,
    chosen: &mut Vec<Vec<usize>>,
    all: &mut Vec<Vec<Vec<usize>>>,
) {
    if left == 0 {
        all.push(chosen.clone());
    }
    for (index, bank) in banks.iter().enumerate() {
        let lanes: usize = bank.iter().sum();
        if lanes <= left {
            chosen.push(bank.clone());
            extend(&banks[index..], left - lanes, chosen, all);
            chosen.pop();
        }
    }
}

/// The ways to write `sum` as a sum of numbers up to `most`.
fn partitions(sum: usize, most: usize) -> Vec<Vec<usize>> {
    if sum == 0 {
        return vec![Vec::new()];
    }
    (1..=sum.min(most))
        .flat_map(|first| {
            partitions(sum - first, first)
                .into_iter()
                .map(move |mut rest| {
                    rest.push(first);
                    rest
                })
        })
        .collect()
}

#[test]
fn every_fact_has_a_source_and_ids_are_unique() {
    let mut ids: Vec<&str> = Vec::new();
    for device in Device::all() {
        ids.push(device.id());
        ids.extend(device.aliases());
        let facts = device.facts();
        assert!(
            facts.iter().all(|fact| !fact.source.is_empty()),
            "{}",
            device.id()
        );
        assert_eq!(Device::by_id(device.id()), Some(device));
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    assert_eq!(Device::default().id(), "cc9.0");
    assert!(Device::by_id("cc99").is_none());
}

#[test]
fn a_badge_follows_the_rule_that_was_used() {
    let pairs: Vec<u64> = (0..32).map(|lane| lane / 2 * 16).collect();
    let apart: Vec<u64> = (0..32).map(|lane| lane * 16).collect();
    let confidence = |id: &str, addresses: &[u64]| {
        Device::by_id(id).unwrap().confidence(&Request {
            space: Space::Shared,
            operation: Operation::Load,
            width: Width::Bytes16,
            active: LaneMask::first(32),
            addresses,
        })
    };
    assert_eq!(confidence("cc9.0", &pairs), Confidence::Measured);
    assert_eq!(confidence("cc8.0", &pairs), Confidence::Inferred);
    assert_eq!(confidence("cc8.0", &apart), Confidence::Documented);
    assert_eq!(confidence("apple", &apart), Confidence::Unknown);
}
