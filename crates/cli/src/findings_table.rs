//! The findings of an analysis as a table, the costliest first.

use crate::lines_table::place_in;
use crate::table::{Align, Table};
use lanescope_locale::Language;
use lanescope_locale::finding::{wasted_units, wasted_wavefronts};
use lanescope_locale::verdict::unit_name;
use lanescope_query::{Analysis, Finding, findings};
use lanescope_tally::{Need, decimal};

/// The most rows; of the rest the number is said.
const MOST_ROWS: usize = 12;

const TITLES: [(&str, Align); 6] = [
    ("share", Align::Right),
    ("line", Align::Right),
    ("op", Align::Left),
    ("request", Align::Left),
    ("waste", Align::Left),
    ("access", Align::Left),
];

/// How much is needed, in one sentence, and below it the findings; nothing where nothing is wasted.
pub(crate) fn text(analysis: &Analysis) -> String {
    let found = findings(analysis);
    if found.is_empty() {
        return String::new();
    }
    let mut table = Table::new(&TITLES);
    for finding in found.iter().take(MOST_ROWS) {
        table.row(cells(finding));
    }
    let more = match found.len().saturating_sub(MOST_ROWS) {
        0 => String::new(),
        1 => "1 more finding\n".to_owned(),
        more => format!("{more} more findings\n"),
    };
    let whole = Need::of(&analysis.sites).sentence(Language::English);
    format!("{whole}:\n{table}{more}\n")
}

fn cells(finding: &Finding) -> [String; 6] {
    let line = place_in(finding.file.as_deref().unwrap_or_default(), finding.line);
    let (shared, global) = (&finding.tally.shared, &finding.tally.global);
    let (mut request, mut waste) = (Vec::new(), Vec::new());
    if shared.conflicts > 0 {
        request.push(format!("{}-way", shared.ways));
        waste.push(wasted_wavefronts(Language::English, shared.conflicts));
    }
    let units = global.units.saturating_sub(global.ideal);
    if units > 0 {
        let name = unit_name(Language::English, global.unit, true);
        let each = decimal(global.per_request_hundredths());
        let ideal = decimal(global.ideal_per_request_hundredths());
        request.push(format!("{each} {name}, ideal {ideal}"));
        waste.push(wasted_units(Language::English, global.unit, units));
    }
    [
        format!("{} %", decimal(finding.share_basis_points.into())),
        line,
        finding.op.replace('_', " "),
        request.join("; "),
        waste.join("; "),
        finding.text.clone(),
    ]
}
