//! `lanescope kernel` of compiled code: PTX, a SASS listing or an object, counted instruction by instruction.

mod against;
mod code_link;
mod compile;
mod input;
mod lines;
mod print;
mod scratch;
mod sources;
mod text;
mod tool;
mod toolkit;

pub(crate) use scratch::Scratch;
pub(crate) use text::{CompileAnswer, CompileJob};
pub(crate) use toolkit::{find, package};

use crate::args::kernel::{KernelArgs, KernelFormat};
use crate::{array_file, clock, device_choice, diagnostics, kernel, output};
use anyhow::{Context as _, bail};
use input::Input;
use lanescope_compiled::{
    HeldContents, Known, LaunchOptions, NamedArgument, not_read, select_of_object, select_while,
};
use lanescope_frontend::{Diagnostic, Language, Severity, Span};
use lanescope_launches::LaunchRecord;
use lanescope_model::Device;
use lanescope_query::{Analysis, Question, argument_value, assumption};
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
    Analysis(Box<(Analysis, Sources)>),
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
        false => read(
            args,
            record,
            (&args.file, bytes),
            (&Known::default(), false),
        )?,
    };
    let (analysis, sources) = match counted {
        Counted::Source => return Ok(None),
        Counted::Nothing => return Ok(Some(ExitCode::FAILURE)),
        Counted::Analysis(counted) => *counted,
    };
    output::print(&match args.format {
        KernelFormat::Table => print::table(&analysis, args, &sources),
        KernelFormat::Json => print::json(&analysis, args, &sources)?,
        KernelFormat::Csv => kernel::csv(&analysis, args)?,
    })?;
    Ok(Some(output::exit_code(&analysis)))
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
    let (mut known, guessed) = crate::kernel::known_or_guessed(args, &text);
    let mut input = compile::compiled(args, bytes)?;
    let is_given = args.grid.is_some() || args.block.is_some() || record.is_some();
    if !is_given && let Some([grid, block]) = guessed {
        (known.grid, known.block) = (Some(grid), Some(block));
        input.is_launch_guessed = true;
    }
    counted(args, record, input, (&args.file, &known, false))
}

/// Counts the compiled code in `bytes`. Where `leaves_unknown` says so, numbers that nobody gives stay unknown.
///
/// # Errors
/// When the launch cannot be read, or a tool that is needed is not there.
pub(crate) fn read(
    args: &KernelArgs,
    record: Option<&LaunchRecord>,
    (path, bytes): (&Path, &[u8]),
    (known, leaves_unknown): (&Known, bool),
) -> anyhow::Result<Counted> {
    let input = match Input::binary(args, bytes)? {
        Some(input) => input,
        None => {
            let text = crate::input::decoded(bytes.to_vec());
            Input::text(text, args.kernel.kernel.as_deref())
        }
    };
    counted(args, record, input, (path, known, leaves_unknown))
}

