//! NVIDIA, by compute capability (CC).

use super::{not_served, served};
use crate::Confidence::{self, Documented, Inferred, Measured, ThirdParty};
use crate::device::Vendor;
use crate::fact::Sourced;
use crate::global_rules::{Counting, GlobalRules, Protocol};
use crate::limits::Limits;
use crate::shared_rules::{Grouping, Layout, Service, Serving, SharedRules};
use crate::{Device, Sharing, Unknown};

const GUIDE_1: &str = "CUDA C Programming Guide 4.2, F.3.3 (shared memory, CC 1.x)";
const GUIDE_1_0_GLOBAL: &str = "CUDA C Programming Guide 4.2, F.3.2.1 (global memory, CC 1.0, 1.1)";
const GUIDE_1_2_GLOBAL: &str = "CUDA C Programming Guide 4.2, F.3.2.2 (global memory, CC 1.2, 1.3)";
const GUIDE_2: &str = "CUDA C Programming Guide 4.2, F.4.3 (shared memory, CC 2.x)";
const GUIDE_2_GLOBAL: &str = "CUDA C Programming Guide 4.2, F.4.2 (global memory, CC 2.x)";
const GUIDE_3: &str = "CUDA C Programming Guide 4.2, F.5.3 (shared memory, CC 3.x)";
const GUIDE_3_GLOBAL: &str = "CUDA C Programming Guide 4.2, F.5.2 (global memory, CC 3.x)";
const KEPLER_BANDWIDTH: &str = "inferred: 32 banks of 64 bits a clock (CUDA C Programming Guide \
    4.2, F.5.3) serve 256 bytes a pass";
const GUIDE_5: &str = "CUDA C++ Programming Guide (shared memory, CC 5.x and later)";
const PHASES: &str = "CUTLASS's documents and NVIDIA's own code (phases of 32, 16, 8 lanes)";
const H200: &str = "counters of an NVIDIA H200, 2026-11-20";
const LIKE_H200: &str = "inferred from CC 9.0 (counters of an NVIDIA H200, 2026-11-20)";
const FORUM: &str = "NVIDIA staff, developer forum thread 77228 (CC 7.0, 7.5)";
const BETWEEN: &str = "inferred: stated for CC 7.x (developer forum thread 77228) and measured on \
    CC 9.0";
const MAXWELL_MERGE: &str = "inferred from CC 7.x; third-party tables have at least 2 wavefronts \
    for 128-bit loads here";
const PTX: &str = "PTX ISA, ldmatrix and stmatrix (8 rows of 16 bytes a matrix)";
const PROFILER: &str = "Nsight Compute documentation (sectors of 32 bytes, lines of four)";
const TABLE: &str = "CUDA C Programming Guide, technical specifications by compute capability";
const NOT_CHECKED: &str = "public occupancy tables, not checked against NVIDIA's text";
const FILL: &str = "public microbenchmarks (64 bytes a cycle and SM); 1,024 threads of one block of an \
    NVIDIA H100 read 49, 2026-11-25";
const SIZES_OLD: &str = "common knowledge, not checked against a document";
const NO_DOCUMENT: &str = "no document found";

const BANKS_16: Layout = Layout::new(16, 4);
const BANKS_32: Layout = Layout::new(32, 4);
const BANKS_64_BIT: Layout = Layout::new(32, 8);
const BANKS_PAIRED: Layout = Layout {
    banks: 32,
    word_bytes: 4,
    paired: 2,
};

/// A warp of 32 lanes.
const WARP: Sourced<u32> = Sourced::new(32, "CUDA C Programming Guide", Documented);

const NO_INSTRUCTION: Serving = not_served(Unknown::Instruction, PTX, Documented);

/// No rule for atomic operations on shared memory.
const ATOMICS_UNKNOWN: [Serving; 3] =
    [not_served(Unknown::Atomics, NO_DOCUMENT, Confidence::Unknown); 3];

// --- CC 1.x ---

const fn half_warps(confidence: Confidence, source: &'static str) -> [Serving; 3] {
    [Sourced::new(
        Ok(Service {
            layout: BANKS_16,
            grouping: Grouping::Runs(16),
            sharing: Sharing::OneWordAStep,
            cut: true,
            plan: None,
            merged_plan: None,
        }),
        source,
        confidence,
    ); 3]
}

