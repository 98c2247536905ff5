//! The margin of an editor: line numbers and, on each line, what its accesses cost.

use std::collections::BTreeMap;

use lanescope_cuda::source::SiteId;
use lanescope_draw::Tone;
use lanescope_model::{Space, Unit};

use super::MOST_SITES;
use super::editor::{Editor, MOST_LINES};
use super::list::List;
use super::source_card::choose;
use crate::answer::{Answer, SiteTally, decimal, site_of};
use crate::element::{El, el, number_around};
use crate::page::Page;
use crate::session::Session;
use crate::words::Message;

/// What stands beside an editor's lines.
pub(crate) struct Gutter(List<Row>);

/// A row of the margin.
#[derive(PartialEq)]
enum Row {
    /// The numbers of lines that have nothing beside them, up to and without `end`.
    Numbers { start: u32, end: u32 },
    /// A line with accesses.
    Line { line: u32, chips: Vec<Chip> },
}

/// What an access costs; a click looks into it.
#[derive(PartialEq)]
struct Chip {
    site: SiteId,
    class: &'static str,
    text: String,
    title: String,
    is_chosen: bool,
}

impl Gutter {
    /// The margin of `editor`, empty so far.
    pub(crate) fn new(session: Session, editor: &Editor) -> Self {
        let margin = editor.gutter.clone().on("click", move |event| {
            if let Some(site) = number_around(&event, "data-site") {
                choose(session, site);
            }
        });
        Self(List::new(margin))
    }

    /// Shows the numbers of `text`'s lines alone.
    pub(crate) fn put_numbers(&mut self, text: &str) {
        let end = line_count(text).min(MOST_LINES) + 1;
        self.0.put(vec![Row::Numbers { start: 1, end }], Row::build);
    }

    /// Shows what the accesses of `page` in `text` cost; of the first accesses where there are very many.
    pub(crate) fn put(&mut self, page: &Page, text: &str) {
        self.0.put(rows(page, text), Row::build);
    }
}

fn rows(page: &Page, text: &str) -> Vec<Row> {
    let answer = &page.answer;
    let chosen = site_of(answer, page.selection());
    let mut by_line: BTreeMap<u32, Vec<&SiteTally>> = BTreeMap::new();
    for tally in answer.sites.iter().take(MOST_SITES) {
        by_line
            .entry(answer.line(tally.site))
            .or_default()
            .push(tally);
    }
    let end = line_count(text).min(MOST_LINES) + 1;
    let (mut rows, mut start) = (Vec::new(), 1);
    for (line, tallies) in by_line.range(1..end) {
        if start < *line {
            rows.push(Row::Numbers { start, end: *line });
        }
        let chips = tallies.iter().map(|tally| Chip::of(page, tally, chosen));
        rows.push(Row::Line {
            line: *line,
            chips: chips.collect(),
        });
        start = line + 1;
    }
    if start < end {
        rows.push(Row::Numbers { start, end });
    }
    rows
}

fn line_count(text: &str) -> u32 {
    u32::try_from(text.split('\n').count()).unwrap_or(u32::MAX)
}

impl Row {
    fn build(&self) -> El {
        match self {
            Self::Numbers { start, end } => {
                let numbers: Vec<String> = (*start..*end).map(|line| line.to_string()).collect();
                el("div").class("run").text(&numbers.join("\n"))
            }
            Self::Line { line, chips } => {
                let chips: Vec<El> = chips.iter().map(Chip::build).collect();
                let number = el("span").text(&line.to_string());
                el("div").with_all(&chips).with(&number)
            }
        }
    }
}

impl Chip {
    fn of(page: &Page, tally: &SiteTally, chosen: Option<SiteId>) -> Self {
        let (class, text) = cost(&page.answer, tally);
        Self {
            site: tally.site,
            class,
            text,
            title: page.language.say(&Message::ByAccessAbout),
            is_chosen: chosen == Some(tally.site),
        }
    }

    fn build(&self) -> El {
        let button = el("button")
            .set("type", "button")
            .class(&format!("chip {}", self.class));
        button
            .set("data-site", &self.site.0.to_string())
            .set(
                "aria-pressed",
                if self.is_chosen { "true" } else { "false" },
            )
            .set("title", &self.title)
            .text(&self.text)
    }
}

/// The colour of a chip and what it says.
fn cost(answer: &Answer, tally: &SiteTally) -> (&'static str, String) {
    match answer.program.site(tally.site).map(|site| site.space) {
        _ if tally.requests == 0 => ("plain", "–".to_owned()),
        _ if tally.unknown.is_some() => ("plain", "?".to_owned()),
        Some(Space::Shared) => (
            Tone::of_ways(tally.ways()).class(),
            tally.ways().to_string(),
        ),
        _ => {
            let per_request = decimal(tally.global.per_request_hundredths());
            let letter = unit_letter(tally.global.unit);
            ("plain", format!("{per_request}{letter}"))
        }
    }
}

const fn unit_letter(unit: Unit) -> &'static str {
    match unit {
        Unit::Sector => "s",
        Unit::Line => "L",
        Unit::Transaction => "t",
    }
}
