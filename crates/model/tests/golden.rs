//! The model against the counters of an NVIDIA H200: `tests/golden/README.md`.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};

const PATTERNS: &str = include_str!("../../../tests/golden/h200_patterns.csv");
const INCREMENTS: &str = include_str!("../../../tests/golden/h200_increments.csv");

/// One row: what was executed and what was counted.
struct Row {
    number: usize,
    instruction: String,
    active: LaneMask,
    addresses: Vec<u64>,
    wavefronts: Option<u32>,
    conflicts: Option<u32>,
    sectors: Option<u32>,
}

impl Row {
    fn request(&self) -> Request<'_> {
        let (space, operation, width) = instruction(&self.instruction);
        Request {
            space,
            operation,
            width,
            active: self.active,
            addresses: &self.addresses,
        }
    }
}

fn instruction(text: &str) -> (Space, Operation, Width) {
    let parts: Vec<&str> = text.split('.').collect();
    let matrices = || parts[1].trim_start_matches('x').parse().unwrap();
    let bits = || parts[2].trim_start_matches(['b', 'u']).parse::<u64>();
    let space = |name: &str| match name {
        "shared" => Space::Shared,
        "global" => Space::Global,
        other => panic!("space {other}"),
    };
    let width = || Width::from_bytes(bits().unwrap() / 8).unwrap();
    match parts[0] {
        "ld" => (space(parts[1]), Operation::Load, width()),
        "st" => (space(parts[1]), Operation::Store, width()),
        "atom" => (space(parts[1]), Operation::Atomic, Width::Bytes4),
        "atoms" => (Space::Shared, Operation::Increment, Width::Bytes4),
        "red" => (space(parts[1]), Operation::Reduction, Width::Bytes4),
        "ldmatrix" => {
            let matrices = matrices();
            (
                Space::Shared,
                Operation::MatrixLoad { matrices },
                Width::Bytes16,
            )
        }
        "stmatrix" => {
            let matrices = matrices();
            (
                Space::Shared,
                Operation::MatrixStore { matrices },
                Width::Bytes16,
            )
        }
        other => panic!("instruction {other}"),
    }
}

fn rows(file: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    let header = reader.headers().unwrap().clone();
    let columns = [
        "instruction",
        "pattern",
        "shared_wavefronts",
        "shared_bank_conflicts",
        "global_sectors",
        "lane0",
    ];
    assert_eq!(header.iter().take(6).collect::<Vec<_>>(), columns);
    let records = reader.records().zip(2..);
    records
        .map(|(cells, line)| row(line, &cells.unwrap()))
        .collect()
}

fn row(number: usize, cells: &csv::StringRecord) -> Row {
    assert_eq!(cells.len(), 5 + 32, "line {number}");
    let lanes: Vec<&str> = cells.iter().skip(5).collect();
    Row {
        number,
        instruction: cells[0].to_owned(),
        active: LaneMask(
            (0..32)
                .filter(|&lane| !lanes[lane].is_empty())
                .fold(0, |mask, lane| mask | 1 << lane),
        ),
        addresses: lanes.iter().map(|lane| lane.parse().unwrap_or(0)).collect(),
        wavefronts: cells[2].parse().ok(),
        conflicts: cells[3].parse().ok(),
        sectors: cells[4].parse().ok(),
    }
}

/// The rows whose instruction starts with one of `names`.
fn rows_of(names: &[&str]) -> Vec<Row> {
    let mut rows = rows(PATTERNS);
    rows.retain(|row| names.iter().any(|name| row.instruction.starts_with(name)));
    rows
}

#[test]
fn every_shared_row_agrees() {
    let device = Device::default();
    let rows = rows_of(&[
        "ld.shared",
        "st.shared",
        "atom.shared",
        "ldmatrix",
        "stmatrix",
    ]);
    assert_eq!(rows.len(), 1836);
    for row in rows {
        let counts = device.shared_counts(&row.request()).unwrap();
        assert_eq!(
            (Some(counts.wavefronts), Some(counts.conflicts)),
            (row.wavefronts, row.conflicts),
            "line {} {}",
            row.number,
            row.instruction
        );
    }
}

