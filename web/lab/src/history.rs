//! Runs of this machine, in the browser's memory only.

use lanescope_lab::report::Report;
use lanescope_ui::storage;
use serde::{Deserialize, Serialize};

use crate::settings::Settings;
use crate::slim;

const KEY: &str = "lanescope.lab.history";
/// Runs that are kept.
const MOST: usize = 20;

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// When it ended, in the words of ISO 8601, UTC.
    pub(crate) at: String,
    pub(crate) settings: Settings,
    pub(crate) report: Report,
}

/// The runs, latest first. What cannot be read is no run.
pub(crate) fn entries() -> Vec<Entry> {
    let text = storage::recall(KEY).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// Adds a run before the others. Where there is no room, the oldest go.
pub(crate) fn add(settings: &Settings, report: &Report) {
    let mut all = entries();
    let entry = Entry {
        at: String::from(js_sys::Date::new_0().to_iso_string()),
        settings: settings.clone(),
        report: slim::report(report),
    };
    all.insert(0, entry);
    all.truncate(MOST);
    while !all.is_empty() {
        let text = serde_json::to_string(&all).unwrap_or_default();
        if storage::remember(KEY, &text) {
            return;
        }
        all.pop();
    }
}

/// Forgets all runs.
pub(crate) fn clear() {
    storage::forget(KEY);
}
