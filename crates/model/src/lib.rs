//! What one memory request of one warp costs, in the units a GPU's own
//! counters use.

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

pub use confidence::Confidence;
pub use custom_device::{Broadcast, CustomDevice, CustomDeviceError};
pub use device::{Basis, Device, Vendor};
pub use fact::{Fact, Quantity, Rule, Sharing, Value};
pub use global_report::{GlobalCounts, GlobalReport, LineUse, SectorUse, Unit};
pub use lane_mask::LaneMask;
pub use request::{MAX_LANES, Operation, Request, Space, Width};
pub use shared_report::{BankUse, PhaseReport, SharedCounts, SharedReport, WordUse};
pub use unknown::Unknown;
