//! Every test of this crate from outside, in one program: each program of its own would be compiled and linked by itself.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too
#![allow(
    clippy::cast_possible_truncation,
    reason = "what is generated is small"
)]

mod addresses;
mod emitted;
mod fake;
mod faults;
#[path = "../../cuda/tests/oracle/generate.rs"]
mod generate;
mod gpu;
mod halves;
mod prediction;
#[path = "emitted/run.rs"]
mod run;
mod timing;
