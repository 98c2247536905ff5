//! The margin of an editor: line numbers and, on each line, what its accesses cost.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use lanescope_draw::Tone;
use lanescope_frontend::SiteId;
use lanescope_locale::Language;
use lanescope_locale::finding::FindingWords;
use lanescope_locale::page::PageWords;
use lanescope_model::{Space, Unit};
use leptos::prelude::Notify as _;

use super::MOST_SITES;
use super::chosen_site::choose;
use super::editor::Editor;
use super::list::List;
use crate::answer::{Answer, SiteTally, decimal, predicted_units, site_of, sites_at};
use crate::compiled::CountedCode;
use crate::page::Page;
use crate::session::Session;
use crate::words::compiler::compiled_cost;
use lanescope_ui::element::{El, el, number_around};

/// Lines of which those around the ones in view are drawn too. A block of lines is drawn as a whole, so that the margin
/// changes once in so many lines that are scrolled.
const BLOCK: u32 = 64;

/// What stands beside an editor's lines: of a long text, beside those in view.
pub(crate) struct Gutter(Rc<RefCell<Margin>>);

struct Margin {
    rows: List<Row>,
    /// Whose lines these are.
    editor: Editor,
    /// Lines of the text.
    count: u32,
    /// Lines before the first that counts, which have no number: an expression's declarations.
    before: u32,
    /// The first line in view.
    top: u32,
    /// The lines that are drawn.
    drawn: Range<u32>,
}

/// A row of the margin.
#[derive(PartialEq)]
enum Row {
    /// Lines that are not in view, and their height.
    Gap(String),
    /// The numbers of lines that have nothing beside them; the first so many have none.
    Numbers { lines: Range<u32>, unnumbered: u32 },
    /// A line with accesses, and its part of the waste.
    Line {
        /// As it is numbered.
        line: u32,
        share: Option<Share>,
        chips: Vec<Chip>,
    },
}

/// How much of the waste a line has.
#[derive(PartialEq)]
struct Share {
    class: &'static str,
    percent: String,
    title: String,
}

/// What an access costs; a click looks into it.
#[derive(PartialEq)]
struct Chip {
    /// `None`: the compiler's own, of which the source has no access.
    site: Option<SiteId>,
    class: &'static str,
    text: String,
    title: String,
    is_chosen: bool,
}

impl Gutter {
    /// The margin of `editor`, empty so far, which follows the box that the editor scrolls in.
    pub(crate) fn new(session: Session, editor: &Editor) -> Self {
        let margin = editor.gutter.clone().on("click", move |event| {
            if let Some(site) = number_around(&event, "data-site") {
                choose(session, site);
            }
        });
        let margin = Rc::new(RefCell::new(Margin {
            rows: List::new(margin),
            editor: editor.clone(),
            count: 0,
            before: 0,
            top: 1,
            drawn: 1..1,
        }));
        let gutter = Self(Rc::clone(&margin));
        editor.follow_scroll(move |share| margin.borrow_mut().scroll(session, share));
        gutter
    }

    /// Shows what the accesses of `page` in `text` cost beside the lines in view; the first `before` lines have no number.
    pub(crate) fn put(&mut self, page: &Page, text: &str, before: u32) {
        let mut margin = self.0.borrow_mut();
        margin.count = line_count(text);
        margin.before = before;
        margin.drawn = margin.around_view();
        margin.draw(page);
    }
}

impl Margin {
    /// Follows the text's box, whose lines before this share of all are scrolled away.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a count, none below 0"
    )]
    fn scroll(&mut self, session: Session, share: f64) {
        self.top = (share * f64::from(self.count)) as u32 + 1;
        let wanted = self.around_view();
        if wanted != self.drawn {
            self.drawn = wanted;
            self.draw(&session.page());
            session.redrawn.notify();
        }
    }

    /// The lines in view and a block on either side: no box shows more lines than a block has.
    fn around_view(&self) -> Range<u32> {
        let first = self.top.min(self.count) / BLOCK * BLOCK;
        let end = (first + 3 * BLOCK).min(self.count + 1);
        first.saturating_sub(BLOCK).max(1)..end
    }

    fn draw(&mut self, page: &Page) {
        let (before, after) = (1..self.drawn.start, self.drawn.end..self.count + 1);
        let mut rows = rows(page, &self.drawn, self.before);
        if !before.is_empty() {
            rows.insert(0, self.gap(&before));
        }
        if !after.is_empty() {
            rows.push(self.gap(&after));
        }
        self.rows.put(rows, Row::build);
    }

    /// The room of lines that are not drawn, which is as high as the editor has them: what a line's height is off by a
    /// fraction of a pixel comes to lines in thousands.
    fn gap(&self, lines: &Range<u32>) -> Row {
        let [top, bottom] = [lines.start, lines.end].map(|line| self.editor.top(line));
        Row::Gap(match top.zip(bottom) {
            Some((top, bottom)) => format!("{:.3}px", bottom - top),
            None => format!("calc({} * 1.65em)", lines.len()),
        })
    }
}

