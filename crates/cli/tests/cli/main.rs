//! The command line as its users run it.

mod compare;
mod compiled;
mod devices;
mod engine;
mod expr;
mod fix;
mod gpu;
mod includes;
mod kernel;
mod launch;
mod layout;
mod link;
mod picture;
mod run;
mod schema;
mod trace;
mod usage;
