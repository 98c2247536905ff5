//! What one memory request of one warp costs, in the units a GPU's own counters use.
//!
//! A [`Request`] is one memory instruction of one warp: which memory, what is done, how wide,
//! and where each lane points. A [`Device`] is a generation of GPUs with its rules. The counts
//! ([`SharedCounts`], [`GlobalCounts`]) do not allocate and take some ten nanoseconds; the
//! reports ([`SharedReport`], [`GlobalReport`]) say which lane wants which word or sector.
//!
//! # A worked example
//!
//! Eight lanes read the first column of `float tile[8][8]`, on a device of 8 banks that serves
//! 8 lanes at once. All words of the column lie in bank 0, so it takes eight passes; a row of
//! nine floats puts them into eight banks.
//!
//! ```
//! use lanescope_model::{
//!     Broadcast, CustomDevice, Device, LaneMask, Operation, Request, Space, Width,
//! };
//!
//! let device = Device::custom(CustomDevice {
//!     banks: 8,
//!     bank_bits: 32,
//!     lanes: 8,
//!     broadcast: Broadcast::AnyWord,
//!     sector_bytes: 32,
//!     line_bytes: 128,
//! })?;
//! let column = |pitch_bytes: u64| -> Vec<u64> { (0..8).map(|row| row * pitch_bytes).collect() };
//! let counts = |addresses: &[u64]| {
//!     device.shared_counts(&Request {
//!         space: Space::Shared,
//!         operation: Operation::Load,
//!         width: Width::Bytes4,
//!         active: LaneMask::first(8),
//!         addresses,
//!     })
//! };
//! let conflicted = counts(&column(32))?;
//! assert_eq!((conflicted.ways, conflicted.wavefronts, conflicted.conflicts), (8, 8, 7));
//! let padded = counts(&column(36))?;
//! assert_eq!((padded.ways, padded.wavefronts, padded.conflicts), (1, 1, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it leaves out
//!
//! Time, caches, other warps: it is an address model, to be compared with a profiler's
//! source-level figures. `docs/MODEL.md` has the rules, their sources and their limits.
//!
//! # Input out of the ordinary
//!
//! A lane past the end of the addresses is off. Lanes beyond a warp are the next warp's
//! request, and the counts add up. A misaligned access, which hardware refuses, counts every
//! word and sector that its bytes lie in; bytes past the end of the address space do not exist.

mod async_copy;
mod atomic_passes;
mod confidence;
mod custom_device;
mod device;
mod fact;
mod facts;
mod global_report;
mod global_rules;
mod global_walk;
mod lane_mask;
mod limits;
mod names;
mod order;
mod past_l1;
mod profiles;
mod request;
mod request_lanes;
mod segments;
mod shared_report;
mod shared_rules;
mod shared_walk;
mod steps;
mod unknown;
mod warp_banks;
mod warp_sectors;

pub use async_copy::{AsyncCache, AsyncCopy, AsyncCopyCounts};
pub use confidence::Confidence;
pub use custom_device::{Broadcast, CustomDevice, CustomDeviceError};
pub use device::{Basis, Device, Vendor};
pub use fact::{Fact, Quantity, Rule, Sharing, Value};
pub use global_report::{GlobalCounts, GlobalReport, LineUse, SectorUse, Unit};
pub use lane_mask::LaneMask;
pub use request::{MAX_LANES, Operation, Request, Space, Width};
pub use shared_report::{BankUse, PhaseReport, SharedCounts, SharedReport, WordUse};
pub use unknown::Unknown;

/// The README's example, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
