//! What `lanescope run` measured, as a table.

use crate::output;
use crate::table::{Align, Table};
use lanescope_lab::Gpu;
use lanescope_locale::{Language, run_card};
use lanescope_run::{Report, Verdict};

pub(crate) fn table(gpu: &Gpu, names: &[String], report: &Report) -> Table {
    let card = gpu.card();
    output::complain(&format!(
        "{} ({}, {})",
        card.name, card.backend, card.driver
    ));
    let mut table = Table::new(&[
        ("version", Align::Left),
        ("time", Align::Right),
        ("GB/s", Align::Right),
        ("of copy", Align::Right),
        ("sectors x 32, GB/s", Align::Right),
        ("shared wavefronts", Align::Right),
        ("results", Align::Left),
    ]);
    let copy_rate = report.copy.rate();
    for (name, launch) in names.iter().zip(&report.launches) {
        table.row([
            name.clone(),
            time(launch.seconds),
            format!("{:.1}", launch.rate()),
            format!("{:.0} %", 100.0 * launch.rate() / copy_rate),
            format!("{:.1}", launch.sector_rate()),
            launch.counts.shared_wavefronts.to_string(),
            match launch.verdict {
                Verdict::Equal => "equal to the simulator's, bit for bit".to_owned(),
                Verdict::Near(ulps) => {
                    format!("the simulator's within {ulps} units in the last place")
                }
                Verdict::Inexact(millionths) => run_card::inexact(Language::English, millionths),
                Verdict::Unverified => "not verified: too large for the simulator".to_owned(),
                Verdict::Undecided => "not verified: not known to the simulator".to_owned(),
            },
        ]);
    }
    table.row([
        "copy".to_owned(),
        time(report.copy.seconds),
        format!("{copy_rate:.1}"),
        "100 %".to_owned(),
        String::new(),
        String::new(),
        String::new(),
    ]);
    table
}

fn time(seconds: f64) -> String {
    if seconds < 1e-3 {
        format!("{:.1} us", seconds * 1e6)
    } else {
        format!("{:.3} ms", seconds * 1e3)
    }
}
