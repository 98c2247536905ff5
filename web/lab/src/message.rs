use lanescope_lab::report::Report;
use lanescope_lab::{AdapterCard, Fault};
use serde::{Deserialize, Serialize};

/// What the worker tells the page.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Message {
    /// The device is open.
    Opened(AdapterCard),
    /// The run goes on.
    Alive,
    /// How far the run is.
    Progress {
        done: usize,
        total: usize,
        kernel: String,
    },
    /// The run is over.
    Done(Report),
    /// The run could not be made.
    Fault(Fault),
}
