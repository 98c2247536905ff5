//! What a request to shared memory costs, and why.

use crate::LaneMask;

/// The counts of one request to shared memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SharedCounts {
    /// Passes over the banks. Where the hardware may choose (CC 1.x), this is the most it can
    /// take and [`SharedCounts::wavefronts_least`] the fewest; elsewhere they are equal.
    pub wavefronts: u32,
    /// The fewest passes the hardware can take for these addresses.
    pub wavefronts_least: u32,
    /// Passes without any conflict: one for each phase with a lane on, after merging.
    pub ideal_wavefronts: u32,
    /// Wavefronts less ideal wavefronts.
    pub conflicts: u32,
    /// n of "n-way": the most wavefronts any one phase takes; 0 when no lane is on.
    pub ways: u32,
}

impl SharedCounts {
    /// The counts of this and `other`, served one after the other.
    #[must_use]
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            wavefronts: self.wavefronts + other.wavefronts,
            wavefronts_least: self.wavefronts_least + other.wavefronts_least,
            ideal_wavefronts: self.ideal_wavefronts + other.ideal_wavefronts,
            conflicts: self.conflicts + other.conflicts,
            ways: self.ways.max(other.ways),
        }
    }
}

/// Who stands where in one request to shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedReport {
    /// The same counts that [`crate::Device::shared_counts`] gives.
    pub counts: SharedCounts,
    /// Banks of the device.
    pub banks: u32,
    /// Bytes of one word of one bank.
    pub bank_bytes: u32,
    /// `[phase]`, in the order the hardware serves them.
    pub phases: Vec<PhaseReport>,
}

/// One set of lanes served together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhaseReport {
    /// The lanes the hardware puts into this phase, on or off.
    pub lanes: LaneMask,
    /// Those of them that take part.
    pub active: LaneMask,
    /// Passes over the banks that this phase takes (the most, where the hardware may choose).
    pub wavefronts: u32,
    /// The banks that are asked for anything, ascending.
    pub banks: Vec<BankUse>,
}

/// What one bank is asked for in one phase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankUse {
    /// The bank, `0..banks`.
    pub bank: u32,
    /// Passes that this bank needs.
    pub wavefronts: u32,
    /// The distinct words, ascending.
    pub words: Vec<WordUse>,
}

/// One word of a bank and the lanes that want it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordUse {
    /// Byte address of the word's first byte.
    pub address: u64,
    /// The lanes that touch it.
    pub lanes: LaneMask,
}
