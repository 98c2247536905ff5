//! What the model says of a row.

use super::{Measured, Row};
use lanescope_model::{Device, GlobalCounts, SharedCounts, Space, Unit, Unknown};

/// The prediction for one row.
#[derive(Clone, Copy, Debug)]
pub enum Answer {
    /// Of an access to shared memory.
    Shared(SharedCounts),
    /// Of an access to global memory.
    Global(GlobalCounts),
    /// The device has no known rule.
    Unknown(Unknown),
    /// The row could not be read.
    Malformed,
}

impl Answer {
    /// What `device` does with `row`.
    #[must_use]
    pub fn of(row: &Row, device: &Device) -> Self {
        let Some(access) = &row.access else {
            return Self::Malformed;
        };
        let request = access.request();
        let counts = match request.space {
            Space::Shared => device.shared_counts(&request).map(Self::Shared),
            Space::Global => device.global_counts(&request).map(Self::Global),
        };
        counts.unwrap_or_else(Self::Unknown)
    }

    /// The counts of shared memory, if it is that.
    #[must_use]
    pub const fn shared(&self) -> Option<&SharedCounts> {
        match self {
            Self::Shared(counts) => Some(counts),
            _ => None,
        }
    }

    /// The counts of global memory, if it is that.
    #[must_use]
    pub const fn global(&self) -> Option<&GlobalCounts> {
        match self {
            Self::Global(counts) => Some(counts),
            _ => None,
        }
    }

    /// Sectors, where the device counts in them.
    #[must_use]
    pub fn sectors(&self) -> Option<u32> {
        self.global()
            .filter(|counts| counts.unit == Unit::Sector)
            .map(|counts| counts.units)
    }

    /// Whether every counter that was read agrees; none when none was read.
    #[must_use]
    pub fn agrees(&self, measured: &Measured) -> Option<bool> {
        let shared = self.shared();
        let pairs = [
            (measured.wavefronts, shared.map(|counts| counts.wavefronts)),
            (measured.conflicts, shared.map(|counts| counts.conflicts)),
            (measured.sectors, self.sectors()),
        ];
        let mut compared = pairs.into_iter().filter_map(|(measured, predicted)| {
            measured.map(|measured| predicted.map(u64::from) == Some(measured))
        });
        let first = compared.next()?;
        Some(compared.fold(first, |all, one| all && one))
    }
}