/// The rows of the lines `drawn`, of which the first `before` of the text have no number.
fn rows(page: &Page, drawn: &Range<u32>, before: u32) -> Vec<Row> {
    let answer = &page.answer;
    let chosen = site_of(answer, page.selection());
    let shares = shares(page);
    let (mut rows, mut start) = (Vec::new(), drawn.start);
    let numbered = drawn.start.saturating_sub(before)..drawn.end.saturating_sub(before);
    let chips = match &page.code {
        Some(code) => compiled_chips(page, code, &numbered, chosen),
        None => chips(page, &numbered, chosen),
    };
    for (line, chips) in chips {
        if start < line + before {
            rows.push(Row::numbers(start..line + before, before));
        }
        rows.push(Row::Line {
            line,
            share: shares
                .get(&line)
                .map(|points| Share::of(*points, page.language)),
            chips,
        });
        start = line + before + 1;
    }
    if start < drawn.end {
        rows.push(Row::numbers(start..drawn.end, before));
    }
    rows
}

type ByLine = BTreeMap<u32, Vec<Chip>>;

/// The accesses on the lines `drawn`, of very many the first.
fn chips(page: &Page, drawn: &Range<u32>, chosen: Option<SiteId>) -> ByLine {
    let answer = &page.answer;
    let mut by_line = ByLine::new();
    let lines = answer
        .sites
        .iter()
        .map(|tally| (answer.line(tally.site), tally));
    let mine = lines.filter(|(line, _)| drawn.contains(line));
    for (line, tally) in mine.take(MOST_SITES) {
        let chip = Chip::of(page, tally, chosen);
        by_line.entry(line).or_default().push(chip);
    }
    by_line
}

/// What a compiler made of the lines `drawn`.
fn compiled_chips(
    page: &Page,
    code: &CountedCode,
    drawn: &Range<u32>,
    chosen: Option<SiteId>,
) -> ByLine {
    let mut by_line = ByLine::new();
    let mine = code.accesses.iter().filter(|one| drawn.contains(&one.line));
    for access in mine.take(MOST_SITES) {
        let site = sites_at(&page.answer, access.line, access.kind).next();
        let (class, text) = cost(&code.page.answer, &access.tally);
        let predicted = predicted_units(&page.answer, access.line, access.kind);
        by_line.entry(access.line).or_default().push(Chip {
            site,
            class,
            text,
            title: compiled_cost(page.language, [predicted, access.units()]),
            is_chosen: site.is_some() && chosen == site,
        });
    }
    by_line
}

/// What part of a kernel's waste its lines have, in basis points: as the ranked list has it by access.
fn shares(page: &Page) -> BTreeMap<u32, u32> {
    let mut shares = BTreeMap::new();
    if let Some(code) = &page.code {
        for access in code
            .accesses
            .iter()
            .filter(|one| one.share_basis_points > 0)
        {
            *shares.entry(access.line).or_default() += access.share_basis_points;
        }
    } else if page.is_kernel() {
        for finding in page.ranked.iter() {
            let line = page.answer.line(finding.tally.site);
            *shares.entry(line).or_default() += finding.share_basis_points;
        }
    }
    shares
}

impl Share {
    fn of(basis_points: u32, language: Language) -> Self {
        let percent = (basis_points + 50) / 100;
        Self {
            class: match percent {
                0..4 => "share s1",
                4..15 => "share s2",
                15..40 => "share s3",
                _ => "share s4",
            },
            percent: match percent {
                0 => "<1".to_owned(),
                percent => percent.to_string(),
            },
            title: FindingWords::of(language).of_the_waste.to_owned(),
        }
    }

    fn build(&self) -> El {
        el("i")
            .class(self.class)
            .set("title", &self.title)
            .text(&self.percent)
    }
}

fn line_count(text: &str) -> u32 {
    u32::try_from(text.split('\n').count()).unwrap_or(u32::MAX - 1)
}

impl Row {
    /// The numbers of `lines` of a text whose first `before` have none.
    fn numbers(lines: Range<u32>, before: u32) -> Self {
        let all = lines.end - lines.start;
        let unnumbered = before
            .saturating_add(1)
            .saturating_sub(lines.start)
            .min(all);
        let number = |line: u32| line.saturating_sub(before);
        Self::Numbers {
            lines: number(lines.start).max(1)..number(lines.end).max(1),
            unnumbered,
        }
    }

    fn build(&self) -> El {
        match self {
            Self::Gap(height) => {
                let gap = el("div").class("run");
                gap.put_style("height", height);
                gap
            }
            Self::Numbers { lines, unnumbered } => {
                let none = (0..*unnumbered).map(|_| " ".to_owned());
                let numbers = none.chain(lines.clone().map(|line| line.to_string()));
                let numbers: Vec<String> = numbers.collect();
                el("div").class("run").text(&numbers.join("\n"))
            }
            Self::Line { line, share, chips } => {
                let share: Vec<El> = share.iter().map(Share::build).collect();
                let chips: Vec<El> = chips.iter().map(Chip::build).collect();
                let number = el("span").text(&line.to_string());
                el("div").with_all(&share).with_all(&chips).with(&number)
            }
        }
    }
}

impl Chip {
    fn of(page: &Page, tally: &SiteTally, chosen: Option<SiteId>) -> Self {
        let (class, text) = cost(&page.answer, tally);
        Self {
            site: Some(tally.site),
            class,
            text,
            title: PageWords::of(page.language).by_access_about.to_owned(),
            is_chosen: chosen == Some(tally.site),
        }
    }

    fn build(&self) -> El {
        let button = el("button")
            .set("type", "button")
            .class(&format!("chip {}", self.class));
        let site = self.site.map(|site| site.0.to_string());
        button.put_option("data-site", site.as_deref());
        button
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
