//! Asynchronous copies against the counters of an NVIDIA H200 and an H100
//! (`tests/golden/README.md`), and against the definition.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use crate::copies;

use lanescope_model::{
    AsyncCache, AsyncCopy, AsyncCopyCounts, Confidence, Device, LaneMask, Unknown, Width,
};
use proptest::prelude::*;

const FILES: [&str; 2] = [
    include_str!("../../../tests/golden/h200_cp_async.csv"),
    include_str!("../../../tests/golden/h100_cp_async.csv"),
];

/// A copy that owns its addresses.
#[derive(Clone, Debug)]
struct Owned {
    cache: AsyncCache,
    width: Width,
    active: LaneMask,
    reads: LaneMask,
    destinations: Vec<u64>,
    sources: Vec<u64>,
}

impl Owned {
    fn copy(&self) -> AsyncCopy<'_> {
        AsyncCopy {
            cache: self.cache,
            width: self.width,
            active: self.active,
            reads: self.reads,
            destinations: &self.destinations,
            sources: &self.sources,
        }
    }
}

/// One row: what was executed and what was counted.
struct Row {
    name: String,
    owned: Owned,
    wavefronts: u32,
    conflicts: u32,
    page_sectors: u32,
    /// The launch's total, where it was measured.
    sectors: Option<u32>,
}

fn rows() -> Vec<Row> {
    FILES.iter().flat_map(|file| rows_of(file)).collect()
}

fn rows_of(file: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    let row = |cells: csv::StringRecord| {
        let on = (0..32).filter(|lane| !cells[5 + lane].is_empty());
        let active = LaneMask(on.fold(0, |mask, lane| mask | 1 << lane));
        let addresses = |from: usize| -> Vec<u64> {
            let lanes = cells.iter().skip(from).take(32);
            lanes.map(|lane| lane.parse().unwrap_or(0)).collect()
        };
        let parts: Vec<&str> = cells[0].split('.').collect();
        Row {
            name: format!("{} {}", &cells[0], &cells[1]),
            owned: Owned {
                cache: match parts[2] {
                    "ca" => AsyncCache::All,
                    "cg" => AsyncCache::PastL1,
                    other => panic!("cache {other}"),
                },
                width: Width::from_bytes(parts[3].parse().unwrap()).unwrap(),
                active,
                reads: active,
                destinations: addresses(5),
                sources: addresses(37),
            },
            wavefronts: cells[2].parse().unwrap(),
            conflicts: cells[3].parse().unwrap(),
            page_sectors: cells[4].parse().unwrap(),
            sectors: cells.get(69).map(|sectors| sectors.parse().unwrap()),
        }
    };
    reader.records().map(|cells| row(cells.unwrap())).collect()
}

/// The rows through `cache`, with what the model says of them.
fn answered(cache: AsyncCache) -> Vec<(Row, AsyncCopyCounts)> {
    let device = Device::default();
    let mut rows = rows();
    rows.retain(|row| row.owned.cache == cache);
    rows.into_iter()
        .map(|row| {
            let counts = device.async_copy_counts(&row.owned.copy()).unwrap();
            assert_eq!(counts.confidence, Confidence::Measured);
            (row, counts)
        })
        .collect()
}

#[test]
fn every_copy_through_all_caches_agrees() {
    let rows = answered(AsyncCache::All);
    assert_eq!(rows.len(), 113 + 537);
    for (row, counts) in rows {
        assert!(counts.has_exact_wavefronts && counts.has_exact_sectors);
        assert_eq!(
            (counts.wavefronts, counts.conflicts, counts.page_sectors),
            (row.wavefronts, row.conflicts, row.page_sectors),
            "{}",
            row.name
        );
        let sectors = row.sectors.unwrap_or(row.page_sectors);
        assert_eq!(counts.sectors, sectors, "{}", row.name);
    }
}

#[test]
fn sectors_of_every_copy_past_l1_agree_unless_lanes_race() {
    let rows = answered(AsyncCache::PastL1);
    assert_eq!(rows.len(), 39 + 1234);
    let (mut exact, mut races, mut racing) = (0, 0, 0);
    for (row, counts) in rows {
        assert_eq!(counts.page_sectors, row.page_sectors, "{}", row.name);
        assert_eq!((counts.conflicts, row.conflicts), (0, 0), "{}", row.name);
        let Some(sectors) = row.sectors else { continue };
        if counts.has_exact_sectors {
            exact += 1;
            assert_eq!(counts.sectors, sectors, "{}", row.name);
        } else {
            races += 1;
            racing += u32::from(counts.sectors == sectors);
        }
    }
    assert_eq!((exact, races, racing), (1179, 55, 35));
}

#[test]
fn wavefronts_of_copies_past_l1_are_never_fewer_than_the_bound() {
    let (mut exact, mut bounds, mut tight) = (0, 0, 0);
    for (row, counts) in answered(AsyncCache::PastL1) {
        assert!(counts.wavefronts <= row.wavefronts, "{}", row.name);
        if counts.has_exact_wavefronts {
            exact += 1;
            assert_eq!(counts.wavefronts, row.wavefronts, "{}", row.name);
        } else {
            bounds += 1;
            tight += u32::from(counts.wavefronts == row.wavefronts);
        }
        assert!(counts.ideal_wavefronts <= counts.wavefronts);
    }
    assert_eq!((exact, bounds, tight), (433, 840, 777));
}

