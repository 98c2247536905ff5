//! `lanescope kernel` of compiled code: PTX, a SASS listing or an object, counted instruction by instruction.

mod against;
mod compile;
mod input;
mod lines;
mod print;
mod scratch;
mod sources;
mod toolkit;

pub(crate) use compile::parse_architecture;

use crate::args::{KernelArgs, KernelFormat};
use crate::watch::{self, Threads};
use crate::{device_choice, output};
use anyhow::{Context as _, bail};
use input::Input;
use lanescope_compiled::{
    CountOptions, Known, LaunchOptions, NamedArgument, Report, Selected, count, launch, not_read,
    select, select_of_object,
};
use lanescope_cuda::source::Language;
use lanescope_launches::LaunchRecord;
use lanescope_model::Device;
use lanescope_query::{Stop, argument_value};
use sources::Sources;
use std::path::Path;
use std::process::ExitCode;

/// What came of an input.
pub(crate) enum Counted {
    /// It is no compiled code.
    Source,
    /// It has no kernel that can be read; why stands on standard error.
    Nothing,
    /// The counts, and the texts that the code was made of.
    Report(Box<(Report, Sources)>),
}

/// Prints what compiled code costs; `None` of a source.
///
/// # Errors
/// When the launch cannot be read, or a tool that is needed is not there.
pub(crate) fn run(
    args: &KernelArgs,
    record: Option<&LaunchRecord>,
    bytes: &[u8],
) -> anyhow::Result<Option<ExitCode>> {
    if let Some(file) = &args.against {
        return against::run(args, record, file, bytes).map(Some);
    }
    let counted = match args.compile {
        true => compile(args, record, bytes)?,
        false => read(args, record, (&args.file, bytes), &Known::default())?,
    };
    let (report, sources) = match counted {
        Counted::Source => return Ok(None),
        Counted::Nothing => return Ok(Some(ExitCode::FAILURE)),
        Counted::Report(counted) => *counted,
    };
    if record.is_some_and(|record| record.arguments.iter().any(|one| one.contents.is_some())) {
        output::complain(
            "note: contents of arrays are read for a source only; the record's were left out",
        );
    }
    output::print(&match args.format {
        KernelFormat::Table => print::table(&report, &sources),
        KernelFormat::Json => print::json(&report, &sources)?,
        KernelFormat::Csv => print::csv(&report)?,
    })?;
    Ok(Some(output::exit_code_of(report.status)))
}

/// Compiles a source, and counts that; names and values of parameters are the source's.
///
/// # Errors
/// When there is no compiler, it refuses the source, or the launch cannot be read.
pub(crate) fn compile(
    args: &KernelArgs,
    record: Option<&LaunchRecord>,
    bytes: &[u8],
) -> anyhow::Result<Counted> {
    let text = String::from_utf8_lossy(bytes);
    if Language::of(&text) != Language::Cuda {
        bail!("--compile takes CUDA source");
    }
    let known = crate::kernel::known(args, &text);
    let input = compile::compiled(args, bytes)?;
    counted(args, record, input, (&args.file, &known))
}

/// Counts the compiled code in `bytes`.
///
/// # Errors
/// When the launch cannot be read, or a tool that is needed is not there.
pub(crate) fn read(
    args: &KernelArgs,
    record: Option<&LaunchRecord>,
    (path, bytes): (&Path, &[u8]),
    known: &Known,
) -> anyhow::Result<Counted> {
    let input = match Input::binary(args, bytes)? {
        Some(input) => input,
        None => {
            let text = crate::input::decoded(bytes.to_vec());
            Input::text(text, args.kernel.kernel.as_deref())
        }
    };
    counted(args, record, input, (path, known))
}

fn counted(
    args: &KernelArgs,
    record: Option<&LaunchRecord>,
    mut input: Input,
    (path, known): (&Path, &Known),
) -> anyhow::Result<Counted> {
    let file = crate::input::name(path);
    let name = args.kernel.kernel.as_deref();
    let selected = match &input.object {
        Some(object) => Some(select_of_object(&input.text, name, record, object)),
        None => select(&input.text, name, record).transpose(),
    };
    let Some(selected) = selected.transpose().with_context(|| file.clone())? else {
        return match not_read(&input.text) {
            Some(what) => bail!("{file}: {what}"),
            None => Ok(Counted::Source),
        };
    };
    complain(&selected, &file);
    let Some(mut kernel) = selected.kernel else {
        return Ok(Counted::Nothing);
    };
    input.sources.read(&kernel.files);
    let arguments = arguments(args)?;
    let options = LaunchOptions {
        record,
        grid: args.grid,
        block: args.block,
        dynamic_shared_bytes: args.kernel.dynamic_shared.map(u64::from),
        arguments: &arguments,
        blocks: args.blocks,
        object: input.kernel(&kernel.name),
        known: Some(known),
    };
    let launch = launch(&options, &mut kernel)?;
    let device = device(args, &input);
    let (stop, blocks) = (Stop::default(), launch.grid_blocks());
    let keep_going = |done| {
        stop.set_blocks_done(done);
        !stop.is_stopped()
    };
    let threads = Threads::of(args.limits.threads);
    let options = CountOptions {
        max_requests: args.limits.max_requests,
        executor: &threads,
        keep_going: &keep_going,
    };
    let report = watch::watched(&stop, blocks, &args.limits, || {
        count(&kernel, &launch, &device, &options).report
    });
    print::complain(&report, &file);
    Ok(Counted::Report(Box::new((report, input.sources))))
}

/// The device that the code is for, where an object says so and there is a profile of it; else the one asked for.
fn device(args: &KernelArgs, input: &Input) -> Device {
    let asked = args.count.device.choice().device;
    let Some(object) = &input.object else {
        return asked;
    };
    let (major, minor) = (object.architecture / 10, object.architecture % 10);
    match device_choice::parse(&format!("cc{major}.{minor}")) {
        Ok(choice) => choice.device,
        Err(_) => {
            output::complain(&format!(
                "note: no profile for sm_{}; counted as {}",
                object.architecture,
                asked.id()
            ));
            asked
        }
    }
}

/// The arguments on the command line.
fn arguments(args: &KernelArgs) -> anyhow::Result<Vec<NamedArgument>> {
    let given = args.kernel.arguments.iter().map(|(name, text)| {
        let value = argument_value(text)?;
        Ok(NamedArgument {
            name: name.clone(),
            text: text.clone(),
            value,
        })
    });
    given.collect()
}

fn complain(selected: &Selected, file: &str) {
    for remark in &selected.remarks {
        let line = match remark.line {
            0 => String::new(),
            line => format!(":{line}"),
        };
        let severity = remark.severity.key();
        output::complain(&format!("{severity}: {file}{line}: {}", remark.kind));
    }
}
