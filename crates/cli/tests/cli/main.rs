//! The command line as its users run it.

mod articles;
mod bulk_copies;
mod by_value;
mod check;
#[cfg(unix)]
mod check_action;
#[cfg(unix)]
mod check_compile;
mod compare;
mod compiled;
#[cfg(unix)]
mod compiler_explorer;
mod controls;
mod devices;
mod divergence;
mod engine;
mod engine_compiled;
mod every_kernel;
mod expr;
mod fix;
mod fix_callers;
mod fix_compile;
mod fix_launch;
mod fix_pitch;
mod fix_wgsl;
mod gpu;
#[cfg(unix)]
mod guide;
mod honest;
mod includes;
mod kernel;
mod launch;
mod layout;
mod limits;
mod link;
mod manual;
mod mcp;
mod picture;
mod reference;
mod run;
mod schema;
#[cfg(unix)]
mod serve;
#[cfg(unix)]
mod tools;
mod trace;
mod triton;
mod usage;
mod workgroup;
