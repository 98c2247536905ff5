//! What one line costs, for one kind of operation.

use super::{Analysis, Op, Tally};
use lanescope_lang::Site;
use std::collections::BTreeMap;

/// The places of one line that do the same, together.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// From 1.
    pub(crate) line: u32,
    pub(crate) op: Op,
    /// The access as written; of several, the first.
    pub(crate) text: String,
    pub(crate) tally: Tally,
}

impl Line {
    /// Every line that touches memory, in the order of the source.
    pub(crate) fn all(analysis: &Analysis) -> Vec<Self> {
        let mut lines: BTreeMap<(u32, Op), Self> = BTreeMap::new();
        for (site, cost) in analysis.program.sites().iter().zip(&analysis.sites) {
            let op = cost
                .op
                .unwrap_or_else(|| Op::of(site.space, site.operation));
            let number = analysis.line_of(site);
            let line = lines
                .entry((number, op))
                .or_insert_with(|| Self::of(number, op, site, &analysis.source));
            line.tally.add(&cost.tally);
        }
        lines.into_values().collect()
    }

    fn of(line: u32, op: Op, site: &Site, source: &str) -> Self {
        let text = site
            .span
            .text(source)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        Self {
            line,
            op,
            text,
            tally: Tally::default(),
        }
    }
}
