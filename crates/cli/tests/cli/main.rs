//! The command line as its users run it.

mod devices;
mod expr;
mod includes;
mod kernel;
mod launch;
mod layout;
mod link;
mod mend;
mod picture;
mod run;
mod schema;
mod trace;
mod usage;