fn counted(
    args: &KernelArgs,
    record: Option<&LaunchRecord>,
    mut input: Input,
    (path, known, leaves_unknown): (&Path, &Known, bool),
) -> anyhow::Result<Counted> {
    let file = crate::input::name(path);
    let name = args.kernel.kernel.as_deref();
    let stop = clock::stop();
    let keep_going = move || !stop.is_stopped_now();
    let selected = match &input.object {
        Some(object) => Some(select_of_object(&input.text, name, record, object)),
        None => select_while(&input.text, name, record, keep_going).transpose(),
    };
    let Some(selected) = selected.transpose().with_context(|| file.clone())? else {
        return match not_read(&input.text) {
            Some(what) => bail!("{file}: {what}"),
            None => Ok(Counted::Source),
        };
    };
    let Some(kernel) = &selected.kernel else {
        complain(&selected.diagnostics, &file, &input.text);
        return Ok(Counted::Nothing);
    };
    input.sources.read(&kernel.files);
    let name = kernel.name.clone();
    let contents = contents(args, record)?;
    let arguments = arguments(args, &contents)?;
    let options = LaunchOptions {
        record,
        grid: args.grid,
        block: args.block,
        dynamic_shared_bytes: args.kernel.dynamic_shared.map(u64::from),
        arguments: &arguments,
        contents: &contents,
        blocks: args.blocks,
        object: input.kernel(&name),
        known: Some(known),
        leaves_unknown,
    };
    let Some(mut launched) = selected.launched(&input.text, &options)? else {
        return Ok(Counted::Nothing);
    };
    let assumed = input.assumed.iter();
    let assumed = assumed.map(|(name, value)| assumption(name, *value));
    launched.parsed.diagnostics.extend(assumed);
    let device = device(args, &input);
    let mut question = Question::of_launch(
        launched.parsed,
        input.text,
        launched.launch,
        device,
        args.limits.max_requests,
    );
    question.stop = clock::stop();
    question.is_shape_guessed = input.is_launch_guessed;
    let analysis = kernel::watched(question, args.limits.threads);
    complain(&analysis.diagnostics, &file, &analysis.question.source);
    Ok(Counted::Analysis(Box::new((analysis, input.sources))))
}

/// The device that the code is for, where an object says so and there is a profile of it; else the one asked for.
fn device(args: &KernelArgs, input: &Input) -> Device {
    let requested = args.count.device.choice().device;
    let Some(object) = &input.object else {
        return requested;
    };
    let (major, minor) = (object.architecture / 10, object.architecture % 10);
    match device_choice::parse(&format!("cc{major}.{minor}")) {
        Ok(choice) => choice.device,
        Err(_) => {
            output::complain(&format!(
                "note: no profile for sm_{}; counted as {}",
                object.architecture,
                requested.id()
            ));
            requested
        }
    }
}

/// The arguments on the command line; one whose `contents` a file has is an array of as many bytes.
fn arguments(args: &KernelArgs, contents: &[HeldContents]) -> anyhow::Result<Vec<NamedArgument>> {
    let given = args.kernel.arguments.iter().map(|(name, text)| {
        let file = array_file::named(text).and(contents.iter().find(|held| held.name == *name));
        let text = match file {
            Some(held) => format!("u8[{}]", held.bytes.len()),
            None => text.clone(),
        };
        Ok(NamedArgument {
            name: name.clone(),
            value: argument_value(&text)?,
            text,
        })
    });
    given.collect()
}

/// What arrays hold, by the files that options and the record name; options win.
fn contents(args: &KernelArgs, record: Option<&LaunchRecord>) -> anyhow::Result<Vec<HeldContents>> {
    let recorded = record.map_or(&[][..], |record| &record.arguments);
    let of_record = recorded
        .iter()
        .enumerate()
        .filter_map(|(at, one)| Some((at.to_string(), one.contents.as_deref()?)));
    let of_options = args
        .kernel
        .arguments
        .iter()
        .filter_map(|(name, text)| Some((name.clone(), array_file::named(text)?)));
    let held = of_record.chain(of_options).map(|(name, file)| {
        let bytes = array_file::bytes(file).with_context(|| format!("contents of `{name}`"))?;
        Ok(HeldContents {
            name,
            bytes: bytes.into(),
        })
    });
    held.collect()
}

/// Says what is to be said of the text and the run: beside the line that it is about, or in one line of its own.
fn complain(all: &[Diagnostic], file: &str, text: &str) {
    let is_whole = |diagnostic: &&Diagnostic| diagnostic.span == Span::default();
    for one in all.iter().filter(is_whole) {
        let line = match one.line {
            0 | 1 => String::new(),
            line => format!(":{line}"),
        };
        let severity = match one.severity() {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        output::complain(&format!("{severity}: {file}{line}: {one}"));
    }
    let others: Vec<Diagnostic> = all.iter().filter(|one| !is_whole(one)).cloned().collect();
    diagnostics::print(file, text, &others);
}
