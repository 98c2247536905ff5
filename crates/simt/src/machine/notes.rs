//! Findings and doubts, each kept once a place.

use crate::{Doubt, DoubtKind, Finding, Source};
use lanescope_ir::{PlaceId, SiteId};
use std::collections::BTreeSet;

/// What a run has to say beside its requests.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    pub(crate) findings: Vec<Finding>,
    pub(crate) doubts: Vec<Doubt>,
    found: BTreeSet<(u8, PlaceId, Option<SiteId>)>,
    doubted: BTreeSet<(DoubtKind, PlaceId, Option<SiteId>, Source)>,
    most: usize,
}

impl Notes {
    pub(crate) fn new(most: u32) -> Self {
        Self {
            most: most as usize,
            ..Self::default()
        }
    }

    pub(crate) fn find(&mut self, finding: Finding) {
        if self.findings.len() < self.most && self.found.insert(finding.key()) {
            self.findings.push(finding);
        }
    }

    /// Whether a finding of that key is kept already.
    pub(crate) fn has(&self, key: (u8, PlaceId, Option<SiteId>)) -> bool {
        self.found.contains(&key)
    }

    pub(crate) fn doubt(&mut self, doubt: Doubt) {
        let key = (doubt.kind, doubt.place, doubt.site, doubt.source);
        if self.doubts.len() < self.most && self.doubted.insert(key) {
            self.doubts.push(doubt);
        }
    }
}
