//! Every test of this crate from outside, in one program: each program of its own would be compiled and linked by itself.

mod canonical;
mod carried_stores;
mod close_calls;
mod control_flow;
mod countdown;
mod loops;
mod passes;
mod stores;
mod support;
mod targets;
