//! `lanescope kernel` of compiled code: PTX or a SASS listing, counted instruction by instruction.

mod counts;
mod launch;
mod ptx;
mod report;

use crate::args::{KernelArgs, KernelFormat};
use crate::{input, output};
use anyhow::bail;
use counts::Counts;
use lanescope_ir::Kernel;
use lanescope_launches::LaunchRecord;
use lanescope_sass::Severity;
use lanescope_simt::{Blocks, Budget, execute, execute_classes};
use std::process::ExitCode;

/// Lanes of a warp; PTX and SASS are NVIDIA's.
const LANES: u32 = 32;

/// What a run may cost besides its requests.
const MOST_STEPS: u64 = 20_000_000_000;
const MOST_BYTES: u64 = 2 << 30;

/// Analyses `text` if it is compiled code; `None` of a source.
///
/// # Errors
/// When the launch cannot be read.
pub(crate) fn run(
    args: &KernelArgs,
    record: Option<&LaunchRecord>,
    text: &str,
) -> anyhow::Result<Option<ExitCode>> {
    let file = input::name(&args.file);
    let read = if lanescope_sass::detects(text) {
        kernel(args, record, text, &file)?
    } else if lanescope_ptx::looks_like_ptx(text) {
        ptx::kernel(args, record, text, &file)
    } else {
        return Ok(None);
    };
    let Some(mut kernel) = read else {
        return Ok(Some(ExitCode::FAILURE));
    };
    let launch = launch::of(args, record, &mut kernel)?;
    let device = &args.count.device.choice.device;
    let mut counts = Counts::new(device);
    let budget = Budget {
        requests: args.max_requests,
        steps: MOST_STEPS,
        bytes: MOST_BYTES,
        // Races are not reported here.
        watched_blocks: 0,
        ..Budget::default()
    };
    let outcome = if launch.blocks == Blocks::All {
        let periods = counts.periods();
        execute_classes(&kernel, &launch, LANES, budget, periods, &mut counts)
    } else {
        execute(&kernel, &launch, LANES, budget, &mut counts)
    };
    let report = report::Report::of(&kernel, device.id(), &counts, &outcome);
    report.complain(&file);
    output::print(&match args.format {
        KernelFormat::Table => report.table(),
        KernelFormat::Json => output::json(&report)?,
        KernelFormat::Csv => report.csv()?,
    })?;
    Ok(Some(ExitCode::SUCCESS))
}

/// The kernel that is meant, of a listing that may hold several.
fn kernel(
    args: &KernelArgs,
    record: Option<&LaunchRecord>,
    text: &str,
    file: &str,
) -> anyhow::Result<Option<Kernel>> {
    let recorded =
        record.and_then(|record| record.mangled.clone().or_else(|| record.kernel.clone()));
    let is_asked = args.kernel.kernel.is_some();
    let mut options = lanescope_sass::Options {
        kernel: args.kernel.kernel.clone().or(recorded),
        architecture: None,
    };
    let mut parsed = lanescope_sass::read(text, &options);
    if parsed.kernels.is_empty() && !is_asked {
        // The listing may name its only function otherwise than the record does.
        options.kernel = None;
        parsed = lanescope_sass::read(text, &options);
    }
    for diagnostic in &parsed.diagnostics {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let line = match diagnostic.line {
            0 => String::new(),
            line => format!(":{line}"),
        };
        output::complain(&format!("{severity}: {file}{line}: {}", diagnostic.message));
    }
    if parsed.kernels.len() > 1 {
        let names: Vec<&str> = parsed.kernels.iter().map(|one| one.name.as_str()).collect();
        bail!(
            "{file} has several kernels; choose one with --kernel: {}",
            names.join(", ")
        );
    }
    Ok(parsed.kernels.pop())
}
