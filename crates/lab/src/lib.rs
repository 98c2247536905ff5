//! Runs the catalogue's kernels through WebGPU, natively and in a browser.
//!
//! A [`Variant`] and a problem make a [`plan::Plan`], which is data; a
//! [`Machine`] (the [`Gpu`]) carries it out; timing and verification know
//! neither the one nor the other's insides. A [`Prediction`] stands beside what was
//! measured. A [`Launch`] is a plan of a text that somebody else wrote.

mod active_lanes;
mod adapter_card;
mod agreement;
mod banks;
mod control;
mod device_limits;
mod experiment;
mod fault;
mod gpu;
mod launch;
mod machine;
pub mod plan;
pub mod prediction;
pub mod report;
mod statistics;
mod stride_probe;
mod timing;
mod trusted;
mod variant;
mod verification;

pub use active_lanes::{ActiveLanes, LaneSlots, LineSlots};
pub use adapter_card::{AdapterCard, AdapterKind, BrowserCard};
pub use agreement::{Agreement, agreement};
pub use banks::{Banks, infer_banks};
pub use control::{Control, Progress, Unattended};
pub use device_limits::DeviceLimits;
pub use experiment::Experiment;
pub use fault::Fault;
pub use gpu::{Gpu, adapters};
pub use launch::{Content, Launch};
pub use machine::{Clock, Machine, Program};
pub use prediction::Prediction;
pub use statistics::{median, relative_spread};
pub use stride_probe::{StrideStep, StrideTable, probe_strides};
pub use timing::{Timing, TimingRules, time_in_turn};
pub use variant::Variant;
pub use verification::Verifier;
