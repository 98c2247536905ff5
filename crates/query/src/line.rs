//! What one line costs, for one kind of operation.

use crate::Question;
use crate::remark::omitted_words;
use lanescope_frontend::{SourceOutcome, SourceSite, Span};
use lanescope_ir::{SiteId, Stage};
use lanescope_locale::Language;
use lanescope_syntax::{BundledFile, bundled_files};
use lanescope_tally::{Kind, Sums, Tally};
use serde::Serialize;
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
    /// Where that stands.
    pub span: Span,
    /// Its column, from 1.
    pub column: u32,
    /// Of compiled code: the instruction without its operands, as in `LDS.64`.
    pub opcode: Option<String>,
    /// Of compiled code: the line of the source that it comes from, where the text says.
    pub origin: Option<Origin>,
    /// What it costs.
    pub sums: Sums,
    /// Why it makes no request, where it makes none.
    pub omitted: Option<String>,
}

/// A line of the source that was compiled.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Origin {
    /// The file, as the compiler names it.
    pub file: String,
    /// From 1.
    pub line: u32,
}

impl Line {
    /// Every line that touches memory, in the order of the source, reached or not.
    pub(crate) fn all(
        question: &Question,
        tally: &Tally<'_>,
        outcome: &SourceOutcome,
    ) -> Vec<Self> {
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
        let line = |((line, kind), sums): ((u32, Kind), Sums)| {
            let first = firsts.get(&(line, kind)).copied();
            let site = first.and_then(|id| program.site(id));
            Self {
                file: file_of(&files, line).path.to_owned(),
                line: question.counted(line - file_of(&files, line).lines_before),
                place: question.counted(line),
                kind,
                text: first.map_or_else(String::new, |id| text(question, id)),
                span: site.map_or_else(Span::default, |site| site.span),
                column: site.map_or(1, |site| site.column),
                opcode: first.and_then(|id| opcode(question, id)),
                origin: first.and_then(|id| origin(question, id)),
                omitted: first
                    .filter(|_| sums.requests == 0 && sums.unknown.is_none())
                    .map(|id| omitted(question, id, outcome)),
                sums,
            }
        };
        lines.into_iter().map(line).collect()
    }
}

/// The file that a line of a bundle lies in.
pub(crate) fn file_of<'s>(files: &[BundledFile<'s>], line: u32) -> BundledFile<'s> {
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

/// The instruction of compiled code without its operands.
fn opcode(question: &Question, id: SiteId) -> Option<String> {
    let kernel = question.parsed.program.lowered()?;
    let site = kernel.sites.get(id.index())?;
    (kernel.stage != Stage::Source).then(|| site.text.clone())
}

/// The line of the source that an instruction of compiled code comes from.
pub(crate) fn origin(question: &Question, id: SiteId) -> Option<Origin> {
    let kernel = question.parsed.program.lowered()?;
    let site = kernel.sites.get(id.index())?;
    let (file, line) = kernel.places.get(site.place.index())?.origin?;
    let file = kernel.files.get(usize::from(file))?.clone();
    Some(Origin { file, line })
}

/// Why an access makes no request.
fn omitted(question: &Question, id: SiteId, outcome: &SourceOutcome) -> String {
    let program = &question.parsed.program;
    let why = program.omitted(id, outcome);
    let other = why.other();
    let line = other
        .and_then(|other| program.site(other))
        .map_or(0, |site: &SourceSite| site.line);
    let text = other.map_or_else(String::new, |other| text(question, other));
    omitted_words(why, &text, question.counted(line), Language::English)
}

/// A text of several lines in one.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
