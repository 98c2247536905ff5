//! The answer in one sentence.

use super::{Analysis, Line};

/// One sentence on the worst line.
pub(crate) fn verdict(analysis: &Analysis, lines: &[Line]) -> String {
    let device = analysis.device.id();
    let worst_shared = lines
        .iter()
        .filter(|line| line.op.is_shared())
        .max_by_key(|line| line.tally.ways);
    if let Some(unknown) = lines.iter().find_map(|line| line.tally.unknown) {
        return format!("no number on {device}: {unknown}");
    }
    match worst_shared {
        Some(line) if line.tally.ways > 1 => conflict(line, device),
        _ => worst_global(lines, device, worst_shared.is_some()),
    }
}

fn conflict(line: &Line, device: &str) -> String {
    let Line {
        line: number,
        op,
        tally,
        ..
    } = line;
    format!(
        "{}-way bank conflict on line {number} ({device}): {} {} wavefronts, ideal {}",
        tally.ways,
        tally.wavefronts,
        op.words(),
        tally.ideal_wavefronts
    )
}

fn worst_global(lines: &[Line], device: &str, has_shared: bool) -> String {
    let free = if has_shared {
        "no bank conflict"
    } else {
        "no shared memory"
    };
    let excess = |line: &&Line| line.tally.units.saturating_sub(line.tally.ideal_units);
    match lines
        .iter()
        .filter(|line| !line.op.is_shared())
        .max_by_key(excess)
    {
        Some(line) if excess(&line) > 0 => {
            let Line {
                line: number,
                op,
                tally,
                ..
            } = line;
            let (units, ideal) = (tally.units, tally.ideal_units);
            format!(
                "{free}; line {number} ({device}): {units} {} sectors, ideal {ideal}",
                op.words()
            )
        }
        Some(_) => format!("{free}; global memory in the fewest sectors ({device})"),
        None if has_shared => format!("conflict-free ({device}): every wavefront is ideal"),
        None => format!("nothing touches memory ({device})"),
    }
}
