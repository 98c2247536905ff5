//! What `lanescope run` measured, as a table.

use crate::output;
use crate::table::{Align, Table};
use lanescope_kernels::Traffic;
use lanescope_lab::Gpu;
use lanescope_tally::Totals;

/// How a result was verified.
pub(crate) enum Verdict {
    /// All that the simulator knows is equal.
    Equal,
    /// Floats differ by so many units in the last place at most.
    Near(u32),
    /// The launch is too large for the simulator.
    Unverified,
}

/// What came of one version of the kernel.
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) verdict: Verdict,
    pub(crate) seconds: f64,
    /// The bytes of its buffers, each once.
    pub(crate) traffic: Traffic,
    /// What the launch is counted to cost, as written.
    pub(crate) totals: Totals,
    /// The words of each buffer that it writes.
    pub(crate) results: Vec<(String, Vec<u32>)>,
}

/// Bytes a second, in units of 10^9.
#[allow(clippy::cast_precision_loss, reason = "a rate of a few digits")]
pub(crate) fn rate(bytes: u64, seconds: f64) -> f64 {
    bytes as f64 * 1e-9 / seconds
}

pub(crate) fn table(gpu: &Gpu, measured: &[Measured], (copy, copy_rate): (f64, f64)) -> Table {
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
    for one in measured {
        let bytes = one.traffic.total_bytes();
        let rate = rate(bytes, one.seconds);
        table.row([
            one.name.clone(),
            time(one.seconds),
            format!("{rate:.1}"),
            format!("{:.0} %", 100.0 * rate / copy_rate),
            format!("{:.1}", self::rate(32 * sectors(&one.totals), one.seconds)),
            wavefronts(&one.totals).to_string(),
            match one.verdict {
                Verdict::Equal => "equal to the simulator's, bit for bit".to_owned(),
                Verdict::Near(ulps) => {
                    format!("the simulator's within {ulps} units in the last place")
                }
                Verdict::Unverified => "not verified: too large for the simulator".to_owned(),
            },
        ]);
    }
    table.row([
        "copy".to_owned(),
        time(copy),
        format!("{copy_rate:.1}"),
        "100 %".to_owned(),
        String::new(),
        String::new(),
        String::new(),
    ]);
    table
}

/// Sectors of global memory, of 32 bytes.
const fn sectors(totals: &Totals) -> u64 {
    totals.global_load_sectors
        + totals.global_store_sectors
        + totals.global_reduction_sectors
        + totals.global_atomic_sectors
}

/// Cycles of the pipe to shared memory.
const fn wavefronts(totals: &Totals) -> u64 {
    totals.shared_load_wavefronts
        + totals.shared_store_wavefronts
        + totals.shared_atomic_wavefronts
        + totals.matrix_load_wavefronts
        + totals.matrix_store_wavefronts
        + totals.async_copy_wavefronts
}

fn time(seconds: f64) -> String {
    if seconds < 1e-3 {
        format!("{:.1} us", seconds * 1e6)
    } else {
        format!("{:.3} ms", seconds * 1e3)
    }
}