#[test]
fn every_global_load_and_store_agrees() {
    let device = Device::default();
    let rows = rows_of(&["ld.global", "st.global"]);
    assert_eq!(rows.len(), 350);
    for row in rows {
        let counts = device.global_counts(&row.request()).unwrap();
        assert_eq!(
            Some(counts.units),
            row.sectors,
            "line {} {}",
            row.number,
            row.instruction
        );
        assert_eq!(counts.units, counts.sectors);
    }
}

#[test]
fn every_reduction_agrees() {
    let device = Device::default();
    let rows = rows_of(&["red.global"]);
    assert_eq!(rows.len(), 58);
    for row in rows {
        let units = device.global_counts(&row.request()).unwrap().units;
        assert_eq!(Some(units), row.sectors, "line {}", row.number);
    }
}

/// Atomic operations of single warps, counted by an H100: instruction, sectors, 32 offsets, of which those of lanes that
/// are off are empty.
const ATOMICS: &str = include_str!("../../../tests/golden/h100_atomics.csv");

#[test]
fn every_scattered_atomic_agrees() {
    let device = Device::default();
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .from_reader(ATOMICS.as_bytes());
    let mut count = 0;
    for record in reader.records() {
        let record = record.unwrap();
        let (instruction, sectors) = (&record[0], record[1].parse::<u32>().unwrap());
        let lanes: Vec<Option<u64>> = record.iter().skip(2).map(|one| one.parse().ok()).collect();
        let on = lanes.iter().enumerate().filter(|(_, lane)| lane.is_some());
        let addresses: Vec<u64> = lanes.iter().map(|lane| lane.unwrap_or(0)).collect();
        let request = Request {
            space: Space::Global,
            operation: match instruction.split('.').next() {
                Some("atom") => Operation::Atomic,
                _ => Operation::Reduction,
            },
            width: if instruction.ends_with("64") {
                Width::Bytes8
            } else {
                Width::Bytes4
            },
            active: LaneMask(on.fold(0, |mask, (lane, _)| mask | 1 << lane)),
            addresses: &addresses,
        };
        let units = device.global_counts(&request).unwrap().units;
        assert_eq!(units, sectors, "{instruction} {lanes:?}");
        count += 1;
    }
    assert_eq!(count, 863 + 280);
}

#[test]
fn every_increment_agrees() {
    let device = Device::default();
    let rows = rows(INCREMENTS);
    assert_eq!(rows.len(), 68);
    for row in rows {
        let counts = device.shared_counts(&row.request()).unwrap();
        assert_eq!(
            (Some(counts.wavefronts), Some(counts.conflicts)),
            (row.wavefronts, row.conflicts),
            "line {}",
            row.number
        );
    }
}

/// Loads of 64 and 128 bits with lanes off: instruction, pattern, the hardware's wavefronts, the profiler's source-level
/// figure, 32 offsets.
const LANES_OFF: &str = include_str!("../../../tests/golden/h200_lanes_off.csv");

#[test]
fn every_load_with_lanes_off_agrees_with_the_hardware() {
    let device = Device::default();
    let mut reader = csv::Reader::from_reader(LANES_OFF.as_bytes());
    let (mut rows, mut apart) = (0, 0);
    for cells in reader.records() {
        let cells = cells.unwrap();
        let (space, operation, width) = instruction(&cells[0]);
        let lanes: Vec<Option<u64>> = cells.iter().skip(4).map(|lane| lane.parse().ok()).collect();
        let active = (0..32).filter(|lane| lanes[*lane].is_some());
        let addresses: Vec<u64> = lanes.iter().map(|lane| lane.unwrap_or(0)).collect();
        let request = Request {
            space,
            operation,
            width,
            active: LaneMask(active.fold(0, |mask, lane| mask | 1 << lane)),
            addresses: &addresses,
        };
        let counts = device.shared_counts(&request).unwrap();
        rows += 1;
        assert_eq!(
            counts.wavefronts.to_string(),
            cells[2],
            "{} {:?}",
            &cells[1],
            request.active
        );
        apart += u32::from(cells[2] != cells[3]);
    }
    // The profiler's source page counts in software, and otherwise than the hardware where lanes are off.
    assert_eq!((rows, apart), (844, 104));
}
