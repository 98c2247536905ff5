//! Every test of this crate from outside, in one program: each program of its own would be compiled and linked by itself.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

mod allocations;
mod cases;
mod golden;
mod host_callables;
mod host_launch;
mod hostile;
mod launch_edits;
#[path = "bombs/list.rs"]
mod list;
mod lowered;
mod macros;
mod measured;
mod namespaces;
mod omitted;
mod oracle;
mod printed;
mod promotion;
mod reach;
mod reals;
mod sizes;
mod templates;
mod tensor;
mod translation;
mod wire;
