//! `lanescope kernel` of compiled code: PTX or a SASS listing, counted instruction by instruction.

mod print;

use crate::args::{KernelArgs, KernelFormat};
use crate::{input, output};
use anyhow::Context as _;
use lanescope_compiled::{LaunchOptions, NamedArgument, Selected, count, launch, select};
use lanescope_launches::LaunchRecord;
use lanescope_query::argument_value;
use std::process::ExitCode;

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
    let name = args.kernel.kernel.as_deref();
    let Some(selected) = select(text, name, record).with_context(|| file.clone())? else {
        return Ok(None);
    };
    complain(&selected, &file);
    let Some(mut kernel) = selected.kernel else {
        return Ok(Some(ExitCode::FAILURE));
    };
    let arguments = arguments(args)?;
    let options = LaunchOptions {
        record,
        grid: args.grid,
        block: args.block,
        dynamic_shared_bytes: args.kernel.dynamic_shared.map(u64::from),
        arguments: &arguments,
        blocks: args.blocks,
    };
    let launch = launch(&options, &mut kernel)?;
    let device = &args.count.device.choice.device;
    let report = count(&kernel, &launch, device, args.max_requests, &|_| true).report;
    print::complain(&report, &file);
    output::print(&match args.format {
        KernelFormat::Table => print::table(&report),
        KernelFormat::Json => output::json(&report)?,
        KernelFormat::Csv => print::csv(&report)?,
    })?;
    Ok(Some(ExitCode::SUCCESS))
}

/// The arguments on the command line.
fn arguments(args: &KernelArgs) -> anyhow::Result<Vec<NamedArgument>> {
    let given = args.kernel.arguments.iter().map(|(name, text)| {
        let value = argument_value(text).map_err(anyhow::Error::msg)?;
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
        output::complain(&format!("{severity}: {file}{line}: {}", remark.message));
    }
}
