//! Why an export cannot be read or compared.

use std::fmt;

use lanescope_locale::{Language, profiler_error};

use crate::total::Total;

/// What a comparison needs an export of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Counters of the whole kernel.
    Counters,
    /// The source page with SASS.
    Source,
    /// The same, of a report that is there.
    SourceOfReport,
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
            Self::SourceOfReport => {
                "ncu --import report.ncu-rep --csv --page source --print-source sass > source.csv".to_owned()
            }
        }
    }
}

/// Why an export cannot be read or compared.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProfilerError {
    /// The text has no table of Nsight Compute.
    NotAnExport,
    /// The text is a report printed for people.
    NotCsv,
    /// The binary report.
    Binary,
    /// The profiler stopped with an error of its own.
    Failed {
        /// What it says.
        message: String,
    },
    /// The page of the session.
    Session,
    /// The text is larger than what is read.
    TooLarge {
        /// The limit.
        mebibytes: usize,
    },
    /// A table with a header and nothing in it.
    NoKernel,
    /// No kernel is called so.
    UnknownKernel {
        /// The name asked for.
        name: String,
        /// The names there are.
        kernels: Vec<String>,
    },
    /// Several kernels, and none was chosen.
    SeveralKernels {
        /// The names there are.
        kernels: Vec<String>,
    },
    /// A kernel was launched several times, and no launch was chosen.
    SeveralLaunches {
        /// The kernel.
        name: String,
        /// Its launches.
        launches: usize,
    },
    /// The kernel was launched less often.
    NoSuchLaunch {
        /// The kernel.
        name: String,
        /// The number asked for, from 1.
        number: usize,
        /// Its launches.
        launches: usize,
    },
    /// The export holds nothing that is predicted.
    NoCounters,
}

impl ProfilerError {
    /// Why, in `language`: lower case, no full stop.
    #[must_use]
    pub fn text(&self, language: Language) -> String {
        match self {
            Self::NotAnExport => profiler_error::not_an_export(language, &Wanted::Source.command()),
            Self::NotCsv => profiler_error::not_csv(language, &Wanted::Source.command()),
            Self::Binary => profiler_error::binary(language, &Wanted::SourceOfReport.command()),
            Self::Failed { message } => profiler_error::failed(language, message),
            Self::Session => profiler_error::session(language).into(),
            Self::TooLarge { mebibytes } => profiler_error::too_large(language, *mebibytes),
            Self::NoKernel => profiler_error::no_kernel(language).into(),
            Self::UnknownKernel { name, kernels } => {
                profiler_error::unknown_kernel(language, name, kernels)
            }
            Self::SeveralKernels { kernels } => profiler_error::several_kernels(language, kernels),
            Self::SeveralLaunches { name, launches } => {
                profiler_error::several_launches(language, name, *launches)
            }
            Self::NoSuchLaunch {
                number,
                name,
                launches,
            } => profiler_error::no_such_launch(language, *number, name, *launches),
            Self::NoCounters => profiler_error::no_counters(language, &Wanted::Counters.command()),
        }
    }
}

impl fmt::Display for ProfilerError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text(Language::English))
    }
}

impl std::error::Error for ProfilerError {}
