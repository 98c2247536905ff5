//! Why an export cannot be read or compared.

use crate::total::Total;

/// What a comparison needs an export of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Counters of the whole kernel.
    Counters,
    /// The source page with SASS.
    Source,
}

impl Wanted {
    /// The commands that export it.
    #[must_use]
    pub fn command(self) -> String {
        match self {
            Self::Counters => format!(
                "ncu --csv --page raw --metrics {} ./program > counters.csv",
                Total::metrics().join(",")
            ),
            Self::Source => "ncu --set full --import-source yes -o report ./program && ncu --import report.ncu-rep \
                             --csv --page source --print-source sass > source.csv"
                .to_owned(),
        }
    }
}

/// Why an export cannot be read or compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProfilerError {
    /// The text has no table of Nsight Compute.
    #[error(
        "no table of Nsight Compute's CSV pages in it; export one with `{}`",
        Wanted::Source.command()
    )]
    NotAnExport,
    /// The text is a report printed for people.
    #[error("a report printed for people; print it again with --csv, as in `{}`", Wanted::Source.command())]
    NotCsv,
    /// The binary report.
    #[error(
        "the binary report; export it with `ncu --import report.ncu-rep --csv --page source --print-source sass > \
         source.csv`, and `--page raw` for the whole kernel's counters"
    )]
    Binary,
    /// The profiler stopped with an error of its own.
    #[error("the profiler failed: {message}")]
    Failed {
        /// What it says.
        message: String,
    },
    /// The page of the session.
    #[error("the session page names no kernel; export --page source, raw or details")]
    Session,
    /// The text is larger than what is read.
    #[error("the export has more than {mebibytes} MiB")]
    TooLarge {
        /// The limit.
        mebibytes: usize,
    },
    /// A table with a header and nothing in it.
    #[error("the export has a header and no kernel")]
    NoKernel,
    /// No kernel is called so.
    #[error("no kernel `{name}` in the export; it has {}", list(.kernels))]
    UnknownKernel {
        /// The name asked for.
        name: String,
        /// The names there are.
        kernels: Vec<String>,
    },
    /// Several kernels, and none was chosen.
    #[error("the export has several kernels; choose one: {}", list(.kernels))]
    SeveralKernels {
        /// The names there are.
        kernels: Vec<String>,
    },
    /// A kernel was launched several times, and no launch was chosen.
    #[error("`{name}` was launched {launches} times; choose one from 1 to {launches}")]
    SeveralLaunches {
        /// The kernel.
        name: String,
        /// Its launches.
        launches: usize,
    },
    /// The kernel was launched less often.
    #[error("no launch {number} of `{name}`; it was launched {launches} times")]
    NoSuchLaunch {
        /// The kernel.
        name: String,
        /// The number asked for, from 1.
        number: usize,
        /// Its launches.
        launches: usize,
    },
    /// The export holds nothing that is predicted.
    #[error("the export has no counter that is predicted; export them with `{}`", Wanted::Counters.command())]
    NoCounters,
}

/// The most names that a sentence lists.
const MOST_NAMES: usize = 12;

fn list(names: &[String]) -> String {
    let mut shown: Vec<String> = names
        .iter()
        .take(MOST_NAMES)
        .map(|name| format!("`{name}`"))
        .collect();
    if names.len() > MOST_NAMES {
        shown.push(format!("and {} more", names.len() - MOST_NAMES));
    }
    shown.join(", ")
}
