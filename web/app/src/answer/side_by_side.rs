//! Source and compiled code line by line, with what each line costs.

use std::collections::{BTreeMap, BTreeSet};

use lanescope_draw::Tone;
use lanescope_frontend::{Language, SiteId};
use lanescope_model::{Space, Unit};
use lanescope_query::Answer;
use lanescope_share::{Source, State};
use lanescope_tally::{GlobalTotals, SharedTotals, SiteTally};

use super::source_text::{SourceText, is_source, short};
use crate::reader;

/// The most lines of a side; of longer ones the lines without an access are left out first.
const MOST_LINES: usize = 1_000;

/// Both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SideBySide {
    /// The source's path, as the compiled text names it.
    pub(crate) path: String,
    /// Its lines; empty while its text is not at hand.
    pub(crate) source: Vec<SideLine>,
    /// Lines of the compiled text.
    pub(crate) code: Vec<SideLine>,
    /// What global memory is counted in.
    pub(crate) unit: Option<Unit>,
    /// Whether lines were left out for their number.
    pub(crate) is_cut: bool,
}

/// A line of one side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SideLine {
    /// From 1.
    pub(crate) number: u32,
    /// Its text.
    pub(crate) text: String,
    /// The line of the source that it is, or was made of; `None`: none of this file.
    pub(crate) origin: Option<u32>,
    /// What it costs; `None` without an access.
    pub(crate) costs: Option<LineCosts>,
}

/// What the accesses of a line cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LineCosts {
    /// The first of them, or what it is an access of.
    pub(crate) site: Option<SiteId>,
    /// Those to shared memory.
    pub(crate) shared: Option<SharedTotals>,
    /// Those to global memory.
    pub(crate) global: Option<GlobalTotals>,
    /// Requests of all.
    pub(crate) requests: u64,
    /// Whether some have no number on this device.
    pub(crate) is_unknown: bool,
}

impl LineCosts {
    const fn of(site: SiteId) -> Self {
        Self {
            site: Some(site),
            shared: None,
            global: None,
            requests: 0,
            is_unknown: false,
        }
    }

    fn add(&mut self, tally: &SiteTally, space: Space) {
        self.requests = self.requests.saturating_add(tally.requests);
        self.is_unknown |= tally.unknown.is_some();
        match space {
            Space::Shared => self.shared.get_or_insert_default().add(&tally.shared),
            Space::Global => match &mut self.global {
                Some(global) => global.add(&tally.global),
                None => self.global = Some(tally.global),
            },
        }
    }

    /// The colour of its wavefronts.
    pub(crate) fn tone(&self) -> Option<Tone> {
        let shared = self.shared.filter(|shared| shared.requests > 0)?;
        Some(Tone::of_ways(shared.ways))
    }
}

/// Source and compiled code of a page that shows a compiled text which names its source's lines; `None` of others.
pub(crate) fn side_by_side(state: &State, answer: &Answer) -> Option<SideBySide> {
    let Source::Kernel(text) = &state.source else {
        return None;
    };
    if !matches!(reader::language(text), Language::Ptx | Language::Sass) {
        return None;
    }
    let kernel = answer.program.lowered()?;
    let file = commonest(kernel.places.iter().filter_map(|place| place.origin))?;
    let mut origins: BTreeMap<u32, Option<u32>> = BTreeMap::new();
    for place in kernel.places.iter().filter(|place| place.line > 0) {
        let origin = place.origin.filter(|(of, _)| *of == file);
        let line = origins.entry(place.line).or_default();
        *line = line.or(origin.map(|(_, line)| line));
    }
    let path = kernel.files.get(usize::from(file))?.clone();
    let (by_code, by_source) = costs(answer, &origins);
    let mut code = code_lines(text, &origins, by_code);
    let mut source = source_lines(&SourceText::in_text(text, &path), &origins, by_source);
    let is_cut = cut(&mut code) | cut(&mut source);
    let of_global = answer.sites.iter().find(|tally| tally.global.requests > 0);
    Some(SideBySide {
        path: short(&path).to_owned(),
        source,
        code,
        unit: of_global.map(|tally| tally.global.unit),
        is_cut,
    })
}

