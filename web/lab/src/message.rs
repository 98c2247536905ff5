//! What the worker tells the page.

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
    Progress(Progress),
    /// What is measured so far.
    Part(Report),
    /// The run is over.
    Done(Report),
    /// The run could not be made, or ended early.
    Fault(Fault),
    /// What the model says.
    Predicted(Vec<(Question, Option<Prediction>)>),
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// Steps that are done.
    pub(crate) done: usize,
    pub(crate) total: usize,
    /// The kernel that is measured; empty where several take turns.
    pub(crate) kernel: String,
}

impl Message {
    /// What `text` says; a fault where that cannot be read.
    pub(crate) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or(Self::Fault(Fault::Unreadable))
    }

    /// Whether the run is over with it.
    pub(crate) const fn is_last(&self) -> bool {
        matches!(self, Self::Done(_) | Self::Fault(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_a_fault() {
        assert!(matches!(Message::read("\"Alive\""), Message::Alive));
        assert!(!Message::read("\"Alive\"").is_last());
        for text in ["", "{}", "[object Object]", "{\"Progress\":1}", "\"Done\""] {
            let message = Message::read(text);
            assert!(
                matches!(message, Message::Fault(Fault::Unreadable)),
                "{text}"
            );
            assert!(message.is_last());
        }
    }
}
