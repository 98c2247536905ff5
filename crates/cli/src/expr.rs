//! `lanescope expr`: index expressions.

use crate::analysis::{Analysis, Line, Report, analyse, verdict};
use crate::args::{ExprArgs, ExprFormat};
use crate::subject::Expression;
use crate::{diagnostics, lines_table, output, svg};
use std::process::ExitCode;

/// Analyses the expressions and prints what they cost.
///
/// # Errors
/// When standard input cannot be read, or there is nothing to draw.
pub(crate) fn run(args: &ExprArgs) -> anyhow::Result<ExitCode> {
    let expression = Expression::read(&args.expression)?;
    let question = expression.question(
        &args.expression,
        [args.grid, args.block],
        &args.device.choice.device,
        &args.budget,
    );
    let analysis = analyse(question);
    diagnostics::print("<expression>", &analysis.source, &analysis.diagnostics);
    output::print(&text(&analysis, args.format)?)?;
    Ok(if analysis.is_answered() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

fn text(analysis: &Analysis, format: ExprFormat) -> anyhow::Result<String> {
    match format {
        ExprFormat::Table => {
            let lines = Line::all(analysis);
            Ok(format!(
                "{}\n\n{}",
                verdict(analysis, &lines),
                lines_table::table(&lines)
            ))
        }
        ExprFormat::Json => output::json(&Report::of(analysis)),
        ExprFormat::Svg => svg::text(analysis, None),
    }
}
