//! The command line as its users run it.

mod compare;
mod compiled;
mod devices;
mod engine;
mod engine_compiled;
mod expr;
mod fix;
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
