//! A kernel that somebody brings, on a GPU: what the command line and the page do alike.
//!
//! A question (the kernel as written, and its launch) becomes a [`Ready`] launch: the kernel as WGSL, emitted or its own
//! text, buffers of a size and with contents, and what the simulator says they hold in the end. [`measure`] runs one or several of them on a
//! [`Machine`](lanescope_lab::Machine), compares what they leave, and times them in turn with the device's own copy.
//! What cannot be is a [`Refusal`], which says where and why.
//!
//! Left out: reading texts and searching fixes, which `query` and `fixes` do, and everything that is shown.

mod as_it_is;
mod buffers;
mod inexact;
mod measure;
mod ready;
mod refusal;
mod simulated;
mod sizes;

pub use measure::{Copied, Measured, Report, TimedBy, Verdict, measure};
pub use ready::{Counts, Ready, Setting, emitted};
pub use refusal::{Failure, Refusal};
pub use sizes::{Given, Taken};

/// Bytes a second, in units of 10^9.
#[must_use]
#[allow(clippy::cast_precision_loss, reason = "a rate of a few digits")]
pub fn rate(bytes: u64, seconds: f64) -> f64 {
    bytes as f64 * 1e-9 / seconds
}
