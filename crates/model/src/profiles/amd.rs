//! AMD, by architecture.

use super::{not_served, served};
use crate::Confidence::{self, Disputed, Documented, Inferred, Measured, ThirdParty};
use crate::device::Vendor;
use crate::fact::Sourced;
use crate::global_rules::{GlobalRules, Protocol};
use crate::limits::Limits;
use crate::shared_rules::{Grouping, Layout, Serving, SharedRules};
use crate::{Device, Sharing, Unknown};

const ROCPROF: &str = "rocprof-compute documentation (LDS of 32 banks of 4 bytes)";
const PHASES: &str = "measured by nod-ai's amd-shark-ai and by HipKittens";
const PHASES_128: &str =
    "measured by nod-ai's amd-shark-ai and by HipKittens; Composable Kernel's documents agree";
const NO_DOCUMENT: &str = "no document found";
const NO_INSTRUCTION: Serving = not_served(Unknown::Instruction, "AMD ISA documents", Documented);

const BANKS_32: Layout = Layout::new(32, 4);
const BANKS_64: Layout = Layout::new(64, 4);

const WAVE_64: Sourced<u32> = Sourced::new(64, "AMD GCN and CDNA ISA documents", Documented);
const WAVE_32: Sourced<u32> = Sourced::new(32, "AMD RDNA ISA documents", Documented);

/// The lanes `from..=to`.
const fn lanes(from: u32, to: u32) -> u64 {
    (u64::MAX >> (63 - to)) & (u64::MAX << from)
}

/// 16-byte reads of a half-wave on CDNA3 and of a wave on RDNA3.
const QUADS: [u64; 4] = [
    lanes(0, 3) | lanes(20, 23),
    lanes(4, 7) | lanes(16, 19),
    lanes(8, 11) | lanes(28, 31),
    lanes(12, 15) | lanes(24, 27),
];
const QUADS_64: [u64; 8] = [
    QUADS[0],
    QUADS[1],
    QUADS[2],
    QUADS[3],
    QUADS[0] << 32,
    QUADS[1] << 32,
    QUADS[2] << 32,
    QUADS[3] << 32,
];

/// 16-byte reads of a half-wave on CDNA4.
const OCTETS: [u64; 2] = [
    lanes(0, 3) | lanes(12, 15) | lanes(20, 27),
    lanes(4, 11) | lanes(16, 19) | lanes(28, 31),
];
const OCTETS_64: [u64; 4] = [OCTETS[0], OCTETS[1], OCTETS[0] << 32, OCTETS[1] << 32];

/// A group of runs of lanes on `layout` that share words.
const fn runs(layout: Layout, lanes: u32, source: &'static str, confidence: Confidence) -> Serving {
    served(
        layout,
        Grouping::Runs(lanes),
        Sharing::AnyWord,
        source,
        confidence,
    )
}

/// Sets of lanes on `layout` that share words.
const fn sets(layout: Layout, sets: &'static [u64], source: &'static str) -> Serving {
    served(
        layout,
        Grouping::Sets(sets),
        Sharing::AnyWord,
        source,
        Measured,
    )
}

const fn unknown_write(bytes: u32) -> Serving {
    not_served(
        Unknown::WritePhases { bytes },
        NO_DOCUMENT,
        Confidence::Unknown,
    )
}

const fn unknown_read(bytes: u32) -> Serving {
    not_served(
        Unknown::ReadPhases { bytes },
        NO_DOCUMENT,
        Confidence::Unknown,
    )
}

const ATOMICS_UNKNOWN: [Serving; 3] =
    [not_served(Unknown::Atomics, NO_DOCUMENT, Confidence::Unknown); 3];

/// Atomics of 4 bytes a lane: lanes on one word serialise.
const ATOMICS: [Serving; 3] = [
    served(
        BANKS_32,
        Grouping::Runs(32),
        Sharing::None,
        ROCPROF,
        Documented,
    ),
    ATOMICS_UNKNOWN[1],
    ATOMICS_UNKNOWN[2],
];

const fn banks(layout: Layout) -> Sourced<Result<Layout, Unknown>> {
    Sourced::new(Ok(layout), ROCPROF, Documented)
}

/// Whole lines of `line` bytes, moved in pieces of `sector` bytes.
const fn global(
    sector: u32,
    line: u32,
    protocol: Protocol,
    source: &'static str,
    confidence: Confidence,
) -> GlobalRules {
    let counting = Sourced::new(Ok(protocol), source, confidence);
    GlobalRules {
        sector_bytes: Sourced::new(Ok(sector), source, confidence),
        line_bytes: Sourced::new(Ok(line), source, confidence),
        loads: counting,
        stores: counting,
        atomics: Sourced::new(Err(Unknown::Atomics), NO_DOCUMENT, Confidence::Unknown),
    }
}

/// The LDS: `[bytes a CU or WGP, bytes a work-group]`.
const fn lds([per_sm, per_block]: [u32; 2], source: &'static str) -> Limits {
    Limits {
        shared_per_sm: Some(Sourced::new(per_sm << 10, source, Documented)),
        shared_per_block: Some(Sourced::new(per_block << 10, source, Documented)),
        ..Limits::NONE
    }
}

