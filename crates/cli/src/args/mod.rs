//! The words of the command line: a file a subcommand, and what several have in common.

pub(crate) mod check;
pub(crate) mod command;
pub(crate) mod compare;
pub(crate) mod count;
pub(crate) mod devices;
pub(crate) mod expr;
pub(crate) mod fix;
pub(crate) mod format;
pub(crate) mod kernel;
#[cfg(feature = "lab")]
pub(crate) mod lab;
pub(crate) mod launch;
pub(crate) mod layout;
pub(crate) mod manual;
pub(crate) mod picture;
pub(crate) mod run;
pub(crate) mod trace;
