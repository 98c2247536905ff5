//! Every test of this crate from outside, in one program: each program of its own would be compiled and linked by itself.

mod agreement;
mod async_copy;
mod atomics;
#[path = "oracle/copies.rs"]
mod copies;
mod golden;
mod oracle;
mod vectors;
