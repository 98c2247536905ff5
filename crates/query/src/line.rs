//! What one line costs, for one kind of operation.

use crate::Question;
use crate::remark::spared_words;
use lanescope_cuda::source::{BundledFile, Outcome, Site, SiteId, bundled_files};
use lanescope_locale::Language;
use lanescope_tally::{Kind, Sums, Tally};
use std::collections::BTreeMap;

/// The places of one line that do the same, together.
#[derive(Clone, Debug)]
pub struct Line {
    /// The included file that it stands in; empty for the source.
    pub file: String,
    /// From 1, in its file.
    pub line: u32,
    /// From 1, in the source with all files behind it.
    pub place: u32,
    /// Which memory, and what is done to it.
    pub kind: Kind,
    /// The access as written; of several, the first.
    pub text: String,
    /// What it costs.
    pub sums: Sums,
    /// Why it makes no request, where it makes none.
    pub spared: Option<String>,
}

impl Line {
    /// Every line that touches memory, in the order of the source, reached or not.
    pub(crate) fn all(question: &Question, tally: &Tally<'_>, outcome: &Outcome) -> Vec<Self> {
        let program = &question.parsed.program;
        let mut lines: BTreeMap<(u32, Kind), Sums> = tally
            .lines(program)
            .into_iter()
            .map(|(line, kind, sums)| ((line, kind), sums))
            .collect();
        let mut firsts: BTreeMap<(u32, Kind), SiteId> = BTreeMap::new();
        for (id, site) in (0..).map(SiteId).zip(program.sites()) {
            let place = (site.line, Kind::of(site.space, site.operation));
            firsts.entry(place).or_insert(id);
            if !lines.keys().any(|(line, _)| *line == site.line) {
                lines.insert(place, Sums::default());
            }
        }
        let files = bundled_files(&question.source);
        let line = |((line, kind), sums): ((u32, Kind), Sums)| Self {
            file: file_of(&files, line).path.to_owned(),
            line: question.counted(line - file_of(&files, line).lines_before),
            place: question.counted(line),
            kind,
            text: firsts
                .get(&(line, kind))
                .map_or_else(String::new, |id| text(question, *id)),
            spared: firsts
                .get(&(line, kind))
                .filter(|_| sums.requests == 0 && sums.unknown.is_none())
                .map(|id| spared(question, *id, outcome)),
            sums,
        };
        lines.into_iter().map(line).collect()
    }
}

/// The file that a line of a bundle lies in.
fn file_of<'s>(files: &[BundledFile<'s>], line: u32) -> BundledFile<'s> {
    let file = files.iter().rev().find(|file| file.lines_before < line);
    file.or(files.first()).copied().unwrap_or(BundledFile::NONE)
}

/// The text of an access, in one line.
fn text(question: &Question, id: SiteId) -> String {
    let site = question.parsed.program.site(id);
    site.map_or_else(String::new, |site| {
        one_line(site.span.text(&question.source))
    })
}

/// Why an access makes no request.
fn spared(question: &Question, id: SiteId, outcome: &Outcome) -> String {
    let program = &question.parsed.program;
    let why = program.spared(id, outcome);
    let other = why.other();
    let line = other
        .and_then(|other| program.site(other))
        .map_or(0, |site: &Site| site.line);
    let text = other.map_or_else(String::new, |other| text(question, other));
    spared_words(why, &text, question.counted(line), Language::English)
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
    kind.is_shared()
}
