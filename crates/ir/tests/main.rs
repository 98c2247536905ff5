//! Every test of this crate from outside, in one program: each program of its own would be compiled and linked by itself.

mod analysis;
mod builder;
mod demanded_bits;
mod eval;
mod support;
mod text;
