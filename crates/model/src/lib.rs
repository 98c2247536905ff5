//! What one memory request of one warp costs, in the units a GPU's own
//! counters use.

mod global_report;
mod lane_mask;
mod request;
mod shared_report;

pub use global_report::{GlobalCounts, GlobalReport, LineUse, SectorUse, Unit};
pub use lane_mask::LaneMask;
pub use request::{MAX_LANES, Operation, Request, Space, Width};
pub use shared_report::{BankUse, PhaseReport, SharedCounts, SharedReport, WordUse};