#[test]
fn lanes_that_only_write_zeros_read_no_sector() {
    let row: Vec<u64> = (0..32).map(|lane| 16 * lane).collect();
    let counts = |cache, reads| {
        let copy = AsyncCopy {
            cache,
            width: Width::Bytes16,
            active: LaneMask::first(32),
            reads,
            destinations: &row,
            sources: &row,
        };
        Device::default().async_copy_counts(&copy).unwrap()
    };
    for cache in [AsyncCache::All, AsyncCache::PastL1] {
        let some = counts(cache, LaneMask::first(20));
        assert_eq!(
            (some.requests, some.sectors, some.page_sectors),
            (1, 10, 10)
        );
        assert_eq!((some.wavefronts, some.ideal_sectors), (4, 10));
        let none = counts(cache, LaneMask::NONE);
        assert_eq!((none.requests, none.sectors, none.wavefronts), (0, 0, 4));
        assert!(some.has_exact_wavefronts && some.has_exact_sectors);
    }
}

#[test]
fn devices_without_the_instruction_say_so() {
    let copy = AsyncCopy {
        cache: AsyncCache::All,
        width: Width::Bytes4,
        active: LaneMask(u64::MAX),
        reads: LaneMask(u64::MAX),
        destinations: &[u64::MAX; 70],
        sources: &[u64::MAX; 70],
    };
    for device in Device::all() {
        let has = ["cc8.0", "cc8.6", "cc9.0", "cc10.x", "cc12.x"].contains(&device.id());
        let counts = device.async_copy_counts(&copy);
        assert_eq!(counts.is_ok(), has, "{}", device.id());
    }
    let wide = AsyncCopy {
        cache: AsyncCache::PastL1,
        ..copy
    };
    let counts = Device::default().async_copy_counts(&wide);
    assert_eq!(counts, Err(Unknown::Instruction));
}

/// Addresses of one side: strided, in rows at a pitch, repeated, random, at the end of the space.
fn addresses(bytes: u64) -> impl Strategy<Value = Vec<u64>> {
    let span = prop_oneof![Just(8_u64), Just(32), Just(64), Just(512)];
    let base = prop_oneof![4 => 0..64_u64, 1 => Just(u64::MAX / 16 - 40)];
    let lanes = prop_oneof![4 => Just(32_usize), 1 => Just(64), 1 => 0..70_usize];
    (span, base, 0..4_u8, 1..20_u64, any::<bool>(), lanes).prop_flat_map(
        move |(span, base, kind, stride, aligned, lanes)| {
            proptest::collection::vec(0..span, lanes).prop_map(move |random| {
                let element = |lane: usize| match kind {
                    0 => lane as u64 * stride,
                    1 => lane as u64 / 8 * stride + lane as u64 % 8,
                    2 => random[lane / 2 * 2],
                    _ => random[lane],
                };
                let unit = if aligned { bytes } else { 1 };
                (0..lanes)
                    .map(|lane| base.wrapping_mul(unit).wrapping_add(element(lane) * unit))
                    .collect()
            })
        },
    )
}

fn owned() -> impl Strategy<Value = Owned> {
    let kinds = prop_oneof![
        1 => Just((AsyncCache::All, Width::Bytes4)),
        1 => Just((AsyncCache::All, Width::Bytes8)),
        1 => Just((AsyncCache::All, Width::Bytes16)),
        4 => Just((AsyncCache::PastL1, Width::Bytes16)),
    ];
    let mask = || prop_oneof![2 => Just(u64::MAX), 1 => any::<u64>()];
    (kinds, mask(), mask()).prop_flat_map(|((cache, width), active, reads)| {
        let sides = (addresses(width.bytes()), addresses(width.bytes()));
        sides.prop_map(move |(destinations, sources)| Owned {
            cache,
            width,
            active: LaneMask(active),
            reads: LaneMask(reads),
            destinations,
            sources,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn the_model_is_the_definition(owned in owned()) {
        let counts = Device::default().async_copy_counts(&owned.copy()).unwrap();
        let found = copies::Copies {
            wavefronts: counts.wavefronts,
            is_exact: counts.has_exact_wavefronts,
            conflicts: counts.conflicts,
            sectors: counts.sectors,
            page_sectors: counts.page_sectors,
            has_rivals: !counts.has_exact_sectors,
        };
        prop_assert_eq!(Some(found), copies::copies(&owned.copy()));
        prop_assert!(counts.ideal_wavefronts <= counts.wavefronts);
        prop_assert!(counts.ideal_sectors <= counts.sectors);
        prop_assert!(counts.sectors <= counts.page_sectors);
        prop_assert!(counts.ways <= counts.wavefronts);
    }

    #[test]
    fn whole_lines_may_be_added_to_either_side(owned in owned(), by in [0..9_u64, 0..9]) {
        let mut moved = owned.clone();
        let shift = |addresses: &mut Vec<u64>, lines: u64| {
            for address in addresses {
                *address = (*address % (1 << 40)) + 128 * lines;
            }
        };
        let mut owned = owned;
        for (side, lines) in [(&mut owned, [0, 0]), (&mut moved, by)] {
            shift(&mut side.destinations, lines[0]);
            shift(&mut side.sources, lines[1]);
        }
        let device = Device::default();
        prop_assert_eq!(
            device.async_copy_counts(&owned.copy()),
            device.async_copy_counts(&moved.copy())
        );
    }
}