/// GCN.
pub(crate) const GCN: Device = Device {
    id: "gcn",
    aliases: &["cdna1", "cdna2"],
    name: "AMD GCN, CDNA1, CDNA2 (Radeon VII, MI100, MI250)",
    vendor: Vendor::Amd,
    warp_lanes: WAVE_64,
    shared: SharedRules {
        layout: banks(BANKS_32),
        reads: [
            runs(BANKS_32, 32, ROCPROF, Documented),
            unknown_read(8),
            unknown_read(16),
        ],
        writes: [
            runs(BANKS_32, 32, ROCPROF, Documented),
            unknown_write(8),
            unknown_write(16),
        ],
        merge: None,
        atomics: ATOMICS,
        increments: None,
        swaps: None,
        matrix_loads: NO_INSTRUCTION,
        matrix_stores: NO_INSTRUCTION,
    },
    global: global(
        64,
        64,
        Protocol::Lines,
        "AMD Graphics Cores Next whitepaper, 2012 (L1 lines of 64 bytes)",
        Documented,
    ),
    limits: lds([64, 64], "AMD GCN ISA documents"),
};

/// CDNA3.
pub(crate) const CDNA3: Device = Device {
    id: "cdna3",
    aliases: &["gfx942"],
    name: "AMD CDNA3 (gfx942: MI300)",
    vendor: Vendor::Amd,
    warp_lanes: WAVE_64,
    shared: SharedRules {
        layout: banks(BANKS_32),
        reads: [
            runs(BANKS_32, 32, PHASES, Measured),
            runs(BANKS_32, 16, PHASES, Measured),
            sets(BANKS_32, &QUADS_64, PHASES_128),
        ],
        writes: [
            runs(BANKS_32, 32, PHASES, Measured),
            runs(BANKS_32, 16, PHASES, Measured),
            runs(BANKS_32, 8, PHASES_128, Measured),
        ],
        merge: None,
        atomics: ATOMICS,
        increments: None,
        swaps: None,
        matrix_loads: NO_INSTRUCTION,
        matrix_stores: NO_INSTRUCTION,
    },
    global: global(
        64,
        128,
        Protocol::Sectors,
        "third-party: cache lines of 128 bytes, memory transactions of 64",
        ThirdParty,
    ),
    limits: lds([64, 64], "AMD CDNA3 ISA documents"),
};

const DISPUTED_BANKS: &str = "nod-ai's amd-shark-ai and HipKittens measure 64 banks and one phase \
    of 64 lanes, which is followed; rocRoller has 32 banks";

/// CDNA4.
pub(crate) const CDNA4: Device = Device {
    id: "cdna4",
    aliases: &["gfx950"],
    name: "AMD CDNA4 (gfx950: MI350)",
    vendor: Vendor::Amd,
    warp_lanes: WAVE_64,
    shared: SharedRules {
        layout: Sourced::new(Ok(BANKS_64), DISPUTED_BANKS, Disputed),
        reads: [
            runs(BANKS_64, 64, DISPUTED_BANKS, Disputed),
            runs(BANKS_64, 32, PHASES, Measured),
            sets(BANKS_64, &OCTETS_64, PHASES_128),
        ],
        writes: [
            runs(BANKS_64, 64, DISPUTED_BANKS, Disputed),
            runs(BANKS_32, 16, PHASES, Measured),
            unknown_write(16),
        ],
        merge: None,
        atomics: ATOMICS_UNKNOWN,
        increments: None,
        swaps: None,
        matrix_loads: NO_INSTRUCTION,
        matrix_stores: NO_INSTRUCTION,
    },
    global: global(
        64,
        128,
        Protocol::Sectors,
        "inferred from CDNA3 (cache lines of 128 bytes, memory transactions of 64)",
        Inferred,
    ),
    limits: lds([160, 160], "AMD CDNA4 ISA documents (160 K a CU)"),
};

const RDNA_LINES: GlobalRules = global(
    128,
    128,
    Protocol::Lines,
    "AMD RDNA whitepaper, 2019 (cache lines of 128 bytes)",
    Documented,
);

const fn rdna(
    id: &'static str,
    aliases: &'static [&'static str],
    name: &'static str,
    read_128: Serving,
) -> Device {
    Device {
        id,
        aliases,
        name,
        vendor: Vendor::Amd,
        warp_lanes: WAVE_32,
        shared: SharedRules {
            layout: banks(BANKS_32),
            reads: [
                runs(BANKS_32, 32, PHASES, Measured),
                runs(BANKS_32, 16, PHASES, Measured),
                read_128,
            ],
            writes: [
                runs(BANKS_32, 32, PHASES, Measured),
                runs(BANKS_32, 16, PHASES, Measured),
                unknown_write(16),
            ],
            merge: None,
            atomics: ATOMICS_UNKNOWN,
            increments: None,
            swaps: None,
            matrix_loads: NO_INSTRUCTION,
            matrix_stores: NO_INSTRUCTION,
        },
        global: RDNA_LINES,
        limits: lds(
            [128, 64],
            "AMD RDNA ISA documents (128 K a WGP, 64 K a work-group)",
        ),
    }
}

/// RDNA3.
pub(crate) const RDNA3: Device = rdna(
    "rdna3",
    &["gfx1100"],
    "AMD RDNA3 (gfx1100: Radeon RX 7900)",
    sets(BANKS_32, &QUADS, PHASES_128),
);

/// RDNA4.
pub(crate) const RDNA4: Device = rdna(
    "rdna4",
    &["gfx1201"],
    "AMD RDNA4 (gfx1201: Radeon RX 9070)",
    runs(BANKS_32, 8, PHASES_128, Measured),
);
