//! Every test of this crate from outside, in one program: each program of its own would be compiled and linked by itself.
#![allow(clippy::unwrap_used)] // in the tests' own helpers too

mod advise;
mod articles;
mod asked;
mod families;
mod instances;
mod linear;
mod members;
mod order;
mod padded;
mod pools;
mod reductions;
mod results;
mod row_pitch;
mod search;
mod values;
mod written;
