//! Why a kernel does not run, or its run is worth nothing.

use std::fmt;

use lanescope_emit::RefusalKind;
use lanescope_lab::Fault;
use lanescope_locale::{Language, run_refusal};

/// Why a launch does not run. Each says where, and what can be done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The text has no kernel, or a mistake.
    NoKernel,
    /// WGSL has no word for what the kernel does.
    Untranslated {
        /// The line, from 1; 0 where it is not known.
        line: u32,
        /// What it does.
        kind: RefusalKind,
    },
    /// How large a buffer is was not said and cannot be found.
    Unsized {
        /// The parameter.
        name: String,
    },
    /// A buffer is larger than the device takes.
    LargeBuffer {
        /// The parameter.
        name: String,
        /// Its bytes.
        bytes: u64,
        /// The most that the device takes in one buffer.
        fits_bytes: u64,
    },
    /// All buffers together are larger than a run may have.
    Memory {
        /// Their bytes.
        bytes: u64,
        /// The most that a run may have.
        fits_bytes: u64,
    },
    /// An index is out of bounds.
    OutOfBounds {
        /// The line, from 1; 0 where it is not known.
        line: u32,
    },
    /// Threads wait for each other for ever.
    Deadlock {
        /// The line, from 1; 0 where it is not known.
        line: u32,
    },
    /// Not even the first block ended in the simulator.
    Endless {
        /// Instructions of warps after which it was given up.
        steps: u64,
    },
    /// The device cannot.
    Device(Fault),
}

impl Refusal {
    /// The line of the source that it is about, from 1.
    #[must_use]
    pub const fn line(&self) -> Option<u32> {
        match self {
            Self::Untranslated { line, .. }
            | Self::OutOfBounds { line }
            | Self::Deadlock { line } => match *line {
                0 => None,
                line => Some(line),
            },
            Self::NoKernel
            | Self::Unsized { .. }
            | Self::LargeBuffer { .. }
            | Self::Memory { .. }
            | Self::Endless { .. }
            | Self::Device(_) => None,
        }
    }

    /// The refusal in `language`, without its line.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::NoKernel => run_refusal::no_kernel(language).to_owned(),
            Self::Untranslated { kind, .. } => kind.text(language),
            Self::Unsized { name } => run_refusal::no_size(language, name),
            Self::LargeBuffer {
                name,
                bytes,
                fits_bytes,
            } => run_refusal::large_buffer(language, name, *bytes, *fits_bytes),
            Self::Memory { bytes, fits_bytes } => {
                run_refusal::memory(language, *bytes, *fits_bytes)
            }
            Self::OutOfBounds { .. } => run_refusal::out_of_bounds(language).to_owned(),
            Self::Deadlock { .. } => run_refusal::deadlock(language).to_owned(),
            Self::Endless { steps } => run_refusal::endless(language, *steps),
            Self::Device(fault) => fault.text(language),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}

/// What went wrong while launches ran.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The device, its driver or its compiler, which names a line of the source where it can.
    Device {
        /// The fault.
        fault: Fault,
        /// The line, from 1.
        line: Option<u32>,
    },
    /// A buffer holds something else than the simulator says.
    Wrong {
        /// The buffer.
        name: String,
        /// The first word that differs.
        index: u64,
    },
    /// The kernel accesses an array outside of its bounds, in the run itself.
    Outside {
        /// The array.
        name: String,
        /// The line that does, from 1; 0 where it is not known.
        line: u32,
    },
}

impl Failure {
    /// The failure in `language`, without its line.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::Device { fault, .. } => fault.text(language),
            Self::Wrong { name, index } => run_refusal::wrong(language, name, *index),
            Self::Outside { name, .. } => run_refusal::outside(language, name),
        }
    }

    /// The line of the source that it is about, from 1.
    #[must_use]
    pub const fn line(&self) -> Option<u32> {
        match self {
            Self::Device { line, .. } => *line,
            Self::Outside { line, .. } if *line > 0 => Some(*line),
            Self::Wrong { .. } | Self::Outside { .. } => None,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Self::Device { fault, line: None }
    }
}
