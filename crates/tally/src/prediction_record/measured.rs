//! Written by `cargo xtask record --write`; not by hand.

use super::{BlindSet, PredictionRecord, RecordRow};

/// The results of the blind sets that it names.
pub const PREDICTION_RECORD: PredictionRecord = PredictionRecord {
    date: "2026-11-26",
    sets: &[
        BlindSet {
            name: "idioms",
            seed: Some(3),
            launches: 999,
        },
        BlindSet {
            name: "public",
            seed: None,
            launches: 251,
        },
    ],
    rows: &[
        RecordRow {
            status: "counted",
            basis: "as-written",
            set: "idioms",
            launches: 159,
            exact: 159,
        },
        RecordRow {
            status: "counted",
            basis: "as-written",
            set: "public",
            launches: 48,
            exact: 48,
        },
        RecordRow {
            status: "counted",
            basis: "compiler-model",
            set: "idioms",
            launches: 67,
            exact: 67,
        },
        RecordRow {
            status: "counted",
            basis: "compiler-model",
            set: "public",
            launches: 13,
            exact: 13,
        },
        RecordRow {
            status: "partial",
            basis: "accesses-changed",
            set: "idioms",
            launches: 75,
            exact: 20,
        },
        RecordRow {
            status: "partial",
            basis: "accesses-changed",
            set: "public",
            launches: 3,
            exact: 2,
        },
        RecordRow {
            status: "partial",
            basis: "as-written",
            set: "idioms",
            launches: 5,
            exact: 0,
        },
        RecordRow {
            status: "partial",
            basis: "as-written",
            set: "public",
            launches: 17,
            exact: 0,
        },
        RecordRow {
            status: "partial",
            basis: "compiler-model",
            set: "idioms",
            launches: 25,
            exact: 18,
        },
        RecordRow {
            status: "partial",
            basis: "loops-cut",
            set: "idioms",
            launches: 13,
            exact: 6,
        },
        RecordRow {
            status: "partial",
            basis: "loops-cut",
            set: "public",
            launches: 1,
            exact: 1,
        },
        RecordRow {
            status: "partial",
            basis: "open-choice",
            set: "idioms",
            launches: 6,
            exact: 2,
        },
        RecordRow {
            status: "predicted",
            basis: "accesses-changed",
            set: "idioms",
            launches: 461,
            exact: 345,
        },
        RecordRow {
            status: "predicted",
            basis: "accesses-changed",
            set: "public",
            launches: 112,
            exact: 111,
        },
        RecordRow {
            status: "predicted",
            basis: "loops-cut",
            set: "idioms",
            launches: 105,
            exact: 85,
        },
        RecordRow {
            status: "predicted",
            basis: "loops-cut",
            set: "public",
            launches: 25,
            exact: 24,
        },
        RecordRow {
            status: "predicted",
            basis: "open-choice",
            set: "idioms",
            launches: 83,
            exact: 64,
        },
        RecordRow {
            status: "predicted",
            basis: "open-choice",
            set: "public",
            launches: 30,
            exact: 30,
        },
    ],
};
