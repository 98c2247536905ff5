//! `lanescope expr`: index expressions.

use crate::args::expr::{ExprArgs, ExprFormat};
use crate::kernel::watched;
use crate::{clock, diagnostics, lines_table, output, question, subject, svg};
use lanescope_query::{Report, verdict};
use std::process::ExitCode;

/// Analyses the expressions and prints what they cost.
///
/// # Errors
/// When standard input cannot be read, or there is nothing to draw.
pub(crate) fn run(args: &ExprArgs) -> anyhow::Result<ExitCode> {
    let state = subject::expression(
        &args.expression,
        [args.extents.grid, args.extents.block],
        &args.count,
    )?;
    let analysis = watched(
        question::of(&state, args.limits.max_requests, clock::stop())?,
        args.limits.threads,
    );
    diagnostics::print(
        "<expression>",
        &analysis.question.source,
        &analysis.diagnostics,
    );
    output::print(&match args.format {
        ExprFormat::Table => format!(
            "{}\n\n{}",
            verdict(&analysis),
            lines_table::table(&analysis.lines)
        ),
        ExprFormat::Json => output::json(&Report::of(&analysis))?,
        ExprFormat::Svg => svg::of_state(&analysis, &state)?,
    })?;
    Ok(output::exit_code(&analysis))
}