const SHARED_1: SharedRules = SharedRules {
    layout: Sourced::new(Ok(BANKS_16), GUIDE_1, Documented),
    reads: half_warps(Documented, GUIDE_1),
    writes: half_warps(
        Inferred,
        "inferred for stores: CUDA C Programming Guide 4.2, F.3.3 describes the steps for reads",
    ),
    merge: None,
    atomics: ATOMICS_UNKNOWN,
    increments: None,
    swaps: None,
    matrix_loads: NO_INSTRUCTION,
    matrix_stores: NO_INSTRUCTION,
};

const fn global_1(protocol: Protocol, source: &'static str) -> GlobalRules {
    let counting: Counting = Sourced::new(Ok(protocol), source, Documented);
    GlobalRules {
        sector_bytes: Sourced::new(Ok(32), source, Documented),
        line_bytes: Sourced::new(Ok(128), source, Documented),
        loads: counting,
        stores: counting,
        atomics: Sourced::new(Err(Unknown::Atomics), NO_DOCUMENT, Confidence::Unknown),
    }
}

const GLOBAL_1_0: GlobalRules = global_1(Protocol::OrderedSegments, GUIDE_1_0_GLOBAL);
const GLOBAL_1_2: GlobalRules = global_1(Protocol::ShrinkingSegments, GUIDE_1_2_GLOBAL);

const LIMITS_1: Limits = Limits::NONE.shared([16 << 10, 16 << 10, 0, 512], SIZES_OLD, ThirdParty);
const LIMITS_1_0: Limits = LIMITS_1.residency([24, 8, 512], TABLE, Documented);
const LIMITS_1_2: Limits = LIMITS_1.residency([32, 8, 512], TABLE, Documented);

const fn cc_1(id: &'static str, name: &'static str, global: GlobalRules, limits: Limits) -> Device {
    Device {
        id,
        aliases: &[],
        name,
        vendor: Vendor::Nvidia,
        warp_lanes: WARP,
        shared: SHARED_1,
        global,
        limits,
    }
}

/// CC 1.0.
pub(crate) const CC_1_0: Device = cc_1(
    "cc1.0",
    "NVIDIA CC 1.0 (Tesla: GeForce 8800 GTX)",
    GLOBAL_1_0,
    LIMITS_1_0,
);
/// CC 1.1.
pub(crate) const CC_1_1: Device = cc_1(
    "cc1.1",
    "NVIDIA CC 1.1 (Tesla: GeForce 9800)",
    GLOBAL_1_0,
    LIMITS_1_0,
);
/// CC 1.2.
pub(crate) const CC_1_2: Device = cc_1(
    "cc1.2",
    "NVIDIA CC 1.2 (Tesla: GeForce GT 240)",
    GLOBAL_1_2,
    LIMITS_1_2,
);
/// CC 1.3.
pub(crate) const CC_1_3: Device = cc_1(
    "cc1.3",
    "NVIDIA CC 1.3 (Tesla: GeForce GTX 280)",
    GLOBAL_1_2,
    LIMITS_1_2,
);

// --- CC 2.x and 3.x ---

const FERMI: [Serving; 3] = [
    served(
        BANKS_32,
        Grouping::Runs(32),
        Sharing::AnyWord,
        GUIDE_2,
        Documented,
    ),
    served(
        BANKS_32,
        Grouping::Runs(16),
        Sharing::AnyWord,
        GUIDE_2,
        Documented,
    ),
    served(
        BANKS_32,
        Grouping::Runs(8),
        Sharing::AnyWordPlusOne,
        GUIDE_2,
        Documented,
    ),
];

const fn cached(lines: &'static str) -> GlobalRules {
    GlobalRules {
        sector_bytes: Sourced::new(Ok(32), lines, Documented),
        line_bytes: Sourced::new(Ok(128), lines, Documented),
        loads: Sourced::new(Ok(Protocol::SplitLines), lines, Documented),
        stores: Sourced::new(
            Ok(Protocol::SplitSectors),
            "inferred: stores go past L1, in the pieces of the guide's accesses cached in L2 only",
            Inferred,
        ),
        atomics: Sourced::new(Err(Unknown::Atomics), NO_DOCUMENT, Confidence::Unknown),
    }
}

