//! Worked examples of the generations that were not measured, from the documents that state
//! their rules: `vectors/generations.csv`, a row each with its source. A blank is not stated.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use lanescope_model::{
    Broadcast, CustomDevice, Device, LaneMask, Operation, Request, Space, Unknown, Width,
};

/// One example.
struct Example {
    cells: csv::StringRecord,
    header: csv::StringRecord,
    active: LaneMask,
    addresses: Vec<u64>,
}

impl Example {
    fn cell(&self, name: &str) -> &str {
        let column = self
            .header
            .iter()
            .position(|header| header == name)
            .unwrap();
        &self.cells[column]
    }

    fn device(&self) -> &'static Device {
        Device::by_id(self.cell("device")).unwrap()
    }

    fn request(&self) -> Request<'_> {
        Request {
            space: match self.cell("space") {
                "shared" => Space::Shared,
                "global" => Space::Global,
                other => panic!("space {other}"),
            },
            operation: match self.cell("operation") {
                "load" => Operation::Load,
                "store" => Operation::Store,
                "atomic" => Operation::Atomic,
                "ldmatrix.x1" => Operation::MatrixLoad { matrices: 1 },
                "ldmatrix.x4" => Operation::MatrixLoad { matrices: 4 },
                other => panic!("operation {other}"),
            },
            width: Width::from_bytes(self.cell("bytes").parse().unwrap()).unwrap(),
            active: self.active,
            addresses: &self.addresses,
        }
    }

    /// Compares what is stated in `column` with what the model has.
    fn holds(&self, column: &str, found: u32) {
        let stated = self.cell(column);
        assert!(
            stated.is_empty() || stated.parse() == Ok(found),
            "{} on {}: {column} {found}, stated {stated} by {}",
            self.cell("what"),
            self.cell("device"),
            self.cell("source")
        );
    }
}

fn examples() -> Vec<Example> {
    let mut reader = csv::Reader::from_reader(include_bytes!("vectors/generations.csv").as_slice());
    let header = reader.headers().unwrap().clone();
    let example = |cells: csv::StringRecord| {
        let lanes: Vec<&str> = cells[cells.len() - 1].split(' ').collect();
        Example {
            active: LaneMask(
                (0..lanes.len())
                    .filter(|&lane| lanes[lane] != "-")
                    .fold(0, |mask, lane| mask | 1 << lane),
            ),
            addresses: lanes.iter().map(|lane| lane.parse().unwrap_or(0)).collect(),
            header: header.clone(),
            cells,
        }
    };
    reader
        .records()
        .map(|record| example(record.unwrap()))
        .collect()
}

#[test]
fn every_worked_example_holds() {
    let examples = examples();
    assert!(examples.len() > 180);
    for example in examples {
        let request = example.request();
        if request.space == Space::Shared {
            let counts = example.device().shared_counts(&request).unwrap();
            example.holds("wavefronts", counts.wavefronts);
            example.holds("least", counts.wavefronts_least);
            example.holds("ideal", counts.ideal_wavefronts);
            example.holds("ways", counts.ways);
        } else {
            let counts = example.device().global_counts(&request).unwrap();
            example.holds("requests", counts.requests);
            example.holds("units", counts.units);
            example.holds("moved", counts.bytes_moved);
        }
    }
}

/// A block's stores of an interleaved reduction, step by step: the conflicts of all its warps.
#[test]
fn an_interleaved_reduction_of_256_has_35_store_conflicts() {
    let device = Device::by_id("cc5.x").unwrap();
    let conflicts = |step: u64| -> u32 {
        (0..8)
            .map(|warp| {
                let index = |lane: u64| 2 * step * (32 * warp + lane);
                let addresses: Vec<u64> = (0..32).map(|lane| 4 * index(lane)).collect();
                let on = (0..32).filter(|&lane| index(lane) < 256);
                let request = Request {
                    space: Space::Shared,
                    operation: Operation::Store,
                    width: Width::Bytes4,
                    active: LaneMask(on.fold(0, |mask, lane| mask | 1 << lane)),
                    addresses: &addresses,
                };
                device.shared_counts(&request).unwrap().conflicts
            })
            .sum()
    };
    let terms = [1, 2, 4, 8, 16, 32, 64, 128].map(conflicts);
    assert_eq!(terms, [4, 6, 7, 7, 7, 3, 1, 0]);
    assert_eq!(terms.iter().sum::<u32>() * 131_072, 4_587_520);
}

