//! A report as CSV: a line for each kernel or stride. Names are the catalogue's own; what a
//! spreadsheet would run as a formula is quoted.

use lanescope_lab::ActiveLanes;
use lanescope_lab::plan::Checks;
use lanescope_lab::report::{Outcome, Report, Row, Table};

use lanescope_locale::number::decimal;

use crate::forecast::{Forecast, Question};

const HEADING: &str = "rows,columns,kernel,parameters,element,checks,seconds,gb_per_s,ceiling_share,spread,result,\
predicted_device,predicted_active_lanes,predicted_active_lanes_of_line,predicted_line,predicted_shared_wavefronts,predicted_shared_conflicts,predicted_sectors,predicted_requests";

/// The text, with the predictions for `device` beside.
pub(crate) fn text(report: &Report, forecast: &Forecast, device: &str) -> String {
    let mut lines = Vec::new();
    if let Some(strides) = &report.strides {
        lines.push("stride_words,seconds,relative,spread".to_owned());
        lines.extend(strides.steps.iter().map(|step| {
            format!(
                "{},{},{},{}",
                step.stride_words, step.seconds, step.relative, step.spread
            )
        }));
    } else {
        lines.push(HEADING.to_owned());
        for table in &report.experiments {
            lines.extend(
                table
                    .results
                    .iter()
                    .map(|row| line(row, table, forecast, device)),
            );
        }
    }
    lines.into_iter().map(|line| line + "\r\n").collect()
}

fn line(row: &Row, table: &Table, forecast: &Forecast, device: &str) -> String {
    let pairs: Vec<_> = row
        .parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let checks = match row.checks {
        Checks::On => "on",
        Checks::Off => "off",
    };
    let predicted = forecast
        .get(&Question::of_row(row, table, device))
        .map_or_else(
            || ",,,,,,,".to_owned(),
            |counts| {
                let [wavefronts, conflicts] = [counts.shared_wavefronts, counts.shared_conflicts];
                format!(
                    "{device},{},{wavefronts},{conflicts},{},{}",
                    lanes(&counts.lanes),
                    counts.sectors,
                    counts.global_requests
                )
            },
        );
    let [kernel, parameters, element] =
        [&row.kernel, &pairs.join(";"), &row.element].map(|text| cell(text));
    let (rows, columns) = (table.rows, table.columns);
    let figures = figures(&row.outcome);
    format!("{rows},{columns},{kernel},{parameters},{element},{checks},{figures},{predicted}")
}

/// Active lanes of all instructions, of the line that leaves most lane slots idle, and which it is.
fn lanes(lanes: &ActiveLanes) -> String {
    let all = decimal(lanes.all.lanes_hundredths());
    let fewest = decimal(lanes.fewest_hundredths());
    let line = lanes.worst_line.map(|worst| worst.line.to_string());
    format!("{all},{fewest},{}", line.unwrap_or_default())
}

fn figures(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Measured {
            gigabytes_per_second,
            ceiling_share,
            timing,
            ..
        } => {
            let share = ceiling_share
                .map(|share| share.to_string())
                .unwrap_or_default();
            format!(
                "{},{gigabytes_per_second},{share},{},verified",
                timing.seconds, timing.spread
            )
        }
        Outcome::TooNoisy { spread, .. } => format!(",,,{spread},too noisy"),
        Outcome::Failed { .. } => ",,,,wrong".to_owned(),
        Outcome::NotRun { .. } => ",,,,not run".to_owned(),
    }
}

/// A cell that came from a link may hold anything.
fn cell(text: &str) -> String {
    let plain = text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "_=;".contains(c));
    if plain && !text.starts_with('=') {
        return text.to_owned();
    }
    format!("\"'{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::cell;

    #[test]
    fn formulas_and_commas_are_quoted() {
        assert_eq!(cell("transpose_vec4"), "transpose_vec4");
        assert_eq!(cell("=1+1"), "\"'=1+1\"");
        assert_eq!(cell("a\"b,c"), "\"'a\"\"b,c\"");
    }
}