/// CC 2.x.
pub(crate) const CC_2: Device = Device {
    id: "cc2.x",
    aliases: &["cc2.0", "cc2.1"],
    name: "NVIDIA CC 2.x (Fermi: GeForce GTX 580, Tesla M2090)",
    vendor: Vendor::Nvidia,
    warp_lanes: WARP,
    shared: SharedRules {
        layout: Sourced::new(Ok(BANKS_32), GUIDE_2, Documented),
        reads: FERMI,
        writes: FERMI,
        merge: None,
        atomics: ATOMICS_UNKNOWN,
        increments: None,
        swaps: None,
        matrix_loads: NO_INSTRUCTION,
        matrix_stores: NO_INSTRUCTION,
    },
    global: cached(GUIDE_2_GLOBAL),
    limits: Limits::NONE
        .shared([48 << 10, 48 << 10, 0, 128], SIZES_OLD, ThirdParty)
        .residency([48, 8, 1024], TABLE, Documented),
};

const fn kepler(layout: Layout) -> SharedRules {
    let whole = Grouping::Runs(32);
    let wide = served(
        layout,
        Grouping::Runs(16),
        Sharing::AnyWord,
        KEPLER_BANDWIDTH,
        Inferred,
    );
    let serving = [
        served(layout, whole, Sharing::AnyWord, GUIDE_3, Documented),
        served(layout, whole, Sharing::AnyWord, GUIDE_3, Documented),
        wide,
    ];
    SharedRules {
        layout: Sourced::new(Ok(layout), GUIDE_3, Documented),
        reads: serving,
        writes: serving,
        merge: None,
        atomics: ATOMICS_UNKNOWN,
        increments: None,
        swaps: None,
        matrix_loads: NO_INSTRUCTION,
        matrix_stores: NO_INSTRUCTION,
    }
}

const LIMITS_3: Limits = Limits::NONE
    .shared(
        [48 << 10, 48 << 10, 0, 256],
        "common knowledge, not checked against a document: CC 3.0 and 3.5 (CC 3.7 has 112 K an SM)",
        ThirdParty,
    )
    .residency([64, 16, 1024], TABLE, Documented);

/// CC 3.x in its mode of 4-byte banks.
pub(crate) const CC_3_4BYTE: Device = Device {
    id: "cc3.x-4byte",
    aliases: &["cc3.x", "cc3.0", "cc3.5", "cc3.7"],
    name: "NVIDIA CC 3.x, 4-byte banks (Kepler: GeForce GTX 680, Tesla K40)",
    vendor: Vendor::Nvidia,
    warp_lanes: WARP,
    shared: kepler(BANKS_PAIRED),
    global: cached(GUIDE_3_GLOBAL),
    limits: LIMITS_3,
};

/// CC 3.x in its mode of 8-byte banks.
pub(crate) const CC_3_8BYTE: Device = Device {
    id: "cc3.x-8byte",
    aliases: &[],
    name: "NVIDIA CC 3.x, 8-byte banks (Kepler: GeForce GTX 680, Tesla K40)",
    vendor: Vendor::Nvidia,
    warp_lanes: WARP,
    shared: kepler(BANKS_64_BIT),
    global: cached(GUIDE_3_GLOBAL),
    limits: LIMITS_3,
};

// --- CC 5.x and later ---

const fn phases(source: &'static str, confidence: Confidence) -> [Serving; 3] {
    let sharing = Sharing::AnyWord;
    [
        served(BANKS_32, Grouping::Runs(32), sharing, source, confidence),
        served(BANKS_32, Grouping::Runs(16), sharing, source, confidence),
        served(BANKS_32, Grouping::Runs(8), sharing, source, confidence),
    ]
}

const fn lane_by_lane(source: &'static str, confidence: Confidence) -> [Serving; 3] {
    let wide = "inferred from atomics of 4 bytes a lane on CC 9.0";
    [
        served(
            BANKS_32,
            Grouping::Runs(32),
            Sharing::None,
            source,
            confidence,
        ),
        served(BANKS_32, Grouping::Runs(16), Sharing::None, wide, Inferred),
        not_served(Unknown::Atomics, NO_DOCUMENT, Confidence::Unknown),
    ]
}

/// Increments: lanes on one word share it.
const fn gathered(source: &'static str, confidence: Confidence) -> Serving {
    served(
        BANKS_32,
        Grouping::Runs(32),
        Sharing::AnyWord,
        source,
        confidence,
    )
}

