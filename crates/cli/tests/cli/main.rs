//! The command line as its users run it.

mod devices;
mod run;
mod trace;
