//! What one line costs, for one kind of operation.

use crate::Question;
use lanescope_lang::{Kind, Sums, Tally};
use std::collections::BTreeMap;

/// The places of one line that do the same, together.
#[derive(Clone, Debug)]
pub struct Line {
    /// From 1.
    pub line: u32,
    /// Which memory, and what is done to it.
    pub kind: Kind,
    /// The access as written; of several, the first.
    pub text: String,
    /// What it costs.
    pub sums: Sums,
}

impl Line {
    /// Every line that touches memory, in the order of the source, reached or not.
    pub(crate) fn all(question: &Question, tally: &Tally<'_>) -> Vec<Self> {
        let program = &question.parsed.program;
        let mut lines: BTreeMap<(u32, Kind), Sums> = tally
            .lines(program)
            .into_iter()
            .map(|(line, kind, sums)| ((line, kind), sums))
            .collect();
        let mut texts: BTreeMap<(u32, Kind), String> = BTreeMap::new();
        for site in program.sites() {
            let place = (site.line, Kind::of(site.space, site.operation));
            texts
                .entry(place)
                .or_insert_with(|| one_line(site.span.text(&question.source)));
            if !lines.keys().any(|(line, _)| *line == site.line) {
                lines.insert(place, Sums::default());
            }
        }
        let line = |((line, kind), sums): ((u32, Kind), Sums)| Self {
            line: question.counted(line),
            kind,
            text: texts.get(&(line, kind)).cloned().unwrap_or_default(),
            sums,
        };
        lines.into_iter().map(line).collect()
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A kind in words.
#[must_use]
pub const fn words(kind: Kind) -> &'static str {
    match kind {
        Kind::SharedLoad => "shared load",
        Kind::SharedStore => "shared store",
        Kind::SharedAtomic => "shared atomic",
        Kind::GlobalLoad => "global load",
        Kind::GlobalStore => "global store",
        Kind::GlobalAtomic => "global atomic",
        Kind::GlobalReduction => "global reduction",
    }
}

/// Whether a kind goes to shared memory.
#[must_use]
pub const fn is_shared(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::SharedLoad | Kind::SharedStore | Kind::SharedAtomic
    )
}
