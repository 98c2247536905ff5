//! What is found: a line that costs more than it may, or a kernel of which that cannot be said.

use super::rule::Rule;
use super::target::Launched;
use crate::limits::Limits;
use lanescope_fixes::Edit;
use lanescope_model::Unit;
use lanescope_query::{Analysis, Line, qualification};
use lanescope_syntax::Lines;
use lanescope_tally::{Status, status_of};

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// A limit is exceeded, or something could not be checked.
    Error,
    /// A limit is exceeded under a launch that was guessed.
    Warning,
    /// It is said what is not counted.
    Note,
}

impl Level {
    /// Its name, which SARIF has too.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// Who accepts a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Accepted {
    /// A comment in the source.
    Comment,
    /// The baseline.
    Baseline,
}

/// A stretch of a file's text: line and column in characters, from 1; the end is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) end_line: u32,
    pub(super) end_column: u32,
}

impl Region {
    /// A whole line.
    pub(super) const fn of_line(line: u32) -> Self {
        Self {
            line,
            column: 1,
            end_line: line,
            end_column: 1,
        }
    }
}

/// A fix that was proved on the changed source.
#[derive(Clone, Debug)]
pub(super) struct ProvedFix {
    /// What it does.
    pub(super) description: String,
    /// Why the changed source computes the same.
    pub(super) proof: String,
    /// Each replaced region of the file, and what takes its place.
    pub(super) edits: Vec<(Region, String)>,
    /// The lines that it changes, as they become.
    pub(super) suggestion: String,
}

/// A finding.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) rule: Rule,
    pub(super) level: Level,
    pub(super) file: String,
    pub(super) region: Region,
    pub(super) kernel: String,
    pub(super) message: String,
    /// How far the number can be relied on; of what is no number, nothing.
    pub(super) status: Option<Status>,
    /// What it costs, where the rule has a limit.
    pub(super) value: Option<f64>,
    pub(super) limit: Option<f64>,
    /// The access.
    pub(super) text: String,
    pub(super) accepted: Option<Accepted>,
    pub(super) fix: Option<ProvedFix>,
}

impl Finding {
    /// What about a file or kernel cannot be checked.
    pub(super) fn about(
        rule: Rule,
        level: Level,
        (file, line): (&str, u32),
        kernel: &str,
        message: String,
    ) -> Self {
        Self {
            rule,
            level,
            file: file.to_owned(),
            region: Region::of_line(line.max(1)),
            kernel: kernel.to_owned(),
            message,
            status: None,
            value: None,
            limit: None,
            text: String::new(),
            accepted: None,
            fix: None,
        }
    }

    /// What stays the same when lines are added above it.
    pub(super) fn fingerprint(&self) -> String {
        let parts = [self.rule.key(), &self.file, &self.kernel, &self.text];
        parts.join("|")
    }
}

/// What of the analysis exceeds the limits, and what it does not count.
pub(super) fn findings(
    launched: &Launched<'_>,
    limits: Limits,
    analysis: &Analysis,
) -> Vec<Finding> {
    // That the launch is a guess is said before what was found under it.
    let mut found: Vec<Finding> = guessed(launched, analysis).into_iter().collect();
    let places = Lines::of(&analysis.question.source);
    for line in &analysis.lines {
        let excess = exceeded(line, limits);
        found.extend(excess.into_iter().map(|(rule, value, limit, what)| {
            let level = match analysis.question.is_shape_guessed {
                true => Level::Warning,
                false => Level::Error,
            };
            let status = analysis.standing.status.max(status_of(line.sums.certainty));
            let mut finding = Finding::about(
                rule,
                level,
                ("", 0),
                &launched.name,
                format!("{what}{}", words(status)),
            );
            (finding.file, finding.region) = place(launched, line, analysis, &places);
            finding.status = Some(status);
            (finding.value, finding.limit) = (Some(value), Some(limit));
            finding.text.clone_from(&line.text);
            finding
        }));
    }
    found.extend(uncounted(launched, analysis));
    found
}

/// How far a number can be relied on, behind it.
const fn words(status: Status) -> &'static str {
    match status {
        Status::Counted => "",
        Status::Predicted => " (predicted)",
        Status::Assumed => " (counted under assumptions)",
        Status::Partial => " (not fully counted)",
    }
}

