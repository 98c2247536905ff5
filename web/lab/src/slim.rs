//! A report for a link or the browser's memory: without single samples, figures to five digits.

use lanescope_lab::report::{Outcome, Report, Row};

/// The report, shortened.
pub(crate) fn report(report: &Report) -> Report {
    let mut short = report.clone();
    for row in short
        .experiments
        .iter_mut()
        .flat_map(|table| &mut table.results)
    {
        shorten(row);
    }
    for step in short
        .strides
        .iter_mut()
        .flat_map(|strides| &mut strides.steps)
    {
        for figure in [&mut step.seconds, &mut step.relative, &mut step.spread] {
            *figure = five_digits(*figure);
        }
    }
    short
}

fn shorten(row: &mut Row) {
    row.predicted_lanes = None;
    match &mut row.outcome {
        Outcome::Measured {
            gigabytes_per_second,
            ceiling_share,
            timing,
            ..
        } => {
            timing.samples.clear();
            let figures = [
                gigabytes_per_second,
                &mut timing.seconds,
                &mut timing.spread,
            ];
            for figure in figures.into_iter().chain(ceiling_share.as_mut()) {
                *figure = five_digits(*figure);
            }
        }
        Outcome::TooNoisy { spread, noise } => {
            *spread = five_digits(*spread);
            if let Some(noise) = noise {
                let [fastest, slowest] = &mut noise.range;
                for figure in [&mut noise.seconds, fastest, slowest] {
                    *figure = five_digits(*figure);
                }
            }
        }
        Outcome::Failed { .. } | Outcome::NotRun { .. } => {}
    }
}

/// The number to five significant digits.
fn five_digits(number: f64) -> f64 {
    format!("{number:.4e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::five_digits;

    #[test]
    fn figures_keep_five_digits() {
        assert_eq!(five_digits(0.000_123_456_789), 0.000_123_46);
        assert_eq!(five_digits(4_139.065_26), 4_139.1);
        assert_eq!(five_digits(0.0), 0.0);
    }
}