const fn rows(source: &'static str, confidence: Confidence) -> Serving {
    served(
        BANKS_32,
        Grouping::Runs(8),
        Sharing::AnyWord,
        source,
        confidence,
    )
}

const fn modern_shared(
    serving: [Serving; 3],
    merge: Sourced<()>,
    atomics: [Serving; 3],
    [matrix_loads, matrix_stores]: [Serving; 2],
) -> SharedRules {
    SharedRules {
        layout: Sourced::new(Ok(BANKS_32), GUIDE_5, Documented),
        reads: serving,
        writes: serving,
        merge: Some(merge),
        atomics,
        increments: Some(gathered(LIKE_H200, Inferred)),
        swaps: Some(Sourced::new((), LIKE_H200, Inferred)),
        matrix_loads,
        matrix_stores,
    }
}

const fn modern_global(counted: Sourced<()>, atomics: Sourced<()>) -> GlobalRules {
    let sectors = Sourced::new(Ok(Protocol::Sectors), counted.source, counted.confidence);
    GlobalRules {
        sector_bytes: Sourced::new(Ok(32), PROFILER, Documented),
        line_bytes: Sourced::new(Ok(128), PROFILER, Documented),
        loads: sectors,
        stores: sectors,
        atomics: Sourced::new(
            Ok(Protocol::AtomicPasses),
            atomics.source,
            atomics.confidence,
        ),
    }
}

const DOCUMENTED_GLOBAL: GlobalRules = modern_global(
    Sourced::new((), PROFILER, Documented),
    Sourced::new((), LIKE_H200, Inferred),
);

/// CC 5.x.
pub(crate) const CC_5: Device = Device {
    id: "cc5.x",
    aliases: &["cc5.0", "cc5.2", "cc5.3"],
    name: "NVIDIA CC 5.x (Maxwell: GeForce GTX 980)",
    vendor: Vendor::Nvidia,
    warp_lanes: WARP,
    shared: modern_shared(
        phases(PHASES, Documented),
        Sourced::new((), MAXWELL_MERGE, Inferred),
        lane_by_lane(LIKE_H200, Inferred),
        [NO_INSTRUCTION; 2],
    ),
    global: DOCUMENTED_GLOBAL,
    limits: Limits::NONE
        .shared(
            [64 << 10, 48 << 10, 0, 256],
            "common knowledge, not checked against a document: CC 5.0 and 5.3 (CC 5.2 has 96 K \
             an SM)",
            ThirdParty,
        )
        .residency([64, 32, 1024], TABLE, Documented),
};

/// CC 6.x.
pub(crate) const CC_6: Device = Device {
    id: "cc6.x",
    aliases: &["cc6.0", "cc6.1", "cc6.2"],
    name: "NVIDIA CC 6.x (Pascal: Tesla P100, GeForce GTX 1080)",
    limits: Limits::NONE
        .shared(
            [64 << 10, 48 << 10, 0, 256],
            "common knowledge, not checked against a document: CC 6.0 and 6.2 (CC 6.1 has 96 K \
             an SM)",
            ThirdParty,
        )
        .residency([64, 32, 1024], TABLE, Documented),
    ..CC_5
};

const L1: &str = "CUDA C++ Programming Guide (unified data cache of an SM)";
const LIKE_SHARED: &str = "inferred from the size of shared memory";
const CAPACITY: &str = "CUTLASS's capacity table and a public occupancy calculator";

/// CC 7.x.
pub(crate) const CC_7: Device = Device {
    id: "cc7.x",
    aliases: &["cc7.0", "cc7.2", "cc7.5"],
    name: "NVIDIA CC 7.x (Volta, Turing: V100, T4, GeForce RTX 2080)",
    vendor: Vendor::Nvidia,
    warp_lanes: WARP,
    shared: modern_shared(
        phases(PHASES, Documented),
        Sourced::new((), FORUM, Documented),
        lane_by_lane(LIKE_H200, Inferred),
        [rows(PTX, Documented), NO_INSTRUCTION],
    ),
    global: DOCUMENTED_GLOBAL,
    limits: Limits::NONE
        .shared(
            [64 << 10, 64 << 10, 0, 256],
            "CUTLASS's capacity table and a public occupancy calculator: CC 7.5 (CC 7.0 has 96 K)",
            ThirdParty,
        )
        .l1(
            96 << 10,
            "CUDA C++ Programming Guide (unified data cache of an SM): CC 7.5 (CC 7.0 has 128 K)",
            Documented,
        )
        .residency(
            [32, 16, 1024],
            "CUDA C Programming Guide, technical specifications: CC 7.5 (CC 7.0 has 64 warps, 32 \
             blocks)",
            Documented,
        ),
};

