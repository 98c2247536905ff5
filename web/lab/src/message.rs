use lanescope_lab::report::Report;
use lanescope_lab::{AdapterCard, Fault, Prediction};
use serde::{Deserialize, Serialize};

use crate::forecast::Question;

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
    /// What is measured so far.
    Part(Report),
    /// The run is over.
    Done(Report),
    /// The run could not be made, or ended early.
    Fault(Fault),
    /// What the model says.
    Predicted(Vec<(Question, Option<Prediction>)>),
}
