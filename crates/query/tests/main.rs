//! Every test of this crate from outside, in one program: each program of its own would be compiled and linked by itself.

mod as_written;
mod bounds;
mod choices;
mod coincidence;
mod findings;
mod first_answer;
mod golden;
mod honesty;
mod l1;
#[allow(dead_code, reason = "times and budgets are the benchmark's")]
#[path = "../benches/launch_case/mod.rs"]
mod launch_case;
mod layout;
mod moved;
mod narrow_accesses;
mod nests;
mod no_result;
mod preview;
mod ranges;
mod status;
mod switches;
mod whole_launch;
mod worst_access;