/// The file that most places are from.
fn commonest(origins: impl Iterator<Item = (u16, u32)>) -> Option<u16> {
    let mut counts: BTreeMap<u16, usize> = BTreeMap::new();
    origins.for_each(|(file, _)| *counts.entry(file).or_default() += 1);
    let most = counts.into_iter().rev().max_by_key(|(_, count)| *count);
    most.map(|(file, _)| file)
}

type ByLine = BTreeMap<u32, LineCosts>;

/// What accesses cost, by line of the compiled text and of the source.
fn costs(answer: &Answer, origins: &BTreeMap<u32, Option<u32>>) -> (ByLine, ByLine) {
    let (mut by_code, mut by_source) = (ByLine::new(), ByLine::new());
    for tally in &answer.sites {
        let Some(site) = answer.program.site(tally.site) else {
            continue;
        };
        let line = answer.line(tally.site);
        let first = || LineCosts::of(tally.site);
        by_code
            .entry(line)
            .or_insert_with(first)
            .add(tally, site.space);
        if let Some(Some(origin)) = origins.get(&line) {
            by_source
                .entry(*origin)
                .or_insert_with(first)
                .add(tally, site.space);
        }
    }
    (by_code, by_source)
}

/// The lines from the kernel's first to its last, without directives of lines and comments.
fn code_lines(
    text: &str,
    origins: &BTreeMap<u32, Option<u32>>,
    mut costs: ByLine,
) -> Vec<SideLine> {
    let first = origins.keys().next().copied().unwrap_or(1);
    let last = origins.keys().next_back().copied().unwrap_or(0);
    let numbered = (1..=last).zip(text.lines());
    let lines = numbered.skip_while(|(number, _)| *number < first);
    let made = lines.filter_map(|(number, line)| {
        let text = instruction(line)?;
        Some(SideLine {
            number,
            text: text.to_owned(),
            origin: origins.get(&number).copied().flatten(),
            costs: costs.remove(&number),
        })
    });
    made.collect()
}

/// A line without address and encoding; `None` where nothing is left to show.
fn instruction(line: &str) -> Option<&str> {
    if is_source(line)
        || line.trim_start().starts_with("//")
        || line.trim_start().starts_with(".loc")
    {
        return None;
    }
    let line = line.trim();
    let behind_address = line
        .strip_prefix("/*")
        .and_then(|rest| rest.split_once("*/"));
    let text = behind_address.map_or(line, |(_, rest)| rest.trim_start());
    let text = text.split("/*").next().unwrap_or(text).trim_end();
    Some(text).filter(|text| !text.is_empty())
}

fn source_lines(
    source: &SourceText,
    origins: &BTreeMap<u32, Option<u32>>,
    mut costs: ByLine,
) -> Vec<SideLine> {
    let linked: BTreeSet<u32> = origins.values().copied().flatten().collect();
    let lines = source.lines.iter().map(|(number, text)| SideLine {
        number: *number,
        text: text.replace('\t', "    "),
        origin: Some(*number).filter(|number| linked.contains(number)),
        costs: costs.remove(number),
    });
    lines.collect()
}

/// Shortens a side that is too long; whether it was.
fn cut(lines: &mut Vec<SideLine>) -> bool {
    let is_long = lines.len() > MOST_LINES;
    if is_long {
        lines.retain(|line| line.costs.is_some());
        lines.truncate(MOST_LINES);
    }
    is_long
}

#[cfg(test)]
mod tests {
    use super::instruction;

    #[test]
    fn addresses_encodings_and_directives_go() {
        let row =
            "        /*0000*/                   LDC R1, c[0x0][0x28] ;  /* 0x00000a00ff017b82 */";
        assert_eq!(instruction(row), Some("LDC R1, c[0x0][0x28] ;"));
        assert_eq!(instruction("   /* 0x000fe20000000800 */"), None);
        assert_eq!(instruction("\t//## File \"/a/x.cu\", line 2"), None);
        assert_eq!(instruction("\t.loc\t1 9 9"), None);
        assert_eq!(instruction("//x.cu:4 int x;"), None);
        assert_eq!(
            instruction("\tld.shared.f32 \t%f2, [%r21];"),
            Some("ld.shared.f32 \t%f2, [%r21];")
        );
        assert_eq!(instruction(".L_x_1:"), Some(".L_x_1:"));
    }
}
