//! Makes a kernel ready to run: simplifies it pass by pass, slices it, and lays it out flat.
//!
//! Every pass keeps each request of every run: which access, which lanes, which addresses.

mod bounds_check_elimination;
mod constant_folding;
mod copy_coalescing;
mod copy_propagation;
mod fuse_mad_wide;
mod kinds;
mod local_cse;
mod loop_invariants;
mod objects;
pub(crate) mod program;
pub(crate) mod slice;
pub(crate) mod stretches;
mod touched;
mod undemanded_operands;
