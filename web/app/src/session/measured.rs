//! A profiler's export that stands beside the kernel that is open.

use std::sync::Arc;

use leptos::prelude::*;

use super::Session;
use crate::address;
use crate::measured_column::Measurements;

impl Session {
    /// The profiler's export beside the kernel that is open, as components follow it.
    pub(crate) const fn measured(self) -> RwSignal<Option<Arc<str>>> {
        self.measured
    }

    /// What came of the export on screen, as components follow it.
    pub(crate) const fn measurements(self) -> RwSignal<Option<Arc<Measurements>>> {
        self.measurements
    }

    /// Sets a profiler's export beside the kernel that is open, as a step of the browser's history; to a page of one profile
    /// another is added.
    pub(crate) fn set_measured(self, export: String) {
        let before = self.measured.get_untracked();
        let before = before.filter(|before| !before.contains(export.trim()));
        let all = before.map_or_else(
            || export.clone(),
            |before| format!("{}\n{export}", before.trim_end()),
        );
        address::settle(&self.state());
        address::push(&self.state());
        self.measured.set(Some(all.into()));
    }

    /// Takes the profiler's export away from beside the kernel.
    pub(crate) fn forget_measured(self) {
        if self.measured.with_untracked(Option::is_some) {
            self.measured.set(None);
        }
    }
}
