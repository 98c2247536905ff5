//! Why there is no answer.

use lanescope_model::{CustomDeviceError, Device, Unknown};
use lanescope_share::LinkError;

use crate::ArgumentError;

/// Why a state cannot be asked about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// No device has this id.
    #[error("no device `{id}`; there are {}, and `custom:…`", known_devices())]
    Device {
        /// The id.
        id: String,
    },
    /// The numbers of the user's own device do not fit each other.
    #[error(transparent)]
    Custom(#[from] CustomDeviceError),
    /// An argument of the kernel cannot be read.
    #[error("argument `{name}`: {error}")]
    Argument {
        /// Whose.
        name: String,
        /// What is wrong with it.
        error: ArgumentError,
    },
    /// The question names nothing to analyse.
    #[error("nothing to analyse; give `accesses`, `kernel` or `link`")]
    Nothing,
    /// The question names several things to analyse.
    #[error("give one of `accesses`, `kernel` and `link`")]
    Several,
    /// The link cannot be read.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The source is a kernel in a language that is read elsewhere.
    #[error("{language} is not analysed here; open it in the page")]
    Language {
        /// Which.
        language: &'static str,
    },
    /// The source is a recorded trace.
    #[error("the link holds a trace; give its rows to `lanescope trace`")]
    Trace,
}

fn known_devices() -> String {
    let ids: Vec<&str> = Device::all().iter().map(Device::id).collect();
    ids.join(", ")
}

/// Why there is nothing to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoPicture {
    /// No access on this line, or it is never reached.
    #[error("line {0} touches no memory")]
    Line(u32),
    /// No access at all, or none is reached.
    #[error("nothing touches memory")]
    Nothing,
    /// The run was stopped before the first request that could be drawn.
    #[error("stopped before the first request; raise the limits")]
    Stopped,
    /// The device's rule for this request is not known.
    #[error(transparent)]
    Unknown(#[from] Unknown),
}
