//! Recorded launches, cut to a few blocks, on this machine's GPU: `lanescope run`.

use super::launch::Launch;
use anyhow::{Context as _, Result};
use std::collections::BTreeMap;
use std::path::Path;

/// Seconds that one run may take.
const LIMIT_SECONDS: &str = "60";

/// What came of a launch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ended {
    /// It ran, and what it stored is what the simulator says.
    Verified,
    /// It ran, and was too large for the simulator, or what it stored depends on what is not known.
    Unverified,
    /// It did not run, for a reason that is named.
    Refused(String),
    /// It stored something else than the simulator says.
    Wrong(String),
}

/// Runs every launch and prints what came of it: sums, reasons, and each that is wrong.
///
/// # Errors
/// When the command line cannot be started, or a result is wrong.
pub(super) fn run(launches: &[&Launch], binary: &Path, blocks: u32) -> Result<()> {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    let (mut verified, mut unverified, mut wrong) = (0, 0, 0);
    for launch in launches {
        match ended(launch, binary, blocks)? {
            Ended::Verified => verified += 1,
            Ended::Unverified => unverified += 1,
            Ended::Refused(reason) => *reasons.entry(general(&reason)).or_default() += 1,
            Ended::Wrong(reason) => {
                wrong += 1;
                println!("{}: {reason}", launch.name);
            }
        }
    }
    let all = launches.len();
    println!(
        "verified: {verified} of {all}; not verified, too large or not known: {unverified}; wrong: {wrong}"
    );
    for (reason, count) in reasons {
        println!("refused: {count:4} {reason}");
    }
    anyhow::ensure!(wrong == 0, "{wrong} results are wrong");
    Ok(())
}

fn ended(launch: &Launch, binary: &Path, blocks: u32) -> Result<Ended> {
    let grid = cut(launch.grid, blocks).map(|side| side.to_string());
    let output = launch
        .command(binary, "run")
        .args(["--grid", &grid.join(",")])
        .args(["--max-seconds", LIMIT_SECONDS])
        .output()
        .context("could not start the command line")?;
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rfind(|line| !line.trim().is_empty());
    let last = last.unwrap_or("no reason").to_owned();
    Ok(match output.status.code() {
        Some(0) => Ended::Verified,
        Some(3) => Ended::Unverified,
        _ if last.contains("is not what the simulator says") => Ended::Wrong(last),
        _ => Ended::Refused(last),
    })
}

/// A grid of at most so many blocks, the first axes filled first.
fn cut(grid: [u32; 3], blocks: u32) -> [u32; 3] {
    let mut left = blocks.max(1);
    grid.map(|side| {
        let side = side.clamp(1, left);
        left = (left / side).max(1);
        side
    })
}

/// A reason without what is the launch's own: names in backquotes, and numbers.
fn general(reason: &str) -> String {
    let mut text = String::new();
    for (at, part) in reason.split('`').enumerate() {
        text.push_str(if at % 2 == 1 { "…" } else { part });
    }
    let mut out = String::new();
    for char in text.chars() {
        match (char.is_ascii_digit(), out.ends_with('#')) {
            (true, true) => {}
            (true, false) => out.push('#'),
            (false, _) => out.push(char),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_cut_to_so_many_blocks() {
        assert_eq!(cut([100, 100, 1], 4), [4, 1, 1]);
        assert_eq!(cut([2, 100, 3], 8), [2, 4, 1]);
        assert_eq!(cut([1, 1, 1], 4), [1, 1, 1]);
    }

    #[test]
    fn a_reason_is_told_without_names_and_numbers() {
        let reason = "error: line 307: not run: `d_rv[i]` may be in one of several buffers";
        let general = general(reason);
        assert_eq!(
            general,
            "error: line #: not run: … may be in one of several buffers"
        );
    }
}
