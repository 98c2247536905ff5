//! A device that the user describes.

use std::fmt;

use crate::Confidence::{self, Given};
use crate::device::Vendor;
use crate::fact::Sourced;
use crate::global_rules::{GlobalRules, Protocol};
use crate::limits::Limits;
use crate::shared_rules::{Grouping, Layout, Service, Serving, SharedRules};
use crate::{Device, MAX_LANES, Sharing, Unknown};

const USER: &str = "entered by the user";

/// Which lanes on one word of one bank are served at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Broadcast {
    /// None: each lane takes a pass of its own.
    None,
    /// The lanes of one word a step, and one lane of every other bank.
    OneWordAStep,
    /// The lanes of any word.
    AnyWord,
}

/// A device as a few numbers: *n* banks of *m* bits, *k* lanes a scheduling unit, and whether
/// one word broadcasts; and the pieces of global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CustomDevice {
    /// Banks, 1 to 1,024. Where `lanes` is more, the unit's request is `lanes / banks`
    /// requests.
    pub banks: u32,
    /// Bits of one word of one bank: 8, 16, 32, 64 or 128.
    pub bank_bits: u32,
    /// Lanes of a scheduling unit, 1 to 64.
    pub lanes: u32,
    /// Which lanes on one word are served at once.
    pub broadcast: Broadcast,
    /// Bytes of a sector of global memory: a power of two, 8 to 128.
    pub sector_bytes: u32,
    /// Bytes of a line of global memory: a power of two, from the sector to 4,096.
    pub line_bytes: u32,
}

/// Which number of a [`CustomDevice`] cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CustomDeviceError {
    /// Banks are 1 to 1,024.
    Banks,
    /// Bits of a bank are 8, 16, 32, 64 or 128.
    BankBits,
    /// Lanes are 1 to 64.
    Lanes,
    /// Bytes of a sector are a power of two from 8 to 128.
    SectorBytes,
    /// Bytes of a line are a power of two from the sector's to 4,096.
    LineBytes,
}

impl fmt::Display for CustomDeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Banks => "banks must be 1 to 1024",
            Self::BankBits => "bits of a bank must be 8, 16, 32, 64 or 128",
            Self::Lanes => "lanes must be 1 to 64",
            Self::SectorBytes => "bytes of a sector must be a power of two, 8 to 128",
            Self::LineBytes => "bytes of a line must be a power of two, from the sector's to 4096",
        })
    }
}

impl std::error::Error for CustomDeviceError {}

impl CustomDevice {
    /// Which number cannot be, if any.
    const fn check(&self) -> Result<(), CustomDeviceError> {
        if self.banks == 0 || self.banks > 1024 {
            return Err(CustomDeviceError::Banks);
        }
        if !matches!(self.bank_bits, 8 | 16 | 32 | 64 | 128) {
            return Err(CustomDeviceError::BankBits);
        }
        if self.lanes == 0 || self.lanes as usize > MAX_LANES {
            return Err(CustomDeviceError::Lanes);
        }
        if !self.sector_bytes.is_power_of_two() || self.sector_bytes < 8 || self.sector_bytes > 128
        {
            return Err(CustomDeviceError::SectorBytes);
        }
        if !self.line_bytes.is_power_of_two()
            || self.line_bytes < self.sector_bytes
            || self.line_bytes > 4096
        {
            return Err(CustomDeviceError::LineBytes);
        }
        Ok(())
    }

    /// The service for accesses of `bytes` bytes a lane: a phase has as many lanes as there are
    /// banks for.
    fn serving(&self, bytes: u32, sharing: Sharing) -> Serving {
        let layout = Layout::new(self.banks, self.bank_bits / 8);
        let whole_pass = self.banks * layout.word_bytes / bytes.max(layout.word_bytes);
        let service = Service {
            layout,
            grouping: Grouping::Runs(whole_pass.clamp(1, self.lanes)),
            sharing,
            cut: false,
            plan: None,
            merged_plan: None,
        };
        Sourced::new(Ok(service), USER, Given)
    }

    /// The services for accesses up to 4, of 8 and of 16 bytes a lane.
    fn servings(&self, sharing: Sharing) -> [Serving; 3] {
        [4, 8, 16].map(|bytes| self.serving(bytes, sharing))
    }
}

impl Device {
    /// The device that the user describes, with id `custom`.
    ///
    /// A phase has as many lanes as one pass over the banks can serve: *n* lanes, fewer where a
    /// lane's access is wider than a word. No lane of an atomic operation shares.
    ///
    /// # Errors
    /// [`CustomDeviceError`] where a number is out of its bounds.
    pub fn custom(custom: CustomDevice) -> Result<Self, CustomDeviceError> {
        custom.check()?;
        let sharing = match custom.broadcast {
            Broadcast::None => Sharing::None,
            Broadcast::OneWordAStep => Sharing::OneWordAStep,
            Broadcast::AnyWord => Sharing::AnyWord,
        };
        let none = Sourced::new(Err(Unknown::Instruction), USER, Given);
        Ok(Self {
            id: "custom",
            aliases: &[],
            name: "User-defined",
            vendor: Vendor::User,
            warp_lanes: Sourced::new(custom.lanes, USER, Given),
            shared: SharedRules {
                layout: Sourced::new(
                    Ok(Layout::new(custom.banks, custom.bank_bits / 8)),
                    USER,
                    Given,
                ),
                reads: custom.servings(sharing),
                writes: custom.servings(sharing),
                merge: None,
                atomics: custom.servings(Sharing::None),
                increments: None,
                swaps: None,
                matrix_loads: none,
                matrix_stores: none,
            },
            global: custom.global(),
            limits: Limits::NONE,
        }
        .planned())
    }
}

impl CustomDevice {
    /// Distinct sectors, whatever the operation but atomics.
    const fn global(&self) -> GlobalRules {
        let sectors = Sourced::new(Ok(Protocol::Sectors), USER, Given);
        GlobalRules {
            sector_bytes: Sourced::new(Ok(self.sector_bytes), USER, Given),
            line_bytes: Sourced::new(Ok(self.line_bytes), USER, Given),
            loads: sectors,
            stores: sectors,
            atomics: Sourced::new(Err(Unknown::Atomics), USER, Confidence::Unknown),
        }
    }
}
