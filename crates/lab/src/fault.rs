use std::fmt;

use lanescope_locale::{Language, lab_fault};
use serde::{Deserialize, Serialize};

/// Why a run could not be made, or ended early. Each says what can be done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "fault", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fault {
    /// The browser has no WebGPU.
    NoWebGpu,
    /// The page was loaded in a way that hides WebGPU.
    InsecurePage,
    /// No GPU is offered.
    NoAdapter,
    /// The request for a GPU was never answered.
    AdapterSilent {
        /// How long was waited.
        seconds: u32,
    },
    /// The adapter gave no device.
    DeviceRefused,
    /// The device went away during a run.
    DeviceLost,
    /// An allocation failed.
    OutOfMemory {
        /// What was asked for.
        bytes: u64,
    },
    /// A buffer exceeds what the device binds.
    TooLarge {
        /// What was asked for.
        bytes: u64,
        /// The most one binding takes.
        fits_bytes: u64,
    },
    /// The kernel needs what this device does not offer.
    Unavailable {
        /// The feature, or the limit and its least value.
        needs: String,
    },
    /// The driver or wgpu rejected a command.
    Rejected {
        /// What it said, first line only.
        message: String,
    },
    /// A smaller size was already so slow that this one would hold up the machine.
    TooSlow {
        /// What the smaller size predicts.
        predicted_ms: u64,
    },
    /// A dispatch did not come back.
    TimedOut {
        /// How long was waited.
        seconds: u32,
    },
    /// The output is not what the CPU reference gives.
    WrongResult {
        /// The first element that differs.
        index: u64,
    },
    /// The visitor cancelled.
    Cancelled,
    /// What runs the kernels said, or was told, what cannot be read.
    Unreadable,
}

impl Fault {
    /// The fault in `language`.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::NoWebGpu => lab_fault::no_web_gpu(language).into(),
            Self::InsecurePage => lab_fault::insecure_page(language).into(),
            Self::NoAdapter => lab_fault::no_adapter(language).into(),
            Self::AdapterSilent { seconds } => lab_fault::adapter_silent(language, *seconds),
            Self::DeviceRefused => lab_fault::device_refused(language).into(),
            Self::DeviceLost => lab_fault::device_lost(language).into(),
            Self::OutOfMemory { bytes } => lab_fault::out_of_memory(language, *bytes),
            Self::TooLarge { bytes, fits_bytes } => {
                lab_fault::too_large(language, *bytes, *fits_bytes)
            }
            Self::Unavailable { needs } => lab_fault::unavailable(language, needs),
            Self::Rejected { message } => lab_fault::rejected(language, message),
            Self::TooSlow { predicted_ms } => lab_fault::too_slow(language, *predicted_ms),
            Self::TimedOut { seconds } => lab_fault::timed_out(language, *seconds),
            Self::WrongResult { index } => lab_fault::wrong_result(language, *index),
            Self::Cancelled => lab_fault::cancelled(language).into(),
            Self::Unreadable => lab_fault::unreadable(language).into(),
        }
    }

    /// The line of the shader that the compiler's message names, from 1.
    #[must_use]
    pub fn line(&self) -> Option<u32> {
        let Self::Rejected { message } = self else {
            return None;
        };
        // `wgsl:12:5` natively, `:12:5 error` in Chromium.
        let places = message.split([' ', '(', ')', ',', ';']);
        places.into_iter().find_map(|word| {
            let mut parts = word.trim_end_matches(':').rsplit(':');
            let (column, line) = (parts.next()?, parts.next()?);
            column.parse::<u32>().ok()?;
            line.parse().ok()
        })
    }

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

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}

#[cfg(test)]
mod tests {
    use super::Fault;

    #[test]
    fn compilers_messages_name_their_line() {
        let line = |message: &str| {
            Fault::Rejected {
                message: message.to_owned(),
            }
            .line()
        };
        assert_eq!(
            line("Shader '' parsing error ┌─ wgsl:12:5 │ no such name"),
            Some(12)
        );
        assert_eq!(
            line("Error while parsing WGSL: :7:13 error: unresolved value"),
            Some(7)
        );
        assert_eq!(line("the device went away"), None);
        assert_eq!(Fault::DeviceLost.line(), None);
    }
}
