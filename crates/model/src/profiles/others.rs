//! Makers whose banks are documented in outline, or not at all.

use super::{not_served, served};
use crate::Confidence::{self, Documented, ThirdParty};
use crate::device::Vendor;
use crate::fact::Sourced;
use crate::global_rules::{GlobalRules, Protocol};
use crate::limits::Limits;
use crate::shared_rules::{Grouping, Layout, Serving, SharedRules};
use crate::{Device, Sharing, Unknown};

const NO_DOCUMENT: &str = "no document found";
const ONEAPI: &str = "oneAPI GPU Optimization Guide (64 consecutive bytes over 16 banks of 4 \
    bytes; the count depends on the device)";
const ARM: &str = "Arm Mali GPU best practices (shared memory is ordinary cached memory)";

const NO_INSTRUCTION: Serving =
    not_served(Unknown::Instruction, NO_DOCUMENT, Confidence::Documented);
const ATOMICS_UNKNOWN: [Serving; 3] =
    [not_served(Unknown::Atomics, NO_DOCUMENT, Confidence::Unknown); 3];

/// Every access to shared memory unanswered for one `reason`.
const fn no_banks(reason: Unknown, source: &'static str, confidence: Confidence) -> SharedRules {
    let serving = not_served(reason, source, confidence);
    SharedRules {
        layout: Sourced::new(Err(reason), source, confidence),
        reads: [serving; 3],
        writes: [serving; 3],
        merge: None,
        atomics: [serving; 3],
        increments: None,
        swaps: None,
        matrix_loads: serving,
        matrix_stores: serving,
    }
}

/// Whole lines of `line` bytes.
const fn lines(line: u32, source: &'static str, confidence: Confidence) -> GlobalRules {
    let counting = Sourced::new(Ok(Protocol::Lines), source, confidence);
    GlobalRules {
        sector_bytes: Sourced::new(Ok(line), source, confidence),
        line_bytes: Sourced::new(Ok(line), source, confidence),
        loads: counting,
        stores: counting,
        atomics: Sourced::new(Err(Unknown::Atomics), NO_DOCUMENT, Confidence::Unknown),
    }
}

const INTEL_BANKS: Layout = Layout::new(16, 4);

const fn intel_narrow() -> Serving {
    served(
        INTEL_BANKS,
        Grouping::Runs(16),
        Sharing::AnyWord,
        ONEAPI,
        Documented,
    )
}

const fn unknown_read(bytes: u32) -> Serving {
    not_served(
        Unknown::ReadPhases { bytes },
        NO_DOCUMENT,
        Confidence::Unknown,
    )
}

const fn unknown_write(bytes: u32) -> Serving {
    not_served(
        Unknown::WritePhases { bytes },
        NO_DOCUMENT,
        Confidence::Unknown,
    )
}

/// Intel.
pub(crate) const INTEL: Device = Device {
    id: "intel",
    aliases: &[],
    name: "Intel Xe (sub-groups of 16)",
    vendor: Vendor::Intel,
    warp_lanes: Sourced::new(
        16,
        "oneAPI GPU Optimization Guide (sub-groups of 8, 16 or 32 by device and compiler; 16 here)",
        Documented,
    ),
    shared: SharedRules {
        layout: Sourced::new(Ok(INTEL_BANKS), ONEAPI, Documented),
        reads: [intel_narrow(), unknown_read(8), unknown_read(16)],
        writes: [intel_narrow(), unknown_write(8), unknown_write(16)],
        merge: None,
        atomics: ATOMICS_UNKNOWN,
        increments: None,
        swaps: None,
        matrix_loads: NO_INSTRUCTION,
        matrix_stores: NO_INSTRUCTION,
    },
    global: lines(
        64,
        "oneAPI GPU Optimization Guide (cache lines of 64 bytes)",
        Documented,
    ),
    limits: Limits::NONE,
};

/// Apple.
pub(crate) const APPLE: Device = Device {
    id: "apple",
    aliases: &[],
    name: "Apple M series",
    vendor: Vendor::Apple,
    warp_lanes: Sourced::new(
        32,
        "Metal Feature Set Tables (SIMD-groups of 32)",
        Documented,
    ),
    shared: no_banks(Unknown::Banks, NO_DOCUMENT, Confidence::Unknown),
    global: lines(
        128,
        "third-party measurements of Apple GPUs (lines of 128 bytes)",
        ThirdParty,
    ),
    limits: Limits::NONE,
};

/// Arm Mali.
pub(crate) const MALI: Device = Device {
    id: "mali",
    aliases: &[],
    name: "Arm Mali (Valhall)",
    vendor: Vendor::Arm,
    warp_lanes: Sourced::new(
        16,
        "Arm Mali GPU documents (warps of 16 from G77 on)",
        Documented,
    ),
    shared: no_banks(Unknown::NoSharedMemory, ARM, Documented),
    global: GlobalRules {
        sector_bytes: Sourced::new(Err(Unknown::GlobalPieces), NO_DOCUMENT, Confidence::Unknown),
        line_bytes: Sourced::new(Err(Unknown::GlobalPieces), NO_DOCUMENT, Confidence::Unknown),
        loads: Sourced::new(Err(Unknown::GlobalPieces), NO_DOCUMENT, Confidence::Unknown),
        stores: Sourced::new(Err(Unknown::GlobalPieces), NO_DOCUMENT, Confidence::Unknown),
        atomics: Sourced::new(Err(Unknown::GlobalPieces), NO_DOCUMENT, Confidence::Unknown),
    },
    limits: Limits::NONE,
};
