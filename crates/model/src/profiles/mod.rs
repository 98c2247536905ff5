//! The devices the model knows, each number with its source.

mod amd;
mod nvidia;
mod others;

use crate::fact::Sourced;
use crate::shared_rules::{Grouping, Layout, Service, Serving};
use crate::{Confidence, Device, Sharing, Unknown};

/// Every profile, oldest first within a vendor.
pub(crate) static ALL: [Device; 23] = [
    nvidia::CC_1_0.planned(),
    nvidia::CC_1_1.planned(),
    nvidia::CC_1_2.planned(),
    nvidia::CC_1_3.planned(),
    nvidia::CC_2.planned(),
    nvidia::CC_3_4BYTE.planned(),
    nvidia::CC_3_8BYTE.planned(),
    nvidia::CC_5.planned(),
    nvidia::CC_6.planned(),
    nvidia::CC_7.planned(),
    nvidia::CC_8_0.planned(),
    nvidia::CC_8_6.planned(),
    nvidia::CC_9_0.planned(),
    nvidia::CC_10.planned(),
    nvidia::CC_12.planned(),
    amd::GCN.planned(),
    amd::CDNA3.planned(),
    amd::CDNA4.planned(),
    amd::RDNA3.planned(),
    amd::RDNA4.planned(),
    others::INTEL.planned(),
    others::APPLE.planned(),
    others::MALI.planned(),
];

/// The device that was measured.
pub(crate) static MEASURED: Device = nvidia::CC_9_0.planned();

/// A known service.
const fn served(
    layout: Layout,
    grouping: Grouping,
    sharing: Sharing,
    source: &'static str,
    confidence: Confidence,
) -> Serving {
    Sourced::new(
        Ok(Service {
            layout,
            grouping,
            sharing,
            cut: false,
            plan: None,
            merged_plan: None,
        }),
        source,
        confidence,
    )
}

/// A service that nobody has published, or that does not apply.
const fn not_served(reason: Unknown, source: &'static str, confidence: Confidence) -> Serving {
    Sourced::new(Err(reason), source, confidence)
}
