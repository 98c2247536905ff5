//! `lanescope kernel`: a kernel's lines over the whole launch.

use crate::analysis::{Analysis, Line, Report, Totals, analyse, verdict};
use crate::args::{KernelArgs, KernelFormat};
use crate::table::{Align, Table};
use crate::{diagnostics, input, lines_table, output, question, subject};
use lanescope_lang::Blocks;
use std::process::ExitCode;

/// Analyses the kernel and prints what its lines cost.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn run(args: &KernelArgs) -> anyhow::Result<ExitCode> {
    let state = subject::kernel(
        &args.file,
        &args.kernel,
        [args.grid, args.block],
        &args.count,
    )?;
    let mut question = question::of(&state, args.max_requests)?;
    if let Some(blocks) = args.blocks {
        question.launch.blocks = Blocks::First(blocks);
    }
    let analysis = analyse(question);
    diagnostics::print(
        &input::name(&args.file),
        &analysis.source,
        &analysis.diagnostics,
    );
    output::print(&text(&analysis, args.format)?)?;
    Ok(analysis.exit_code())
}

fn text(analysis: &Analysis, format: KernelFormat) -> anyhow::Result<String> {
    match format {
        KernelFormat::Table => Ok(table(analysis)),
        KernelFormat::Json => output::json(&Report::of(analysis)),
        KernelFormat::Csv => lines_table::csv(&Line::all(analysis)),
    }
}

fn table(analysis: &Analysis) -> String {
    let lines = Line::all(analysis);
    let totals = totals(&Totals::of(&lines));
    let scope = scope(analysis);
    format!(
        "{}\n\n{}\n{scope}\n{totals}",
        verdict(analysis, &lines),
        lines_table::table(&lines)
    )
}

/// What the numbers cover.
fn scope(analysis: &Analysis) -> String {
    let outcome = &analysis.outcome;
    if outcome.exact() {
        return format!("Whole launch, {}:", blocks(outcome.blocks_total));
    }
    format!(
        "{} of {}, not the whole launch:",
        outcome.blocks_done,
        blocks(outcome.blocks_total)
    )
}

fn blocks(count: u64) -> String {
    format!("{count} {}", if count == 1 { "block" } else { "blocks" })
}

fn totals(totals: &Totals) -> Table {
    let mut table = Table::new(&[("total", Align::Left), ("count", Align::Right)]);
    for (name, count) in totals.named() {
        table.row([name.to_owned(), count.to_string()]);
    }
    table
}
