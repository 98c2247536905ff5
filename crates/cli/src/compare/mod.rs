//! `lanescope compare`: prediction beside measurement.

mod print;

use crate::args::compare::CompareArgs;
use crate::args::format::Format;
use crate::args::kernel::{KernelArgs, KernelFormat};
use crate::compiled::{self, Counted};
use crate::launch_file::LaunchFile;
use crate::{device_choice, input, kernel, output};
use anyhow::{Context as _, bail};
use lanescope_compiled::{Known, SourceParameter, demangled};
use lanescope_launches::LaunchRecord;
use lanescope_profiler::{
    Certainty, Comparison, Difference, Export, KernelProfile, Page, ProfilerError, detects,
    instance, listing, parameter_types, read,
};
use lanescope_query::measured;
use std::path::PathBuf;
use std::process::ExitCode;

/// The exit status of a difference that is not known.
const NOT_KNOWN: u8 = 4;
/// The exit status of a prediction that is not fully counted.
const PARTIAL: u8 = 3;

/// Compares and prints.
///
/// # Errors
/// When a file cannot be read, or nothing can be compared.
pub(crate) fn run(args: &CompareArgs) -> anyhow::Result<ExitCode> {
    let Inputs { export, code } = inputs(&args.files)?;
    let name = args.kernel.kernel.as_deref();
    let profile = export.chosen(name, args.nth).map_err(|error| match error {
        ProfilerError::SeveralKernels { .. } => anyhow::Error::new(error).context("--kernel NAME"),
        ProfilerError::SeveralLaunches { .. } => anyhow::Error::new(error).context("--nth N"),
        other => anyhow::Error::new(other),
    })?;
    let code = match code {
        Some(code) => code,
        None if export.page == Page::Printed => return measured_alone(args, profile),
        None => own_code(&export, profile)?,
    };
    let kernel_args = kernel_args(args, profile, &code)?;
    let record = args.launch.as_ref().map(LaunchFile::record).transpose()?;
    let Some(comparison) = compared(&kernel_args, record.as_ref(), profile, &code)? else {
        return Ok(ExitCode::FAILURE);
    };
    output::print(&match args.format {
        Format::Table => print::table(&comparison, !profile.instructions.is_empty()),
        Format::Json => output::json(&comparison)?,
    })?;
    Ok(exit_code(&comparison))
}

/// What was measured, where there is nothing to count beside it.
fn measured_alone(args: &CompareArgs, profile: &KernelProfile) -> anyhow::Result<ExitCode> {
    output::print(&match args.format {
        Format::Table => print::measured(profile),
        Format::Json => output::json(&profile.metrics)?,
    })?;
    Ok(ExitCode::from(PARTIAL))
}

fn exit_code(comparison: &Comparison) -> ExitCode {
    let has = |wanted| comparison.differences().any(|one| one == wanted);
    if has(Difference::NotKnown) {
        ExitCode::from(NOT_KNOWN)
    } else if has(Difference::NotCounted) || comparison.status == Certainty::Partial {
        ExitCode::from(PARTIAL)
    } else {
        ExitCode::SUCCESS
    }
}

/// A kernel's code, and where it is from.
struct Code {
    path: PathBuf,
    bytes: Vec<u8>,
    /// Whether it is the listing of the export's own instructions.
    is_of_listing: bool,
}

/// What the files are.
struct Inputs {
    export: Export,
    code: Option<Code>,
}

fn inputs(files: &[PathBuf]) -> anyhow::Result<Inputs> {
    let (mut export, mut code): (Option<Export>, Option<Code>) = (None, None);
    for path in files {
        let bytes = input::bytes(path)?;
        let text = input::decoded(bytes.clone());
        if detects(&text) {
            let page = read(&text).with_context(|| input::name(path))?;
            match &mut export {
                Some(export) => export.join(page),
                None => export = Some(page),
            }
        } else if code.is_some() {
            bail!(
                "{}: no export of Nsight Compute, and the kernel's code is given already",
                input::name(path)
            );
        } else {
            code = Some(Code {
                path: path.clone(),
                bytes,
                is_of_listing: false,
            });
        }
    }
    match (export, code) {
        (Some(export), code) => Ok(Inputs { export, code }),
        (None, code) => {
            let name = code.map_or_else(String::new, |code| input::name(&code.path));
            Err(anyhow::Error::new(ProfilerError::NotAnExport).context(name))
        }
    }
}

