//! What counts are for, and how much they may cost.

use crate::device_choice::{self, Choice};
use crate::hip::is_hip;
use crate::output;
use clap::Args;
use lanescope_model::Device;
use std::num::NonZeroUsize;
use std::path::Path;

/// The device of an analysis.
#[derive(Args, Clone, Debug)]
pub(crate) struct DeviceArg {
    /// Device to analyse for, by any of its names (cc9.0, sm_90, h100, gfx942; see `lanescope devices`), or
    /// custom:BANKS,BITS,LANES,BROADCAST,SECTOR,LINE [default: cc9.0; for a HIP source cdna3]
    #[arg(long = "device", value_name = "NAME", value_parser = device_choice::parse)]
    pub(crate) given: Option<Choice>,
}

/// The device of a HIP source that is given none.
const HIP_DEVICE: &str = "cdna3";

impl DeviceArg {
    /// The device given, or the one that was measured.
    pub(crate) fn choice(&self) -> Choice {
        let measured = || Choice::of(Default::default());
        self.given.clone().unwrap_or_else(measured)
    }

    /// The device given; for a HIP source that is given none one of AMD's, which is said.
    pub(crate) fn choice_of(&self, path: &Path, text: &str) -> Choice {
        let hip = Device::by_id(HIP_DEVICE).filter(|_| is_hip(path, text));
        match (&self.given, hip) {
            (None, Some(device)) => {
                let name = device.name();
                output::complain(&format!(
                    "note: a HIP source is counted for {HIP_DEVICE}, {name}; --device names another"
                ));
                Choice::of(device)
            }
            _ => self.choice(),
        }
    }
}

/// What the counts are for.
#[derive(Args, Clone, Debug)]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub(crate) device: DeviceArg,
    /// Count a value that a thread reads twice, with no store or barrier between, twice
    #[arg(long)]
    pub(crate) count_repeated_reads: bool,
}

/// How much an analysis may cost.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct LimitArgs {
    /// Stop after so many requests of warps
    #[arg(long, value_name = "N", default_value_t = 100_000_000)]
    pub(crate) max_requests: u64,
    /// Threads for launches whose blocks are run one by one [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,
}
