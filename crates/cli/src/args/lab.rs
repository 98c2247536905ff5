//! The command line of `lanescope lab` and `lanescope adapters`.

use crate::args::format::Format;
use crate::device_choice::{self, Choice};
use clap::{Args, ValueEnum};
use lanescope_kernels::{Element, Kernel, KernelId, Problem};
use lanescope_lab::plan::Checks;

/// Run the catalogue's kernels on a GPU: verified, timed, beside the ceilings of the same run
///
/// Exit status 1 when nothing could be run, or a result was wrong.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    lanescope lab --experiment transpose --size 4096x4096\n  \
    lanescope lab --experiment reduce --size 2^24,2^28 --format csv\n  \
    lanescope lab --kernel transpose_vec4 --set QUADS_X=8 --checks both --size 16384x16384\n  \
    lanescope lab --experiment stride")]
pub(crate) struct LabArgs {
    /// What to measure
    #[arg(long, value_name = "NAME", value_enum)]
    pub(crate) experiment: Option<LabExperiment>,
    /// Only these kernels
    #[arg(long = "kernel", value_name = "NAME", value_parser = kernel)]
    pub(crate) kernels: Vec<KernelId>,
    /// Sizes: elements (1000000, 2^24) or ROWSxCOLUMNS, separated by commas
    #[arg(long = "size", value_name = "SIZE", value_delimiter = ',', value_parser = size)]
    pub(crate) sizes: Vec<Problem>,
    /// What the arrays hold: f32 or u32 (reductions only)
    #[arg(long, value_name = "TYPE", default_value = "f32", value_parser = element)]
    pub(crate) element: Element,
    /// Value of a kernel's parameter, as in BLOCK=256
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parameter)]
    pub(crate) settings: Vec<(String, u32)>,
    /// Run-time checks: as a browser makes them, without, or each in turn
    #[arg(long, value_name = "WHICH", default_value = "on")]
    pub(crate) checks: WhichChecks,
    /// Part of the adapter's name (see `lanescope adapters`); without it, the fastest
    #[arg(long, value_name = "NAME")]
    pub(crate) adapter: Option<String>,
    /// Device to predict active lanes for, by any of its names (see `lanescope devices`); nothing that is measured depends on it
    #[arg(long = "device", value_name = "NAME", default_value = "cc9.0", value_parser = device_choice::parse)]
    pub(crate) device: Choice,
    /// MiB of the device's last-level cache: four times as much is touched
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    pub(crate) cache: u64,
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: LabFormat,
}

/// List the GPUs that can be asked for
#[derive(Args, Debug)]
pub(crate) struct AdaptersArgs {
    /// How to print
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub(crate) format: Format,
}

/// What `lanescope lab` measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LabExperiment {
    /// Sums of an array
    Reduce,
    /// Transposes, and the copies that bound them
    Transpose,
    /// What shared-memory loads cost by stride
    Stride,
    /// Copies and reads
    Ceilings,
}

/// How `lanescope lab` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LabFormat {
    Table,
    Csv,
    Json,
}

/// Which run-time checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum WhichChecks {
    On,
    Off,
    Both,
}

impl WhichChecks {
    pub(crate) const fn all(self) -> &'static [Checks] {
        match self {
            Self::On => &[Checks::On],
            Self::Off => &[Checks::Off],
            Self::Both => &[Checks::On, Checks::Off],
        }
    }
}

fn kernel(text: &str) -> Result<KernelId, String> {
    KernelId::by_name(text).ok_or_else(|| {
        let names: Vec<_> = Kernel::all().iter().map(Kernel::name).collect();
        format!("no such kernel; there are {}", names.join(", "))
    })
}

fn element(text: &str) -> Result<Element, String> {
    [Element::F32, Element::U32]
        .into_iter()
        .find(|element| element.name() == text)
        .ok_or_else(|| "f32 or u32".to_owned())
}

fn parameter(text: &str) -> Result<(String, u32), String> {
    let (name, value) = text.split_once('=').ok_or("NAME=VALUE, as in BLOCK=256")?;
    let value = value
        .parse()
        .map_err(|_| format!("`{value}` is no number"))?;
    Ok((name.to_owned(), value))
}

fn size(text: &str) -> Result<Problem, String> {
    let wrong = || "elements (1000000, 2^24) or ROWSxCOLUMNS (4096x4096)".to_owned();
    let problem = match text.split_once('x') {
        Some((rows, columns)) => Problem::Matrix {
            rows: rows.parse().map_err(|_| wrong())?,
            columns: columns.parse().map_err(|_| wrong())?,
        },
        None => Problem::Length(length(text).ok_or_else(wrong)?),
    };
    if problem.elements() == 0 || u32::try_from(problem.elements()).is_err() {
        return Err("from 1 element to 2^32 - 1".to_owned());
    }
    Ok(problem)
}

fn length(text: &str) -> Option<u64> {
    match text.split_once('^') {
        Some((base, exponent)) => base
            .parse::<u64>()
            .ok()?
            .checked_pow(exponent.parse().ok()?),
        None => text.parse().ok(),
    }
}
