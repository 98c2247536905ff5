// The requests that the benchmark times, natively (`benches/model.rs`) and in WebAssembly
// (`examples/timings.rs`): both include this file. All are one warp of 32 lanes on CC 9.0.

/// One request to time.
#[derive(Clone, Debug)]
pub struct Case {
    /// A stable short name.
    pub name: &'static str,
    /// Which of the two budgets it has.
    pub budget: Budget,
    /// Which memory.
    pub space: Space,
    /// What is done there.
    pub operation: Operation,
    /// Bytes a lane.
    pub width: Width,
    /// The lanes that are on.
    pub active: LaneMask,
    /// Byte addresses.
    pub addresses: [u64; 32],
}

/// How long one request may take, natively.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Conflict-free or coalesced: 40 ns.
    Free,
    /// Anything else: 90 ns.
    Worst,
}

impl Budget {
    /// The budget in nanoseconds.
    pub const fn nanoseconds(self) -> f64 {
        match self {
            Self::Free => 40.0,
            Self::Worst => 90.0,
        }
    }
}

impl Case {
    /// The request.
    pub fn request(&self) -> Request<'_> {
        Request {
            space: self.space,
            operation: self.operation,
            width: self.width,
            active: self.active,
            addresses: &self.addresses,
        }
    }

    /// The counts of this request, as one number that depends on all of them.
    pub fn run(&self, device: &Device) -> u32 {
        match self.space {
            Space::Shared => device.shared_counts(&self.request()).map_or(0, |counts| {
                counts.wavefronts + counts.ideal_wavefronts + counts.conflicts + counts.ways
            }),
            Space::Global => device.global_counts(&self.request()).map_or(0, |counts| {
                counts.units + counts.ideal_units + counts.lines + counts.bytes_used
            }),
        }
    }
}

/// A fixed sequence of numbers that look random.
fn scramble(index: u64) -> u64 {
    let mixed = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 32
}

/// The lanes in an order that looks random.
fn shuffled(lane: u64) -> u64 {
    ((lane * 11 + 5) % 32) ^ 0b1_0010
}

/// A load of `width` by every lane.
fn load(
    name: &'static str,
    budget: Budget,
    space: Space,
    width: Width,
    address: impl Fn(u64) -> u64,
) -> Case {
    Case {
        name,
        budget,
        space,
        operation: Operation::Load,
        width,
        active: LaneMask::first(32),
        addresses: std::array::from_fn(|lane| address(lane as u64)),
    }
}

/// A load of shared memory of 4 bytes a lane that has conflicts.
fn conflict(name: &'static str, address: impl Fn(u64) -> u64) -> Case {
    load(name, Budget::Worst, Space::Shared, Width::Bytes4, address)
}

/// `case` as a store.
fn store(case: Case) -> Case {
    Case {
        operation: Operation::Store,
        ..case
    }
}

/// Requests to shared memory.
fn shared_cases() -> Vec<Case> {
    let free = |name, width, address: fn(u64) -> u64| {
        load(name, Budget::Free, Space::Shared, width, address)
    };
    vec![
        free("shared_free_b8", Width::Bytes1, |lane| lane),
        free("shared_free_b32", Width::Bytes4, |lane| lane * 4),
        free("shared_free_b64", Width::Bytes8, |lane| lane * 8),
        free("shared_free_b128", Width::Bytes16, |lane| lane * 16),
        store(free("shared_free_b128_store", Width::Bytes16, |lane| {
            lane * 16
        })),
        free("shared_free_padded_column", Width::Bytes4, |lane| {
            lane * 132
        }),
        free("shared_free_permutation", Width::Bytes4, |lane| {
            shuffled(lane) * 4
        }),
        free("shared_broadcast", Width::Bytes4, |_| 128),
        free("shared_broadcast_b128", Width::Bytes16, |_| 128),
        Case {
            active: LaneMask(0x5555_5555),
            ..free("shared_free_half_on", Width::Bytes4, |lane| lane * 4)
        },
        conflict("shared_2_way", |lane| lane * 8),
        conflict("shared_4_way", |lane| lane * 16),
        conflict("shared_8_way", |lane| lane * 32),
        conflict("shared_16_way", |lane| lane * 64),
        conflict("shared_32_way", |lane| lane * 128),
        conflict("shared_32_way_shuffled", |lane| shuffled(lane) * 128),
        conflict("shared_random", |lane| scramble(lane) % 12_288 * 4),
        conflict("shared_random_227k", |lane| scramble(lane) % 58_112 * 4),
        conflict("shared_random_megabyte", |lane| {
            scramble(lane) % 262_144 * 4
        }),
        conflict("shared_duplicates_in_one_bank", |lane| {
            scramble(lane) % 16 * 128
        }),
        conflict("shared_duplicates_random", |lane| scramble(lane) % 24 * 68),
        Case {
            active: LaneMask(0xdeb7_6fd9),
            ..conflict("shared_random_some_on", |lane| scramble(lane) % 12_288 * 4)
        },
        load(
            "shared_random_b64",
            Budget::Worst,
            Space::Shared,
            Width::Bytes8,
            |lane| scramble(lane) % 6144 * 8,
        ),
        load(
            "shared_32_way_b128",
            Budget::Worst,
            Space::Shared,
            Width::Bytes16,
            |lane| lane * 512,
        ),
        load(
            "shared_random_b8",
            Budget::Worst,
            Space::Shared,
            Width::Bytes1,
            |lane| scramble(lane) % 49_152,
        ),
    ]
}

