use serde::{Deserialize, Serialize};

/// Why a run could not be made, or ended early. Each says what can be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "fault", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fault {
    /// The browser has no WebGPU.
    #[error("this browser has no WebGPU; try a current Chrome, Edge, Safari or Firefox")]
    NoWebGpu,
    /// The page was loaded in a way that hides WebGPU.
    #[error("WebGPU needs a page loaded over https, or from localhost")]
    InsecurePage,
    /// No GPU is offered.
    #[error("no GPU adapter is offered; check the driver and the hardware acceleration setting")]
    NoAdapter,
    /// The request for a GPU was never answered.
    #[error("the GPU did not answer within {seconds} s; close other GPU programs and reload")]
    AdapterSilent {
        /// How long was waited.
        seconds: u32,
    },
    /// The adapter gave no device.
    #[error("the GPU refused to open a device; reload the page or update the driver")]
    DeviceRefused,
    /// The device went away during a run.
    #[error("the GPU was lost during the run; results so far are kept")]
    DeviceLost,
    /// An allocation failed.
    #[error("the GPU has no room for {bytes} bytes; choose a smaller size")]
    OutOfMemory {
        /// What was asked for.
        bytes: u64,
    },
    /// A buffer exceeds what the device binds.
    #[error("{bytes} bytes exceed one binding; at most {fits_bytes} bytes fit")]
    TooLarge {
        /// What was asked for.
        bytes: u64,
        /// The most one binding takes.
        fits_bytes: u64,
    },
    /// The kernel needs what this device does not offer.
    #[error("not available on this device: {needs}")]
    Unavailable {
        /// The feature, or the limit and its least value.
        needs: String,
    },
    /// The driver or wgpu rejected a command.
    #[error("the GPU rejected the work: {message}")]
    Rejected {
        /// What it said, first line only.
        message: String,
    },
    /// A smaller size was already so slow that this one would hold up the machine.
    #[error("stopped before a dispatch of about {predicted_ms} ms; choose a smaller size")]
    TooSlow {
        /// What the smaller size predicts.
        predicted_ms: u64,
    },
    /// A dispatch did not come back.
    #[error("the GPU did not finish within {seconds} s")]
    TimedOut {
        /// How long was waited.
        seconds: u32,
    },
    /// The output is not what the CPU reference gives.
    #[error("wrong result at element {index}")]
    WrongResult {
        /// The first element that differs.
        index: u64,
    },
    /// The visitor cancelled.
    #[error("cancelled")]
    Cancelled,
    /// What runs the kernels said, or was told, what cannot be read.
    #[error("the lab's worker could not be understood; reload the page")]
    Unreadable,
}

impl Fault {
    /// Whether the whole session is over, not only one kernel's row.
    #[must_use]
    pub const fn ends_session(&self) -> bool {
        matches!(
            self,
            Self::DeviceLost
                | Self::Cancelled
                | Self::TimedOut { .. }
                | Self::NoAdapter
                | Self::Unreadable
        )
    }
}