/// The code that the export holds: SASS, else PTX, else a source that is the only one.
fn own_code(export: &Export, profile: &KernelProfile) -> anyhow::Result<Code> {
    let of = |path: &str, text: &str, is_of_listing| Code {
        path: PathBuf::from(path),
        bytes: text.as_bytes().to_vec(),
        is_of_listing,
    };
    if let Some(listing) = listing(profile) {
        return Ok(of("SASS of the source page", &listing, true));
    }
    let ptx = export.texts.iter().find(|text| text.file.is_empty());
    if let Some(ptx) = ptx {
        return Ok(of("PTX of the source page", &ptx.text, false));
    }
    match export.texts.as_slice() {
        [only] => Ok(of(&only.file, &only.text, false)),
        _ => bail!(
            "the export holds no code; give the kernel's source, PTX or SASS, or export its SASS with `ncu --import \
             report.ncu-rep --csv --page source --print-source sass`"
        ),
    }
}

/// What is asked of the prediction: what the options say, then what the export says.
fn kernel_args(
    args: &CompareArgs,
    profile: &KernelProfile,
    code: &Code,
) -> anyhow::Result<KernelArgs> {
    let mut count = args.count.clone();
    if let Some((major, minor)) = profile.compute_capability {
        match device_choice::parse(&format!("cc{major}.{minor}")) {
            Ok(choice) => count.device.given = Some(choice),
            Err(_) => output::complain(&format!(
                "note: no profile for compute capability {major}.{minor}; counted as {}",
                count.device.choice().device.id()
            )),
        }
    }
    let mut kernel = args.kernel.clone();
    let name = instance(&demangled(&profile.name));
    kernel.kernel = Some(name).filter(|name| !code.is_of_listing && !name.is_empty());
    let block = args.block.or(profile.block);
    let grid = args.grid.or(profile.grid);
    if args.launch.is_none() && (block.is_none() || grid.is_none()) {
        bail!(
            "the export says no grid and block; give --grid and --block, or also the raw page: `ncu --import \
             report.ncu-rep --csv --page raw`"
        );
    }
    Ok(KernelArgs {
        file: code.path.clone(),
        compile: false,
        arch: None,
        against: None,
        compiler_flags: Vec::new(),
        launch: None,
        grid,
        block,
        count,
        kernel,
        compiler: args.compiler,
        remarks: false,
        blocks: None,
        l1: false,
        limits: args.limits,
        format: KernelFormat::Table,
    })
}

/// Predicts and compares; `None` where nothing could be predicted, which is said already.
fn compared(
    kernel_args: &KernelArgs,
    record: Option<&LaunchRecord>,
    profile: &KernelProfile,
    code: &Code,
) -> anyhow::Result<Option<Comparison>> {
    let known = signature(&profile.name);
    let bytes = (code.path.as_path(), code.bytes.as_slice());
    let counted = compiled::read(kernel_args, record, bytes, (&known, true))?;
    match counted {
        Counted::Nothing => Ok(None),
        Counted::Analysis(counted) => Ok(Some(measured(&counted.0, profile, code.is_of_listing)?)),
        Counted::Source => {
            let text = input::decoded(code.bytes.clone());
            let analysis = kernel::predicted(kernel_args, record, text)?;
            crate::diagnostics::print(
                &input::name(&code.path),
                &analysis.question.source,
                &analysis.diagnostics,
            );
            if !analysis.is_answered() {
                return Ok(None);
            }
            Ok(Some(measured(&analysis, profile, false)?))
        }
    }
}

/// The parameters, as the kernel's demangled name tells their types.
fn signature(name: &str) -> Known {
    let types = parameter_types(&demangled(name)).unwrap_or_default();
    let parameter = |(at, one): (usize, lanescope_profiler::ParameterType)| SourceParameter {
        name: format!("argument {at}"),
        bytes: one.bytes,
        element_bytes: one.element_bytes,
        value: None,
    };
    Known {
        parameters: types.into_iter().enumerate().map(parameter).collect(),
        ..Known::default()
    }
}
