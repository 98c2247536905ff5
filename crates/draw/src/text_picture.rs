//! A request as lines of text: what shows wherever a picture does not, as in Markdown's code.

use lanescope_model::{GlobalReport, LineUse, SectorUse, SharedReport};

use crate::phrase::{Phrase, Say};

/// Lines that the highest column has at most.
const MOST_ROWS: u32 = 8;
/// Lines of memory that are shown at most.
const MOST_LINES: usize = 16;
/// Every so many banks one has its number.
const NUMBERED: usize = 8;
/// A cell that is filled by none to eight eighths, from its foot.
const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// A sector that is not moved.
const STILL: char = '·';

/// A column of wavefronts for each bank in the costliest phase of `report`, under a title in the words of `say`; no line
/// feed at its end.
#[must_use]
pub fn bank_text(report: &SharedReport, say: Say<'_>) -> String {
    let counts = &report.counts;
    let mut lines = vec![say(&Phrase::BankTitle {
        ways: counts.ways,
        wavefronts: counts.wavefronts,
        ideal: counts.ideal_wavefronts,
    })];
    let mut columns = vec![0; report.banks as usize];
    // The first of several equals: `max_by_key` would take the last.
    let phases = report.phases.iter();
    let costliest = phases.reduce(|best, next| {
        if next.wavefronts > best.wavefronts {
            next
        } else {
            best
        }
    });
    for bank in costliest.into_iter().flat_map(|phase| &phase.banks) {
        if let Some(column) = columns.get_mut(bank.bank as usize) {
            *column = bank.wavefronts;
        }
    }
    let top = columns.iter().copied().max().unwrap_or(0);
    let margin = top.to_string().len();
    lines.extend((0..top.min(MOST_ROWS)).map(|row| bank_row(&columns, row, top, margin)));
    lines.push(format!("{:>margin$} └{}", 0, "─".repeat(columns.len())));
    let indent = " ".repeat(margin + 2);
    lines.push(format!(
        "{indent}{}{}",
        numbers(columns.len()),
        say(&Phrase::BankAxis)
    ));
    lines.join("\n")
}

/// A line of the columns, the highest being the first of `top.min(MOST_ROWS)`.
fn bank_row(columns: &[u32], row: u32, top: u32, margin: usize) -> String {
    let rows = top.min(MOST_ROWS);
    // Of a row's height, in eighths of it: what lies above its foot.
    let above = |wavefronts: u32| {
        let foot = u64::from(rows - 1 - row) * 8;
        let whole = (u64::from(wavefronts) * u64::from(rows) * 8).div_ceil(u64::from(top));
        usize::try_from(whole.saturating_sub(foot).min(8)).unwrap_or(8)
    };
    let cells: String = columns
        .iter()
        .map(|column| EIGHTHS[above(*column)])
        .collect();
    let label = if row == 0 {
        top.to_string()
    } else {
        String::new()
    };
    format!("{label:>margin$} │{}", cells.trim_end())
}

/// The numbers below the columns.
fn numbers(columns: usize) -> String {
    let numbered = (0..columns).step_by(NUMBERED);
    numbered.map(|bank| format!("{bank:<NUMBERED$}")).collect()
}

/// The lines of memory that `report` has, a bracket each sector: filled as far as its bytes are used, a dot where it is not
/// moved. Under a title in the words of `say`; no line feed at its end.
#[must_use]
pub fn sector_text(report: &GlobalReport, say: Say<'_>) -> String {
    let counts = &report.counts;
    let title = say(&Phrase::SectorTitle {
        unit: counts.unit,
        units: counts.units,
        ideal: counts.ideal_units,
        used: counts.bytes_used,
        moved: counts.bytes_moved,
    });
    let shown = report.lines.iter().take(MOST_LINES).map(memory_line);
    let left = report.lines.len().saturating_sub(MOST_LINES);
    let more = (left > 0).then(|| format!("… +{left}"));
    let lines: Vec<String> = std::iter::once(title).chain(shown).chain(more).collect();
    lines.join("\n")
}

fn memory_line(line: &LineUse) -> String {
    let sectors: String = line
        .sectors
        .iter()
        .map(|used| format!("[{}]", sector(used)))
        .collect();
    format!("{:#010x} {sectors}", line.address)
}

/// How far the bytes of a sector are used; of one that is moved at least an eighth.
fn sector(sector: &SectorUse) -> char {
    if !sector.moved {
        return STILL;
    }
    let eighths = (sector.used.count_ones() * 8).div_ceil(sector.bytes.max(1));
    EIGHTHS[eighths.clamp(1, 8) as usize]
}

#[cfg(test)]
mod tests {
    use lanescope_model::{Device, LaneMask, Operation, Request, Space, Width};

    use super::{bank_text, sector_text};
    use crate::english;

    fn request(space: Space, addresses: &[u64]) -> Request<'_> {
        Request {
            space,
            operation: Operation::Load,
            width: Width::Bytes4,
            active: LaneMask::first(32),
            addresses,
        }
    }

    fn banks(stride: u64) -> String {
        let addresses: Vec<u64> = (0..32).map(|lane| lane * stride).collect();
        let report = <&Device>::default().shared_report(&request(Space::Shared, &addresses));
        bank_text(&report.expect("a device whose rule is known"), &english)
    }

    #[test]
    fn a_column_is_as_high_as_its_bank_needs_wavefronts() {
        let expected = "32-way bank conflict: 32 wavefronts, ideal 1
32 │█
   │█
   │█
   │█
   │█
   │█
   │█
   │█
 0 └────────────────────────────────
    0       8       16      24      bank";
        assert_eq!(banks(128), expected);
        let expected = "2-way bank conflict: 2 wavefronts, ideal 1
2 │█ █ █ █ █ █ █ █ █ █ █ █ █ █ █ █
  │█ █ █ █ █ █ █ █ █ █ █ █ █ █ █ █
0 └────────────────────────────────
   0       8       16      24      bank";
        assert_eq!(banks(8), expected);
        assert!(banks(4).contains("\n1 │████████████████████████████████\n"));
    }

    #[test]
    fn a_sector_is_filled_as_far_as_it_is_used() {
        let told = |stride: u64| {
            let addresses: Vec<u64> = (0..32).map(|lane| lane * stride).collect();
            let report = <&Device>::default().global_report(&request(Space::Global, &addresses));
            sector_text(&report.expect("a device whose rule is known"), &english)
        };
        assert!(
            told(4).ends_with("\n0x00000000 [█][█][█][█]"),
            "{}",
            told(4)
        );
        let far = told(256);
        assert!(far.contains("\n0x00000100 [▁][·][·][·]\n"), "{far}");
        assert!(far.ends_with("\n… +16"), "{far}");
    }
}
