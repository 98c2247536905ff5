//! The command line as its users run it.

mod devices;
mod expr;
mod kernel;
mod link;
mod picture;
mod run;
mod trace;
mod usage;
