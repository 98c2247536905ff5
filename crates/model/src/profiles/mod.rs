//! The devices the model knows, each number with its source.

mod amd;
mod nvidia;
mod others;

use crate::fact::Sourced;
use crate::shared_rules::{Grouping, Layout, Service, Serving};
use crate::{Confidence, Device, Sharing, Unknown};

pub(crate) use nvidia::CC_9_0;

/// Every profile, oldest first within a vendor.
pub(crate) static ALL: [Device; 23] = [
    nvidia::CC_1_0,
    nvidia::CC_1_1,
    nvidia::CC_1_2,
    nvidia::CC_1_3,
    nvidia::CC_2,
    nvidia::CC_3_4BYTE,
    nvidia::CC_3_8BYTE,
    nvidia::CC_5,
    nvidia::CC_6,
    nvidia::CC_7,
    nvidia::CC_8_0,
    nvidia::CC_8_6,
    nvidia::CC_9_0,
    nvidia::CC_10,
    nvidia::CC_12,
    amd::GCN,
    amd::CDNA3,
    amd::CDNA4,
    amd::RDNA3,
    amd::RDNA4,
    others::INTEL,
    others::APPLE,
    others::MALI,
];

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
        }),
        source,
        confidence,
    )
}

/// A service that nobody has published, or that does not apply.
const fn not_served(reason: Unknown, source: &'static str, confidence: Confidence) -> Serving {
    Sourced::new(Err(reason), source, confidence)
}
