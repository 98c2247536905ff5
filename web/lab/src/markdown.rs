//! A report as Markdown: what was measured, the active lanes predicted, and a link.

use std::fmt::Write as _;

use crate::line::Line;
use crate::settings::Experiment;
use crate::sheet::Sheet;
use crate::words::{Words, size_name};

/// A table for each sheet, the GPU over them and the link under them.
pub(crate) fn text(
    sheets: &[impl AsRef<Sheet>],
    (gpu, experiment): (&str, Experiment),
    link: &str,
    language: Words,
) -> String {
    let mut text = format!("**{gpu}**\n");
    for sheet in sheets {
        table(&mut text, sheet.as_ref(), experiment, language);
    }
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "\n{}\n\n[Lanescope]({link})\n",
        language.words().formula
    );
    text
}

fn table(text: &mut String, sheet: &Sheet, experiment: Experiment, language: Words) {
    let words = language.words();
    let head = [
        words.kernel,
        words.time,
        words.times_first,
        words.times_before,
        words.bandwidth,
        words.ceiling,
        words.active_lanes_predicted,
    ];
    let head = head.join(" | ");
    let name = size_name(experiment, &sheet.size.spell());
    let _ = writeln!(
        text,
        "\n{name}\n\n| {head} |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    );
    for (line, step) in sheet.lines.iter().zip(sheet.steps()) {
        if let Some(row) = row(line, step, language) {
            let _ = writeln!(text, "| {row} |");
        }
    }
}

fn row(line: &Line, step: Option<[f64; 2]>, language: Words) -> Option<String> {
    let [time, first, before, bandwidth] = line.figures(step)?;
    let share = line.ceiling_share();
    let share = share.map(|share| format!("{:.1} %", share * 100.0));
    let cells = [
        format!("`{}`", line.name),
        time,
        first,
        before,
        bandwidth,
        share.unwrap_or_default(),
        line.lanes(language).unwrap_or_default(),
    ];
    Some(cells.join(" | "))
}
