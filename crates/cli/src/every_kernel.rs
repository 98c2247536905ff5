//! The kernels of a text whose launch its host code says: without a kernel, grid or block on the command line all of them
//! are counted.

use crate::args::kernel::{KernelArgs, KernelFormat};
use crate::kernel::{self, KernelQuestion, launched};
use crate::{array_file, diagnostics, input, output, usage};
use lanescope_cuda::parse_kernel;
use lanescope_cuda::source::host_launch;
use lanescope_frontend::{Language, Program, SourceParameter};
use lanescope_launches::LaunchRecord;
use lanescope_query::{Analysis, Report, kernel_options};
use lanescope_share::{Source, State};
use lanescope_tally::Status;
use std::collections::BTreeSet;
use std::process::ExitCode;

/// A kernel whose launch the text has.
pub struct Launched {
    /// Its name.
    pub name: String,
    /// Those of its parameters.
    pub parameters: Vec<String>,
}

/// The kernels of a text, by whether their launch stands in it.
pub struct Kernels {
    /// Those whose launch does, in the order of the text.
    pub launched: Vec<Launched>,
    /// The names of the others.
    pub unknown: Vec<String>,
}

impl Kernels {
    /// Those of `state`; `None` where there are not several, a launch of none is known, or the command line says which
    /// kernel or launch is meant.
    pub(crate) fn of(
        state: &State,
        args: &KernelArgs,
        record: Option<&LaunchRecord>,
    ) -> Option<Self> {
        let is_chosen = args.kernel.kernel.is_some() || record.is_some();
        let has_shape = args.grid.is_some() || args.block.is_some();
        match is_chosen || has_shape {
            true => None,
            false => Self::in_text(state),
        }
    }

    /// Those of `state`, of which no kernel and no shape is chosen; `None` where there are not several, or a launch of none is
    /// known.
    #[must_use]
    pub fn in_text(state: &State) -> Option<Self> {
        let Source::Kernel(text) = &state.source else {
            return None;
        };
        if Language::of(text) != Language::Cuda || !text.contains("<<<") {
            return None;
        }
        let read = |name: Option<&str>| {
            let mut options = kernel_options(state);
            options.kernel = name.map(str::to_owned);
            parse_kernel(text, &options).program
        };
        let names = read(None).kernels().to_vec();
        let mut kernels = Self {
            launched: Vec::new(),
            unknown: Vec::new(),
        };
        for name in names.iter().filter(|_| names.len() > 1) {
            let program = read(Some(name));
            let host = host_launch(text, name, &state.launch.defines);
            let is_known = host.is_some_and(|host| {
                host.grid.is_some() && host.block.or(program.block()).is_some()
            });
            match is_known {
                true => kernels.launched.push(Launched {
                    name: name.clone(),
                    parameters: parameters(&program),
                }),
                false => kernels.unknown.push(name.clone()),
            }
        }
        (!kernels.launched.is_empty()).then_some(kernels)
    }

    /// Counts each kernel whose launch is known, and prints them in the order of the text.
    ///
    /// # Errors
    /// As [`launched`], or when an argument is none of any kernel's.
    pub(crate) fn run(
        &self,
        request: &KernelQuestion<'_>,
        args: &KernelArgs,
    ) -> anyhow::Result<ExitCode> {
        let all = self.launched.iter().flat_map(|one| &one.parameters);
        let all: BTreeSet<&str> = all.map(String::as_str).collect();
        let all: Vec<&str> = all.into_iter().collect();
        let given = args.kernel.arguments.iter().map(|(name, _)| name.as_str());
        let last = self.launched.last().map_or("", |one| &one.name);
        usage::check_arguments(given, last, &all)?;
        let analyses = self.launched.iter().map(|one| one.counted(request, args));
        let analyses = analyses.collect::<anyhow::Result<Vec<Analysis>>>()?;
        let analyses = with_accesses(analyses);
        if !self.unknown.is_empty() {
            output::complain(&format!(
                "note: the text has no launch of {}; --kernel counts one under a guess",
                self.unknown.join(", ")
            ));
        }
        for analysis in &analyses {
            diagnostics::print(
                &input::name(&args.file),
                &analysis.question.source,
                &analysis.diagnostics,
            );
        }
        output::print(&match args.format {
            KernelFormat::Table => tables(&analyses, args),
            KernelFormat::Json => json(&analyses, args)?,
            KernelFormat::Csv => csv(&analyses, args)?,
        })?;
        Ok(exit_code(&analyses))
    }
}

impl Launched {
    fn counted(&self, request: &KernelQuestion<'_>, args: &KernelArgs) -> anyhow::Result<Analysis> {
        let mut state = request.state.clone();
        state.launch.kernel = Some(self.name.clone());
        let is_own = |(name, _): &(String, String)| self.parameters.contains(name);
        state.launch.arguments.retain(is_own);
        let arguments = state.launch.arguments.clone();
        let request = KernelQuestion {
            state,
            given: request.given,
            record: None,
            compiler: request.compiler,
            blocks: request.blocks,
            max_requests: request.max_requests,
            stop: request.stop.clone(),
        };
        let mut question = launched(request, &mut |said| output::complain(said))?;
        array_file::take(&mut question, &arguments, None)?;
        Ok(kernel::watched(question, args.limits.threads))
    }
}

/// Those that have an access, which the rest are named beside; where none has one, all.
fn with_accesses(analyses: Vec<Analysis>) -> Vec<Analysis> {
    let has_access = |one: &Analysis| !one.program().sites().is_empty();
    let (kept, idle): (Vec<Analysis>, Vec<Analysis>) = analyses.into_iter().partition(has_access);
    if kept.is_empty() {
        return idle;
    }
    for one in &idle {
        let name = one.program().name();
        output::complain(&format!("note: {name} has no access to count"));
    }
    kept
}

/// The names that arguments of a kernel may have.
fn parameters(program: &Program) -> Vec<String> {
    let name = |one: &SourceParameter| one.name.clone();
    program.parameters().iter().map(name).collect()
}

/// A table for each kernel under its name.
fn tables(analyses: &[Analysis], args: &KernelArgs) -> String {
    let of = |analysis: &Analysis| {
        let name = analysis.program().name();
        format!("{name}: {}", kernel::table(analysis, args))
    };
    let all: Vec<String> = analyses.iter().map(of).collect();
    all.join("\n")
}

/// The report on the last kernel, and the others in it.
fn json(analyses: &[Analysis], args: &KernelArgs) -> anyhow::Result<String> {
    let mut reports: Vec<Report> = analyses
        .iter()
        .map(|analysis| kernel::report(analysis, args))
        .collect();
    let last = reports.pop().map(|last| last.with_others(reports));
    output::json(&last)
}

/// The lines of all kernels under one head.
fn csv(analyses: &[Analysis], args: &KernelArgs) -> anyhow::Result<String> {
    let mut all = String::new();
    for analysis in analyses {
        let text = kernel::csv(analysis, args)?;
        let body = text.split_once('\n').map_or("", |(_, body)| body);
        all += if all.is_empty() { &text } else { body };
    }
    Ok(all)
}

/// That of the worst answer.
fn exit_code(analyses: &[Analysis]) -> ExitCode {
    if analyses.iter().any(|analysis| !analysis.is_answered()) {
        return ExitCode::FAILURE;
    }
    let statuses = analyses.iter().map(|analysis| analysis.standing.status);
    output::exit_code_of(statuses.max().unwrap_or(Status::Counted))
}
