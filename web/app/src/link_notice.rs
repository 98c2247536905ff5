//! What is to be said of what was opened: of a link, or of a file.

use std::sync::Arc;

use lanescope_share::{LinkError, Notice};

/// What is to be said of the link that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinkNotice {
    Notice(Notice),
    /// The link does not open; it stays in the address until the first edit.
    Error {
        error: LinkError,
        /// As it stands in the address, without `#`.
        link: String,
    },
    /// The link to what is shown is too long for an address, and so for sending.
    TooLong,
    /// A file opens nothing.
    File(FileFault),
    /// What a compiler made of the kernel that was open stands beside its source.
    Beside {
        /// The kernel's name.
        kernel: String,
        /// What the second text is.
        kind: &'static str,
        /// That text, without the source.
        alone: Arc<str>,
    },
}

/// Why a file opens nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FileFault {
    /// It is neither a text nor a file of a compiler.
    Foreign,
    /// It has no code for a GPU.
    NoGpuCode,
    /// It is cut off.
    Truncated,
    /// It is one of 32 bits.
    Layout,
    /// Its code is packed in a way that is not read.
    Packed,
    /// It has more kernels than can be kept without a listing.
    Large(Contents),
    /// It has none of the listing's functions.
    OtherCode(Contents),
    /// It is larger than what is taken.
    TooLarge,
    /// The worker took too long.
    Slow,
    /// The worker could not be had.
    Missing,
}

/// Names of kernels, and architectures, as they are shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    pub(crate) kernels: String,
    pub(crate) architectures: String,
}
