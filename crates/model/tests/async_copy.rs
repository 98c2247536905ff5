//! Asynchronous copies against the counters of an NVIDIA H200: `tests/golden/README.md`.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use lanescope_model::{AsyncCache, AsyncCopy, Confidence, Device, LaneMask, Unknown, Width};

const COPIES: &str = include_str!("../../../tests/golden/h200_cp_async.csv");

/// One row: the instruction, its pattern, both sides' addresses and what was counted.
struct Row {
    instruction: String,
    pattern: String,
    wavefronts: u32,
    conflicts: u32,
    active: LaneMask,
    destinations: Vec<u64>,
    sources: Vec<u64>,
}

impl Row {
    fn copy(&self) -> AsyncCopy<'_> {
        let parts: Vec<&str> = self.instruction.split('.').collect();
        AsyncCopy {
            cache: if parts[2] == "ca" {
                AsyncCache::All
            } else {
                AsyncCache::PastL1
            },
            width: Width::from_bytes(parts[3].parse().unwrap()).unwrap(),
            active: self.active,
            destinations: &self.destinations,
            sources: &self.sources,
        }
    }
}

fn rows() -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(COPIES.as_bytes());
    let row = |cells: csv::StringRecord| {
        let on = (0..32).filter(|lane| !cells[5 + lane].is_empty());
        let addresses = |from: usize| -> Vec<u64> {
            let lanes = cells.iter().skip(from).take(32);
            lanes.map(|lane| lane.parse().unwrap_or(0)).collect()
        };
        Row {
            instruction: cells[0].to_owned(),
            pattern: cells[1].to_owned(),
            wavefronts: cells[2].parse().unwrap(),
            conflicts: cells[3].parse().unwrap(),
            active: LaneMask(on.fold(0, |mask, lane| mask | 1 << lane)),
            destinations: addresses(5),
            sources: addresses(37),
        }
    };
    reader.records().map(|cells| row(cells.unwrap())).collect()
}

#[test]
fn copies_through_all_caches_agree_or_say_that_they_are_a_bound() {
    let device = Device::default();
    let mut bounds = 0;
    for row in rows().iter().filter(|row| row.instruction.contains(".ca.")) {
        let counts = device.async_copy_counts(&row.copy()).unwrap();
        let known = format!("{} {}", row.instruction, row.pattern);
        if counts.exact {
            assert_eq!(
                (counts.wavefronts, counts.conflicts),
                (row.wavefronts, row.conflicts),
                "{known}"
            );
        } else {
            bounds += 1;
            assert!(
                (0..=4).contains(&(row.wavefronts - counts.wavefronts)),
                "{known}"
            );
        }
        assert_eq!(counts.confidence, Confidence::Measured);
    }
    assert!((11..=20).contains(&bounds), "{bounds}");
}

#[test]
fn copies_past_l1_are_answered_for_aligned_rows_only() {
    let device = Device::default();
    let row: Vec<u64> = (0..32).map(|lane| 16 * lane).collect();
    let copy = AsyncCopy {
        cache: AsyncCache::PastL1,
        width: Width::Bytes16,
        active: LaneMask::first(32),
        destinations: &row,
        sources: &row,
    };
    let counts = device.async_copy_counts(&copy).unwrap();
    assert_eq!(
        (counts.wavefronts, counts.conflicts, counts.exact),
        (4, 0, true)
    );
    for row in rows().iter().filter(|row| row.instruction.contains(".cg.")) {
        match device.async_copy_counts(&row.copy()) {
            Ok(counts) => assert_eq!(counts.wavefronts, row.wavefronts, "{}", row.pattern),
            Err(unknown) => assert_eq!(unknown, Unknown::AsyncCopyPastL1),
        }
    }
}

#[test]
fn devices_without_the_instruction_say_so() {
    let copy = AsyncCopy {
        cache: AsyncCache::All,
        width: Width::Bytes4,
        active: LaneMask(u64::MAX),
        destinations: &[u64::MAX; 70],
        sources: &[u64::MAX; 70],
    };
    for device in Device::all() {
        let has = ["cc8.0", "cc8.6", "cc9.0", "cc10.x", "cc12.x"].contains(&device.id());
        assert_eq!(
            device.async_copy_counts(&copy).is_ok(),
            has,
            "{}",
            device.id()
        );
    }
}
