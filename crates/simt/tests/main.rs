//! Every test of this crate from outside, in one program: each program of its own would be compiled and linked by itself.

mod against_all_blocks;
mod against_scalar;
mod alike;
mod execute;
mod executed;
mod extent;
mod final_memory;
mod fused;
mod irregular;
mod objects;
mod one_element;
mod quotients;
mod reach;
mod sgemm;
mod simplified;
mod support;