/// Requests to global memory.
fn global_cases() -> Vec<Case> {
    let free = |name, width, address: fn(u64) -> u64| {
        load(name, Budget::Free, Space::Global, width, address)
    };
    let worst = |name, width, address: fn(u64) -> u64| {
        load(name, Budget::Worst, Space::Global, width, address)
    };
    vec![
        free("global_coalesced_b8", Width::Bytes1, |lane| lane),
        free("global_coalesced_b32", Width::Bytes4, |lane| {
            4096 + lane * 4
        }),
        free("global_coalesced_b128", Width::Bytes16, |lane| {
            4096 + lane * 16
        }),
        free("global_offset_b32", Width::Bytes4, |lane| 4100 + lane * 4),
        worst("global_strided", Width::Bytes4, |lane| lane * 4096),
        worst("global_column_down", Width::Bytes4, |lane| {
            (31 - lane) * 16_384
        }),
        worst("global_permutation", Width::Bytes4, |lane| {
            shuffled(lane) * 4
        }),
        worst("global_random_64k", Width::Bytes4, |lane| {
            scramble(lane) % 16_384 * 4
        }),
        worst("global_random_256m", Width::Bytes4, |lane| {
            scramble(lane) % 67_108_864 * 4
        }),
        worst("global_random_b8", Width::Bytes1, |lane| {
            scramble(lane) % 4096
        }),
        worst("global_random_duplicates", Width::Bytes4, |lane| {
            scramble(lane) % 40 * 4
        }),
        worst("global_random_4m", Width::Bytes4, |lane| {
            scramble(lane) % 1_048_576 * 4
        }),
        Case {
            active: LaneMask(0xdeb7_6fd9),
            ..worst("global_random_4m_some_on", Width::Bytes4, |lane| {
                scramble(lane) % 1_048_576 * 4
            })
        },
    ]
}

/// Atomic operations on global memory.
fn global_atomic_cases() -> Vec<Case> {
    let atomic = |name, width, address: fn(u64) -> u64| Case {
        operation: Operation::Reduction,
        ..load(name, Budget::Worst, Space::Global, width, address)
    };
    vec![
        atomic("global_atomic_coalesced", Width::Bytes4, |lane| lane * 4),
        atomic("global_atomic_one_word", Width::Bytes4, |_| 128),
        atomic("global_atomic_histogram", Width::Bytes4, |lane| {
            scramble(lane) % 256 * 4
        }),
        Case {
            active: LaneMask(0xdeb7_6fd9),
            ..atomic("global_atomic_histogram_some_on", Width::Bytes4, |lane| {
                scramble(lane) % 256 * 4
            })
        },
        atomic("global_atomic_histogram_b64", Width::Bytes8, |lane| {
            scramble(lane) % 256 * 8
        }),
        atomic("global_atomic_histogram_256k", Width::Bytes4, |lane| {
            scramble(lane % 31) % 65_536 * 4
        }),
        atomic("global_atomic_random_4m", Width::Bytes4, |lane| {
            scramble(lane) % 1_048_576 * 4
        }),
    ]
}

/// Every request that is timed.
pub fn cases() -> Vec<Case> {
    let mut cases = shared_cases();
    cases.extend(global_cases());
    cases.extend(global_atomic_cases());
    cases
}
