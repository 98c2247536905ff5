//! `lanescope svg`: the dearest request as a picture.

use crate::analysis::{Analysis, Question, analyse, picture};
use crate::args::{BudgetArgs, SvgArgs};
use crate::subject::{Expression, kernel_question};
use crate::{diagnostics, input, output};
use std::process::ExitCode;

/// How much is run before the dearest request is chosen.
const BUDGET: BudgetArgs = BudgetArgs {
    max_requests: 10_000_000,
    count_repeated_reads: false,
};

/// Draws the picture.
///
/// # Errors
/// When a file cannot be read, or there is nothing to draw.
pub(crate) fn run(args: &SvgArgs) -> anyhow::Result<ExitCode> {
    let analysis = analyse(question(args)?);
    let name = args
        .subject
        .file
        .as_deref()
        .map_or("<expression>".to_owned(), input::name);
    diagnostics::print(&name, &analysis.source, &analysis.diagnostics);
    output::print(&text(&analysis, args.line)?)?;
    Ok(ExitCode::SUCCESS)
}

/// The picture; on standard error which request it shows.
///
/// # Errors
/// When there is nothing to draw.
pub(crate) fn text(analysis: &Analysis, line: Option<u32>) -> anyhow::Result<String> {
    let picture = picture(analysis, line).map_err(anyhow::Error::msg)?;
    output::complain(&picture.caption);
    Ok(picture.svg)
}

fn question(args: &SvgArgs) -> anyhow::Result<Question> {
    let subject = &args.subject;
    let (extents, device) = ([subject.grid, subject.block], &subject.device.choice.device);
    Ok(match &subject.file {
        Some(file) => kernel_question(
            input::text(file)?,
            &subject.launch,
            extents,
            device,
            &BUDGET,
        ),
        None => Expression::read(&subject.expression)?.question(
            &subject.expression,
            extents,
            device,
            &BUDGET,
        ),
    })
}
