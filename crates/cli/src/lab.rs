//! `lanescope lab` and `lanescope adapters`: kernels on a GPU of this machine.

use crate::args::format::Format;
use crate::args::lab::{AdaptersArgs, LabArgs, LabExperiment, LabFormat};
use crate::table::{Align, Table};
use crate::{lab_table, output};
use anyhow::bail;
use lanescope_kernels::{Family, Kernel, Problem};
use lanescope_lab::report::{Outcome, Report, SCHEMA};
use lanescope_lab::{
    AdapterCard, Control, DeviceLimits, Experiment, Gpu, Machine, Progress, TimingRules, Variant,
    Verifier, adapters, probe_strides,
};
use std::process::ExitCode;

/// Lists the adapters.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn list(args: &AdaptersArgs) -> anyhow::Result<ExitCode> {
    let found = pollster::block_on(adapters());
    let text = match args.format {
        Format::Json => output::json(&found)?,
        Format::Table => adapters_table(&found).to_string(),
    };
    output::print(&text)?;
    if found.is_empty() {
        output::complain(
            "no GPU adapter is offered; is a Vulkan, Metal or Direct3D 12 driver installed?",
        );
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

fn adapters_table(cards: &[AdapterCard]) -> Table {
    let mut table = Table::new(&[
        ("adapter", Align::Left),
        ("kind", Align::Left),
        ("backend", Align::Left),
        ("timestamps", Align::Left),
        ("driver", Align::Left),
    ]);
    for card in cards {
        let timestamps = if card.timestamps { "yes" } else { "no" };
        table.row([
            card.name.clone(),
            format!("{:?}", card.kind).to_lowercase(),
            card.backend.clone(),
            timestamps.to_owned(),
            card.driver.clone(),
        ]);
    }
    table
}

/// Runs the experiments and prints their tables.
///
/// # Errors
/// When there is no GPU, or the arguments do not fit together.
pub(crate) fn run(args: &LabArgs) -> anyhow::Result<ExitCode> {
    let report = pollster::block_on(measure(args))?;
    let text = match args.format {
        LabFormat::Table => lab_table::table(&report),
        LabFormat::Csv => lab_table::csv(&report)?,
        LabFormat::Json => output::json(&report)?,
    };
    output::print(&text)?;
    let rows = || report.experiments.iter().flat_map(|table| &table.results);
    let wrong = rows().any(|row| matches!(row.outcome, Outcome::Failed { .. }));
    let ran = report.strides.is_some()
        || rows().any(|row| !matches!(row.outcome, Outcome::NotRun { .. }));
    Ok(if wrong || !ran {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

async fn measure(args: &LabArgs) -> anyhow::Result<Report> {
    let mut gpu = Gpu::open(args.adapter.as_deref()).await?;
    if gpu.card().is_software() {
        output::complain("this adapter is the processor: its times say nothing about a GPU");
    }
    let mut report = Report {
        schema: SCHEMA.to_owned(),
        adapter: gpu.card().clone(),
        limits: gpu.limits(),
        clock: gpu.clock(),
        experiments: Vec::new(),
        strides: None,
    };
    if args.experiment == Some(LabExperiment::Stride) {
        let rules = TimingRules {
            pass_ns: 5e6,
            ..TimingRules::default()
        };
        report.strides = Some(probe_strides(&mut gpu, &rules, &ProgressLines).await?);
        return Ok(report);
    }
    let family = family(args)?;
    let mut verifier = Verifier::default();
    for problem in problems(args, family)? {
        let experiment = experiment(args, family, problem, &report.limits)?;
        let mut table = experiment
            .run(&mut gpu, &mut verifier, &ProgressLines)
            .await;
        experiment.predict_lanes(&mut table, &args.device.device);
        report.experiments.push(table);
    }
    Ok(report)
}

/// The family asked for, or that of the first kernel named.
fn family(args: &LabArgs) -> anyhow::Result<Family> {
    let of_kernel = args.kernels.first().map(|id| Kernel::of(*id).family);
    match (args.experiment, of_kernel) {
        (Some(LabExperiment::Reduce), _) => Ok(Family::Reduction),
        (Some(LabExperiment::Transpose), _) => Ok(Family::Transpose),
        (Some(LabExperiment::Ceilings), _) => Ok(Family::Ceiling),
        (Some(LabExperiment::Stride), _) | (None, Some(Family::Stride)) => Ok(Family::Stride),
        (None, Some(family)) => Ok(family),
        (None, None) => bail!("say what to measure: --experiment NAME or --kernel NAME"),
    }
}

fn problems(args: &LabArgs, family: Family) -> anyhow::Result<Vec<Problem>> {
    let usual = match family {
        Family::Transpose => Problem::Matrix {
            rows: 4096,
            columns: 4096,
        },
        _ => Problem::Length(1 << 24),
    };
    if args.sizes.is_empty() {
        return Ok(vec![usual]);
    }
    let fits = |p: &&Problem| matches!(p, Problem::Matrix { .. }) != (family == Family::Transpose);
    if args.sizes.iter().any(|size| fits(&size)) {
        bail!("transposes take sizes of ROWSxCOLUMNS, the others numbers of elements");
    }
    Ok(args.sizes.clone())
}

fn experiment(
    args: &LabArgs,
    family: Family,
    problem: Problem,
    limits: &DeviceLimits,
) -> anyhow::Result<Experiment> {
    let named = |kernel: &&Kernel| args.kernels.is_empty() || args.kernels.contains(&kernel.id);
    let kernels = Kernel::family(family).filter(named);
    let holds = |kernel: &&Kernel| kernel.elements.contains(&args.element);
    let mut variants = Vec::new();
    for kernel in kernels.filter(holds) {
        // Without settings or names, a ceiling is already there as it runs best.
        if family == Family::Ceiling && args.settings.is_empty() && args.kernels.is_empty() {
            continue;
        }
        let variant = set(Variant::tuned(kernel, limits), args)?;
        variants.extend(args.checks.all().iter().map(|&checks| Variant {
            checks,
            ..variant.clone()
        }));
    }
    let mut experiment = Experiment::with(variants, problem, limits);
    experiment.cache_bytes = args.cache << 20;
    Ok(experiment)
}

fn set(mut variant: Variant, args: &LabArgs) -> anyhow::Result<Variant> {
    variant.element = args.element;
    let parameters = variant.kernel.map_or(&[][..], |kernel| kernel.parameters);
    for (name, value) in &args.settings {
        let Some(parameter) = parameters.iter().find(|parameter| parameter.name == name) else {
            continue;
        };
        if !parameter.legal.contains(value) {
            bail!(
                "{name} of {} may be one of {:?}",
                variant.name(),
                parameter.legal
            );
        }
        variant.values = variant.values.with(name, *value);
    }
    Ok(variant)
}

/// Tells on standard error how far the run is.
struct ProgressLines;

impl Control for ProgressLines {
    fn progress(
        &self,
        Progress {
            done,
            total,
            kernel,
        }: Progress,
    ) {
        output::complain(&format!("[{done}/{total}] {kernel}"));
    }
}