/// A device of four banks and four lanes, and one whose unit has more lanes than banks.
#[test]
fn a_device_is_four_numbers() {
    let custom = |banks, lanes, broadcast| {
        Device::custom(CustomDevice {
            banks,
            bank_bits: 32,
            lanes,
            broadcast,
            sector_bytes: 32,
            line_bytes: 128,
        })
        .unwrap()
    };
    let counts = |device: &Device, word: &dyn Fn(u64) -> u64| {
        let addresses: Vec<u64> = (0..u64::from(device.warp_lanes()))
            .map(|i| 4 * word(i))
            .collect();
        let request = Request {
            space: Space::Shared,
            operation: Operation::Load,
            width: Width::Bytes4,
            active: LaneMask::first(addresses.len()),
            addresses: &addresses,
        };
        let counts = device.shared_counts(&request).unwrap();
        (counts.wavefronts, counts.ways)
    };
    let four = custom(4, 4, Broadcast::AnyWord);
    assert_eq!(counts(&four, &|i| i), (1, 1));
    assert_eq!(counts(&four, &|i| 2 * i), (2, 2));
    assert_eq!(counts(&four, &|i| i % 2), (1, 1));
    assert_eq!(counts(&custom(4, 4, Broadcast::None), &|i| i % 2), (2, 2));
    assert_eq!(
        counts(&custom(4, 4, Broadcast::OneWordAStep), &|_| 3),
        (1, 1)
    );
    let wave = custom(32, 64, Broadcast::AnyWord);
    assert_eq!(counts(&wave, &|i| i), (2, 1));
    assert_eq!(counts(&wave, &|i| 32 * i), (64, 32));
    assert_eq!(counts(&custom(32, 32, Broadcast::AnyWord), &|i| i), (1, 1));
}

/// Rules that nobody has published are named, not guessed.
#[test]
fn what_is_unknown_is_said() {
    let addresses = [0; 64];
    let ask = |id: &str, operation, width| {
        let device = Device::by_id(id).unwrap();
        let request = |space| Request {
            space,
            operation,
            width,
            active: LaneMask(u64::MAX),
            addresses: &addresses,
        };
        (
            device.shared_counts(&request(Space::Shared)).err(),
            device.global_counts(&request(Space::Global)).err(),
        )
    };
    let (load, store) = (Operation::Load, Operation::Store);
    let wide = Width::Bytes16;
    let write = Some(Unknown::WritePhases { bytes: 16 });
    for id in ["rdna3", "rdna4", "cdna4"] {
        assert_eq!(ask(id, store, wide), (write, None));
        assert_eq!(ask(id, load, wide), (None, None));
    }
    assert_eq!(
        ask("apple", load, Width::Bytes4),
        (Some(Unknown::Banks), None)
    );
    assert_eq!(
        ask("mali", load, Width::Bytes4),
        (Some(Unknown::NoSharedMemory), Some(Unknown::GlobalPieces))
    );
    assert_eq!(
        ask("cc2.x", Operation::Atomic, Width::Bytes4),
        (Some(Unknown::Atomics), Some(Unknown::Atomics))
    );
    let matrix = Operation::MatrixLoad { matrices: 1 };
    assert_eq!(ask("cc6.x", matrix, wide).0, Some(Unknown::Instruction));
}

#[test]
fn a_custom_device_out_of_bounds_is_refused() {
    let fine = CustomDevice {
        banks: 32,
        bank_bits: 32,
        lanes: 32,
        broadcast: Broadcast::AnyWord,
        sector_bytes: 32,
        line_bytes: 128,
    };
    assert!(Device::custom(fine).is_ok());
    for wrong in [
        CustomDevice { banks: 0, ..fine },
        CustomDevice {
            banks: 1025,
            ..fine
        },
        CustomDevice {
            bank_bits: 12,
            ..fine
        },
        CustomDevice { lanes: 65, ..fine },
        CustomDevice {
            sector_bytes: 48,
            ..fine
        },
        CustomDevice {
            line_bytes: 16,
            ..fine
        },
    ] {
        assert!(Device::custom(wrong).is_err(), "{wrong:?}");
    }
}