const fn ampere(
    id: &'static str,
    aliases: &'static [&'static str],
    name: &'static str,
    matrix_stores: Serving,
    limits: Limits,
) -> Device {
    Device {
        id,
        aliases,
        name,
        vendor: Vendor::Nvidia,
        warp_lanes: WARP,
        shared: modern_shared(
            phases(PHASES, Documented),
            Sourced::new((), BETWEEN, Inferred),
            lane_by_lane(LIKE_H200, Inferred),
            [rows(PTX, Documented), matrix_stores],
        ),
        global: DOCUMENTED_GLOBAL,
        limits,
    }
}

/// Sizes of CC 8.0 and later: 1 K reserved a block, rounded up to 128 bytes.
const fn sized(
    per_sm: u32,
    per_block: u32,
    residency: [u32; 3],
    source: &'static str,
    confidence: Confidence,
) -> Limits {
    Limits::NONE
        .shared(
            [per_sm << 10, per_block << 10, 1 << 10, 128],
            CAPACITY,
            ThirdParty,
        )
        .residency(residency, source, confidence)
}

/// CC 8.0.
pub(crate) const CC_8_0: Device = ampere(
    "cc8.0",
    &["cc8.7"],
    "NVIDIA CC 8.0 (Ampere: A100)",
    NO_INSTRUCTION,
    sized(
        164,
        163,
        [64, 32, 1024],
        "CUDA C Programming Guide, technical specifications: CC 8.0 (CC 8.7 has 48 warps, 16 blocks)",
        Documented,
    )
    .l1(192 << 10, L1, Documented),
);

/// CC 8.6 and 8.9.
pub(crate) const CC_8_6: Device = ampere(
    "cc8.6",
    &["cc8.9"],
    "NVIDIA CC 8.6, 8.9 (Ampere, Ada: GeForce RTX 3090, RTX 4090, L40)",
    NO_INSTRUCTION,
    sized(
        100,
        99,
        [48, 16, 1024],
        "CUDA C Programming Guide, technical specifications: CC 8.6 (CC 8.9 has 24 blocks)",
        Documented,
    )
    .l1(128 << 10, L1, Documented),
);

/// CC 9.0.
pub(crate) const CC_9_0: Device = Device {
    id: "cc9.0",
    aliases: &["cc9.x"],
    name: "NVIDIA CC 9.0 (Hopper: H100, H200)",
    vendor: Vendor::Nvidia,
    warp_lanes: WARP,
    shared: SharedRules {
        increments: Some(gathered(H200, Measured)),
        swaps: Some(Sourced::new((), H200, Measured)),
        ..modern_shared(
            phases(H200, Measured),
            Sourced::new((), H200, Measured),
            lane_by_lane(H200, Measured),
            [rows(H200, Measured); 2],
        )
    },
    global: modern_global(
        Sourced::new((), H200, Measured),
        Sourced::new((), H200, Measured),
    ),
    limits: sized(228, 227, [64, 32, 1024], TABLE, Documented)
        .l1(256 << 10, L1, Documented)
        .fill(FILL, ThirdParty),
};

/// CC 10.x.
pub(crate) const CC_10: Device = ampere(
    "cc10.x",
    &["cc10.0", "cc10.1", "cc10.3"],
    "NVIDIA CC 10.x (Blackwell: B200, B300)",
    rows(PTX, Documented),
    sized(228, 227, [64, 32, 1024], NOT_CHECKED, ThirdParty).l1(256 << 10, LIKE_SHARED, Inferred),
);

/// CC 12.x.
pub(crate) const CC_12: Device = ampere(
    "cc12.x",
    &["cc12.0", "cc12.1"],
    "NVIDIA CC 12.x (Blackwell: GeForce RTX 5090)",
    rows(PTX, Documented),
    sized(100, 99, [48, 24, 1024], NOT_CHECKED, ThirdParty).l1(128 << 10, LIKE_SHARED, Inferred),
);
