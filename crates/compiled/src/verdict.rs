//! The answer on compiled code in one sentence.

use crate::{Report, Row};
use lanescope_tally::Status;

/// The most reasons that are named.
const MOST_REASONS: usize = 4;

impl Report {
    /// One sentence on the worst instruction; before it, what is assumed or missing.
    #[must_use]
    pub fn verdict(&self) -> String {
        let worst = self.worst();
        match self.status {
            Status::Counted | Status::Predicted => worst,
            Status::Assumed => format!("counted if {}: {worst}", self.named(", ")),
            Status::Partial => format!("not fully counted ({}): {worst}", self.named("; ")),
        }
    }

    fn named(&self, separator: &str) -> String {
        let mine = self
            .reasons
            .iter()
            .filter(|reason| reason.status == self.status);
        let mut named: Vec<String> = mine.map(|reason| reason.message.clone()).collect();
        let more = named.len().saturating_sub(MOST_REASONS);
        named.truncate(MOST_REASONS);
        if more > 0 {
            named.push(format!("{more} more"));
        }
        named.join(separator)
    }

    fn worst(&self) -> String {
        let device = &self.device;
        if let Some(row) = self.rows.iter().find(|row| row.unknown) {
            let at = place(row);
            return format!("no number on {device}: {at} is not documented there");
        }
        let conflict = self.rows.iter().max_by_key(|row| conflicts(row));
        if let Some(row) = conflict.filter(|row| conflicts(row) > 0) {
            let ways = row.ways.filter(|ways| *ways > 1);
            let what = ways.map_or("bank conflict".to_owned(), |ways| {
                format!("{ways}-way bank conflict")
            });
            let (at, op) = (place(row), &row.op);
            let (wavefronts, ideal) = (
                row.wavefronts.unwrap_or(0),
                row.ideal_wavefronts.unwrap_or(0),
            );
            return format!(
                "{what} on {at} ({device}): {wavefronts} {op} wavefronts, ideal {ideal}"
            );
        }
        let has_shared = self.rows.iter().any(|row| row.wavefronts.is_some());
        let free = match has_shared {
            true => "no bank conflict",
            false => "no shared memory",
        };
        match self.rows.iter().max_by_key(|row| excess_sectors(row)) {
            Some(row) if excess_sectors(row) > 0 => {
                let (at, op) = (place(row), &row.op);
                let (sectors, ideal) = (row.sectors.unwrap_or(0), row.ideal_sectors.unwrap_or(0));
                format!("{free}; {at} ({device}): {sectors} {op} sectors, ideal {ideal}")
            }
            Some(_) if self.rows.iter().any(|row| row.sectors.is_some()) => {
                format!("{free}; global memory in the fewest sectors ({device})")
            }
            Some(_) => format!("conflict-free ({device}): every wavefront is ideal"),
            None => format!("nothing touches memory ({device})"),
        }
    }
}

/// The line of the source, else of the text.
fn place(row: &Row) -> String {
    match &row.source {
        Some(source) => format!("{}:{}", source.file, source.line),
        None => format!("line {}", row.line),
    }
}

fn conflicts(row: &Row) -> u64 {
    let ideal = row.ideal_wavefronts.unwrap_or(0);
    row.wavefronts.unwrap_or(0).saturating_sub(ideal)
}

fn excess_sectors(row: &Row) -> u64 {
    let ideal = row.ideal_sectors.unwrap_or(0);
    row.sectors.unwrap_or(0).saturating_sub(ideal)
}
