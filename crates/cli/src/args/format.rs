//! How numbers are printed.

use clap::ValueEnum;

/// How numbers are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Table,
    Json,
}
