//! The command line as its users run it.

mod devices;
mod link;
mod run;
mod trace;
mod usage;