/// What a line has too much of: the rule, how much, how much it may have, and a sentence.
fn exceeded(line: &Line, limits: Limits) -> Vec<(Rule, f64, f64, String)> {
    let sums = &line.sums;
    let mut found = Vec::new();
    let kind = line.kind.words();
    if sums.unknown.is_some() || sums.requests == 0 {
        return found;
    }
    if let Some(limit) = limits
        .ways
        .filter(|limit| line.kind.is_shared() && sums.ways > *limit)
    {
        let (wavefronts, ideal) = (sums.wavefronts, sums.ideal_wavefronts);
        let what = format!(
            "{}-way bank conflict, at most {limit}-way is allowed: {wavefronts} {kind} wavefronts, ideal {ideal}",
            sums.ways
        );
        found.push((
            Rule::BankConflict,
            f64::from(sums.ways),
            f64::from(limit),
            what,
        ));
    }
    if line.kind.is_shared() || sums.sectors == 0 {
        return found;
    }
    let unit = match sums.unit {
        None | Some(Unit::Sector) => "sectors",
        Some(Unit::Line) => "lines",
        Some(Unit::Transaction) => "transactions",
    };
    let (sectors, ideal) = (sums.sectors, sums.ideal_sectors);
    let each = ratio(sectors, sums.requests);
    if let Some(limit) = limits.sectors_per_request.filter(|limit| each > *limit) {
        let what = format!(
            "{each:.2} {unit} a request, at most {limit} are allowed: {sectors} {kind} {unit} of {} requests",
            sums.requests
        );
        found.push((Rule::SectorsPerRequest, each, limit, what));
    }
    let waste = ratio(sectors.saturating_sub(ideal), sectors);
    if let Some(limit) = limits.waste.filter(|limit| waste > *limit) {
        let what = format!(
            "{:.1}% of the {unit} are wasted, at most {:.1}% are allowed: {sectors} {kind} {unit}, ideal {ideal}",
            waste * 100.0,
            limit * 100.0
        );
        found.push((Rule::WastedSectors, waste, limit, what));
    }
    found
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a ratio for a limit that a person writes"
)]
fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// A note on the kernel.
fn note(launched: &Launched<'_>, analysis: &Analysis, rule: Rule, message: String) -> Finding {
    let here = (launched.file.name.as_str(), launched.line);
    Finding {
        status: Some(analysis.standing.status),
        ..Finding::about(rule, Level::Note, here, &launched.name, message)
    }
}

/// What is not counted.
fn uncounted(launched: &Launched<'_>, analysis: &Analysis) -> Option<Finding> {
    let is_partial = analysis.standing.status == Status::Partial;
    let said = || qualification(&analysis.standing);
    is_partial.then(|| note(launched, analysis, Rule::NotCounted, said()))
}

/// A launch that was guessed.
fn guessed(launched: &Launched<'_>, analysis: &Analysis) -> Option<Finding> {
    let [grid, block] = analysis.question.guessed_shape()?.map(extent);
    let message = format!(
        "nobody gives the launch: counted under a guess, grid {grid} and block {block}; write `// lanescope: grid={grid} block={block}` before the kernel"
    );
    Some(note(launched, analysis, Rule::GuessedLaunch, message))
}

/// `64,64`, without what is 1 at the end.
pub(super) fn extent([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x},{y}"),
        (_, _) => format!("{x},{y},{z}"),
    }
}

/// The file and region of a line: of compiled code, where it says it comes from.
fn place(
    launched: &Launched<'_>,
    line: &Line,
    analysis: &Analysis,
    places: &Lines,
) -> (String, Region) {
    if let Some(origin) = &line.origin {
        let is_own =
            std::path::Path::new(&origin.file).file_name() == launched.file.path.file_name();
        let file = if is_own {
            launched.file.name.clone()
        } else {
            origin.file.clone()
        };
        return (file, Region::of_line(origin.line));
    }
    let file = match line.file.is_empty() {
        true => launched.file.name.clone(),
        false => launched.file.path.parent().map_or_else(
            || line.file.clone(),
            |folder| folder.join(&line.file).display().to_string(),
        ),
    };
    let text = &analysis.question.source;
    let (end_line, end_column) = places.place(line.span.end);
    let before = line.place.saturating_sub(line.line);
    let region = Region {
        line: line.line,
        column: characters(text, line.place, line.column.max(1)),
        end_line: end_line.saturating_sub(before).max(line.line),
        end_column: characters(text, end_line, end_column),
    };
    (file, region)
}

/// A column in characters of one in bytes, both from 1.
fn characters(text: &str, line: u32, column: u32) -> u32 {
    let index = |number: u32| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
    let line = text.split('\n').nth(index(line)).unwrap_or_default();
    let before = line
        .char_indices()
        .take_while(|(at, _)| *at < index(column));
    u32::try_from(before.count())
        .unwrap_or(u32::MAX)
        .saturating_add(1)
}

/// The edits of a fix as regions of the text that they change; `None` where one lies outside it.
pub(super) fn regions(text: &str, edits: &[Edit]) -> Option<Vec<(Region, String)>> {
    let places = Lines::of(text);
    let place = |at: u32| {
        let (line, column) = places.place(at);
        (line, characters(text, line, column))
    };
    let region = |edit: &Edit| {
        let is_inside = usize::try_from(edit.span.end).is_ok_and(|end| end <= text.len());
        let (line, column) = place(edit.span.start);
        let (end_line, end_column) = place(edit.span.end);
        let region = Region {
            line,
            column,
            end_line,
            end_column,
        };
        is_inside.then(|| (region, edit.replacement.clone()))
    };
    edits.iter().map(region).collect()
}
