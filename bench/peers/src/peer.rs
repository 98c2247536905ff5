//! One crate's sum, and how long it takes.

use std::time::Duration;

use anyhow::{Result, ensure};

use crate::element::Element;

const SAMPLES: usize = 15;
const PASS_SECONDS: f64 = 20e-3;
/// Arrays together touch at least this much, four times a cache of 64 MiB.
const WORKING_SET: u64 = 256 << 20;

/// A sum of arrays that lie on the device.
pub trait Peer {
    /// What the line is called.
    fn name(&self) -> String;

    /// What it sums.
    fn element(&self) -> Element;

    /// The time on the wall's clock of `runs` sums, one after the other, array by array in turn.
    fn elapsed(&mut self, runs: usize) -> Result<Duration>;

    /// Whether its sum of one array of `length` numbers is right.
    fn is_right(&mut self, length: u32) -> Result<bool>;
}

/// How many arrays of `length` numbers there are.
pub fn arrays(length: u32) -> u64 {
    WORKING_SET.div_ceil(u64::from(length) * 4).clamp(1, 4)
}

/// The bits of an array of `length` numbers.
pub fn values(length: u32, element: Element) -> Vec<u32> {
    (0..length).map(|index| element.bits(index)).collect()
}

/// Verifies `peer` on arrays of `length` numbers, times it and prints a line.
pub fn measure(peer: &mut dyn Peer, length: u32) -> Result<()> {
    let name = format!("{}, {}", peer.name(), peer.element().name());
    ensure!(peer.is_right(length)?, "{name}: a wrong sum of {length}");
    let seconds = seconds(peer)?;
    let rate = f64::from(length) * 4e-9 / seconds;
    println!(
        "{name:<44} {length:<12} {:10.4} ms {rate:8.1} GB/s",
        seconds * 1e3
    );
    Ok(())
}

/// Seconds that one sum takes: the slope between N and 2N, the median of 15.
fn seconds(peer: &mut dyn Peer) -> Result<f64> {
    let mut runs = 1;
    while peer.elapsed(runs)?.as_secs_f64() < PASS_SECONDS {
        runs *= 2;
    }
    let mut slopes = Vec::new();
    for _ in 0..SAMPLES {
        let (once, twice) = (peer.elapsed(runs)?, peer.elapsed(2 * runs)?);
        slopes.push((twice.as_secs_f64() - once.as_secs_f64()) / runs as f64);
    }
    slopes.sort_by(f64::total_cmp);
    Ok(slopes[SAMPLES / 2])
}
