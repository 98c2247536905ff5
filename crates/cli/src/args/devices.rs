//! The command line of `lanescope devices`.

use super::format::Format;
use crate::device_choice::{self, Choice};
use clap::Args;

/// List the devices: every number and rule, its source and how far it can be trusted
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope devices\n  \
    lanescope devices cc9.0 cdna3\n  \
    lanescope devices --format json\n\n\
    Where a device is asked for, custom:BANKS,BITS,LANES,BROADCAST,SECTOR,LINE describes one of your own:\n  \
    custom:16,32,16,one,32,128 has 16 banks of 32 bits, serves 16 lanes at a time, broadcasts one word a step\n  \
    (BROADCAST: none, one or any), and moves global memory in sectors of 32 bytes of lines of 128.")]
pub(crate) struct DevicesArgs {
    /// Only these devices
    #[arg(value_name = "NAME", value_parser = device_choice::parse)]
    pub(crate) devices: Vec<Choice>,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: Format,
}
