//! The answer in one sentence.

use crate::{Analysis, Line, is_shared, words};
use lanescope_tally::{Reason, Standing, Status, english};

/// The most reasons that are named.
const MOST_REASONS: usize = 4;

/// One sentence on the worst line; before it, what is assumed or missing.
#[must_use]
pub fn verdict(analysis: &Analysis) -> String {
    let worst = worst(analysis);
    let status = analysis.standing.status;
    match status {
        Status::Counted => worst,
        Status::Assumed | Status::Partial => {
            format!("{}: {worst}", qualification(&analysis.standing))
        }
    }
}

/// What is assumed, or what is missing, in a few words: `not fully counted (line 3: …)`, `counted if n = 64`.
#[must_use]
pub fn qualification(standing: &Standing) -> String {
    let mine = |reason: &&Reason| reason.status() == standing.status;
    let mut named: Vec<String> = standing
        .reasons
        .iter()
        .filter(mine)
        .map(english::reason)
        .collect();
    let more = named.len().saturating_sub(MOST_REASONS);
    named.truncate(MOST_REASONS);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    match standing.status {
        Status::Counted => String::new(),
        Status::Assumed => format!("counted if {}", named.join(", ")),
        Status::Partial => format!("not fully counted ({})", named.join("; ")),
    }
}

fn worst(analysis: &Analysis) -> String {
    let (device, lines) = (analysis.question.device.id(), analysis.lines.as_slice());
    let worst_shared = lines
        .iter()
        .filter(|line| is_shared(line.kind))
        .max_by_key(|line| line.sums.ways);
    if let Some(unknown) = lines.iter().find_map(|line| line.sums.unknown) {
        return format!("no number on {device}: {unknown}");
    }
    match worst_shared {
        Some(line) if line.sums.ways > 1 => conflict(line, device),
        _ => worst_global(lines, device, worst_shared.is_some()),
    }
}

fn conflict(line: &Line, device: &str) -> String {
    let Line {
        line: number,
        kind,
        sums,
        ..
    } = line;
    format!(
        "{}-way bank conflict on line {number} ({device}): {} {} wavefronts, ideal {}",
        sums.ways,
        sums.wavefronts,
        words(*kind),
        sums.ideal_wavefronts
    )
}

fn worst_global(lines: &[Line], device: &str, has_shared: bool) -> String {
    let free = if has_shared {
        "no bank conflict"
    } else {
        "no shared memory"
    };
    let excess = |line: &&Line| line.sums.sectors.saturating_sub(line.sums.ideal_sectors);
    match lines
        .iter()
        .filter(|line| !is_shared(line.kind))
        .max_by_key(excess)
    {
        Some(line) if excess(&line) > 0 => {
            let Line {
                line: number,
                kind,
                sums,
                ..
            } = line;
            let (units, ideal) = (sums.sectors, sums.ideal_sectors);
            format!(
                "{free}; line {number} ({device}): {units} {} sectors, ideal {ideal}",
                words(*kind)
            )
        }
        Some(_) => format!("{free}; global memory in the fewest sectors ({device})"),
        None if has_shared => format!("conflict-free ({device}): every wavefront is ideal"),
        None => format!("nothing touches memory ({device})"),
    }
}
