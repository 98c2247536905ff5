//! What the model says of a row.

use super::{Measured, Row};
use lanescope_model::{AsyncCopyCounts, Device, GlobalCounts, SharedCounts, Space, Unit, Unknown};

/// The prediction for one row.
#[derive(Clone, Copy, Debug)]
pub enum Answer {
    /// Of an access to shared memory.
    Shared(SharedCounts),
    /// Of an access to global memory.
    Global(GlobalCounts),
    /// Of an asynchronous copy from global to shared memory.
    Copy(AsyncCopyCounts),
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
        let counts = match (access.request(), access.copy()) {
            (Some(request), _) => match request.space {
                Space::Shared => device.shared_counts(&request).map(Self::Shared),
                Space::Global => device.global_counts(&request).map(Self::Global),
            },
            (None, Some(copy)) => device.async_copy_counts(&copy).map(Self::Copy),
            (None, None) => return Self::Malformed,
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

    /// The counts of a copy, if it is that.
    #[must_use]
    pub const fn copy(&self) -> Option<&AsyncCopyCounts> {
        match self {
            Self::Copy(counts) => Some(counts),
            _ => None,
        }
    }

    /// Wavefronts of shared memory; at least so many if [`Answer::is_bound`].
    #[must_use]
    pub fn wavefronts(&self) -> Option<u32> {
        let shared = self.shared().map(|counts| counts.wavefronts);
        shared.or(self.copy().map(|counts| counts.wavefronts))
    }

    /// The wavefronts of shared memory without a conflict.
    #[must_use]
    pub fn ideal_wavefronts(&self) -> Option<u32> {
        let shared = self.shared().map(|counts| counts.ideal_wavefronts);
        shared.or(self.copy().map(|counts| counts.ideal_wavefronts))
    }

    /// Bank conflicts of shared memory.
    #[must_use]
    pub fn conflicts(&self) -> Option<u32> {
        let shared = self.shared().map(|counts| counts.conflicts);
        shared.or(self.copy().map(|counts| counts.conflicts))
    }

    /// n of "n-way".
    #[must_use]
    pub fn ways(&self) -> Option<u32> {
        let shared = self.shared().map(|counts| counts.ways);
        shared.or(self.copy().map(|counts| counts.ways))
    }

    /// Whether the wavefronts are a lower bound.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.copy()
            .is_some_and(|counts| !counts.has_exact_wavefronts)
    }

    /// Whether the sectors rest on which of the lanes that write one place counts.
    #[must_use]
    pub fn has_rivals(&self) -> bool {
        self.copy().is_some_and(|counts| !counts.has_exact_sectors)
    }

    /// Sectors, where the device counts in them; of a copy as a launch's total counts them.
    #[must_use]
    pub fn sectors(&self) -> Option<u32> {
        let global = self
            .global()
            .filter(|counts| counts.unit == Unit::Sector)
            .map(|counts| counts.units);
        global.or(self.copy().map(|counts| counts.sectors))
    }

    /// Sectors of a copy as the profiler's source page counts them.
    #[must_use]
    pub fn page_sectors(&self) -> Option<u32> {
        self.copy().map(|counts| counts.page_sectors)
    }

    /// Whether every counter that was read and has a rule agrees; none when there is no such. A
    /// bound agrees with what is not below it.
    #[must_use]
    pub fn agrees(&self, measured: &Measured) -> Option<bool> {
        let agree = |measured: Option<u64>, predicted: Option<u32>| {
            measured.map(|measured| predicted.map(u64::from) == Some(measured))
        };
        let wavefronts = match (self.is_bound(), measured.wavefronts) {
            (true, Some(found)) => self.wavefronts().map(|least| found >= u64::from(least)),
            (_, found) => agree(found, self.wavefronts()),
        };
        let launch_sectors = match self.has_rivals() {
            true => None,
            false => agree(measured.launch_sectors, self.sectors()),
        };
        let compared = [
            wavefronts,
            agree(measured.conflicts, self.conflicts()),
            agree(measured.sectors, self.page_sectors().or(self.sectors())),
            launch_sectors,
        ];
        compared.into_iter().flatten().reduce(|all, one| all && one)
    }
}
