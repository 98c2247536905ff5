//! A row for each access of the source.

use std::cell::Cell;
use std::rc::Rc;

use lanescope_draw::Tone;
use lanescope_lang::SiteId;
use lanescope_model::Space;

use super::MOST_SITES;
use super::source_card::choose;
use crate::answer::{Answer, SiteTally, decimal, site_of};
use crate::element::{El, el, number_around};
use crate::export::{self, Table};
use crate::page::Page;
use crate::session::Session;
use crate::words::{Language, Message, grouped};

const COLUMNS: [Message<'static>; 8] = [
    Message::Access,
    Message::Requests,
    Message::NWay,
    Message::Wavefronts,
    Message::Ideal,
    Message::PerRequest,
    Message::Ideal,
    Message::BytesUsed,
];

/// The accesses, where there are several.
pub(crate) fn build(session: Session) -> El {
    let order = Rc::new(Cell::new(Order::default()));
    let heading = el("tr");
    let headings: Vec<El> = COLUMNS
        .into_iter()
        .enumerate()
        .map(|(index, column)| {
            let button = el("button")
                .set("type", "button")
                .set("data-sort", &index.to_string());
            el("th")
                .class(if index == 0 { "" } else { "number" })
                .with(&session.say(button, column))
        })
        .collect();
    headings.iter().for_each(|cell| heading.add(cell));
    let body = el("tbody").on("click", move |event| {
        if let Some(site) = number_around(&event, "data-pick") {
            choose(session, site);
        }
    });
    let (sorted, sorted_body) = (Rc::clone(&order), body.clone());
    let heading = heading.on("click", move |event| {
        if let Some(column) = number_around(&event, "data-sort") {
            sorted.set(sorted.get().then_by(column));
            sorted.get().mark(&headings);
            sorted_body.put_all(&rows(&session.page(), sorted.get()));
        }
    });
    let table = el("table").with(&el("thead").with(&heading)).with(&body);
    let head = el("div").class("head").with_all(&[
        session.say(el("h2"), Message::ByAccess),
        session.say(el("span").class("about"), Message::ByAccessAbout),
        export::table_buttons(Rc::new(move || accesses(session)), "lanescope-accesses"),
    ]);
    let card = el("section")
        .class("card accesses")
        .testid("accesses-table");
    let card = card.with(&head).with(&el("div").class("wide").with(&table));
    let followed = card.clone();
    session.follow(move |page, _| {
        let is_shown = page.answer.program.sites().len() > 1;
        followed.show(is_shown);
        if is_shown {
            body.put_all(&rows(page, order.get()));
        }
    });
    card
}

/// The column that the rows are sorted by; column 0 is the source's own order.
#[derive(Clone, Copy, Default)]
struct Order {
    column: usize,
    is_ascending: bool,
}

impl Order {
    /// The order after a click on `column`: the largest first, then the smallest.
    const fn then_by(self, column: usize) -> Self {
        Self {
            column,
            is_ascending: self.column == column && !self.is_ascending,
        }
    }

    fn mark(self, headings: &[El]) {
        for (index, cell) in headings.iter().enumerate() {
            let sorted = if self.is_ascending {
                "ascending"
            } else {
                "descending"
            };
            cell.put_option(
                "aria-sort",
                (index == self.column && index > 0).then_some(sorted),
            );
        }
    }

    fn key(self, tally: &SiteTally) -> u64 {
        match self.column {
            1 => tally.requests,
            2 => tally.shared.ways.into(),
            3 => tally.shared.wavefronts,
            4 => tally.shared.ideal,
            5 => tally.global.per_request_hundredths(),
            6 => tally.global.ideal_per_request_hundredths(),
            7 => tally.global.used_basis_points(),
            _ => 0,
        }
    }

    fn sort(self, tallies: &mut [&SiteTally]) {
        if self.is_ascending {
            tallies.sort_by_key(|tally| self.key(tally));
        } else {
            tallies.sort_by_key(|tally| std::cmp::Reverse(self.key(tally)));
        }
    }
}

fn rows(page: &Page, order: Order) -> Vec<El> {
    let chosen = site_of(&page.answer, page.selection());
    let mut tallies: Vec<&SiteTally> = page.answer.sites.iter().collect();
    order.sort(&mut tallies);
    let left = tallies.len().saturating_sub(MOST_SITES);
    let shown = tallies.into_iter().take(MOST_SITES);
    let mut rows: Vec<El> = shown.map(|tally| row(page, tally, chosen)).collect();
    if left > 0 {
        let said = page.language.say(&Message::MoreInTable(left));
        let columns = COLUMNS.len().to_string();
        let cell = el("td").set("colspan", &columns).class("silent");
        rows.push(el("tr").with(&cell.text(&said)));
    }
    rows
}

fn row(page: &Page, tally: &SiteTally, chosen: Option<SiteId>) -> El {
    let (answer, language) = (&page.answer, page.language);
    let is_chosen = chosen == Some(tally.site);
    let operation = answer.program.site(tally.site).map(|site| site.operation);
    let operation = operation.map(|operation| language.say(&Message::Operation(operation)));
    let pick = el("button").set("type", "button").class("pick");
    let pick = pick
        .set("aria-pressed", if is_chosen { "true" } else { "false" })
        .with_all(&[
            el("span")
                .class("hint")
                .text(&format!("{} ", answer.line(tally.site))),
            el("code").text(answer.text(tally.site)),
            el("span")
                .class("hint")
                .text(&format!(" {}", operation.unwrap_or_default())),
        ]);
    let row = el("tr").class(if is_chosen { "chosen" } else { "" });
    let row = row.set("data-pick", &tally.site.0.to_string());
    row.with(&el("td").with(&pick))
        .with(&el("td").class("number").text(&grouped(tally.requests)))
        .with_all(&cells(answer, tally, language))
}

fn cells(answer: &Answer, tally: &SiteTally, language: Language) -> Vec<El> {
    if let Some(unknown) = tally.unknown {
        let why = language.say(&Message::Unknown(unknown));
        return vec![el("td").set("colspan", "6").class("silent").text(&why)];
    }
    let texts = match answer.program.site(tally.site).map(|site| site.space) {
        _ if tally.requests == 0 => Default::default(),
        Some(Space::Shared) => shared_texts(tally, language),
        _ => global_texts(tally),
    };
    let [ways, rest @ ..] = texts;
    let tone = Tone::of_ways(tally.shared.ways).class();
    let chip = el("span").class(&if ways.is_empty() {
        String::new()
    } else {
        format!("chip {tone}")
    });
    let first = el("td").class("number").with(&chip.text(&ways));
    let others = rest.iter().map(|text| el("td").class("number").text(text));
    std::iter::once(first).chain(others).collect()
}

fn shared_texts(tally: &SiteTally, language: Language) -> [String; 6] {
    let shared = &tally.shared;
    let least = shared.wavefronts_least < shared.wavefronts;
    let wavefronts = if least {
        format!(
            "{}–{}",
            grouped(shared.wavefronts_least),
            grouped(shared.wavefronts)
        )
    } else {
        grouped(shared.wavefronts)
    };
    let ways = language.say(&Message::Ways {
        ways: shared.ways,
        least,
    });
    [
        ways,
        wavefronts,
        grouped(shared.ideal),
        String::new(),
        String::new(),
        String::new(),
    ]
}

fn global_texts(tally: &SiteTally) -> [String; 6] {
    let global = &tally.global;
    [
        String::new(),
        String::new(),
        String::new(),
        decimal(global.per_request_hundredths()),
        decimal(global.ideal_per_request_hundredths()),
        format!("{} %", decimal(global.used_basis_points())),
    ]
}

/// The accesses as a table to take away.
pub(crate) fn accesses(session: Session) -> Table {
    let answer = &session.page().answer;
    let columns = [
        "line",
        "access",
        "space",
        "op",
        "bits",
        "requests",
        "wavefronts",
        "ideal_wavefronts",
        "conflicts",
        "ways",
        "units",
        "ideal_units",
        "bytes_used",
        "bytes_moved",
    ];
    let row = |tally: &SiteTally| {
        let site = answer.program.site(tally.site)?;
        let (shared, global) = (&tally.shared, &tally.global);
        let of_shared = |count: u64| {
            if site.space == Space::Shared {
                count.to_string()
            } else {
                String::new()
            }
        };
        let of_global = |count: u64| {
            if site.space == Space::Global {
                count.to_string()
            } else {
                String::new()
            }
        };
        Some(vec![
            answer.line(tally.site).to_string(),
            answer.text(tally.site).to_owned(),
            if site.space == Space::Shared {
                "shared"
            } else {
                "global"
            }
            .to_owned(),
            export::operation_key(site.operation).to_owned(),
            (site.width.bytes() * 8).to_string(),
            tally.requests.to_string(),
            of_shared(shared.wavefronts),
            of_shared(shared.ideal),
            of_shared(shared.conflicts),
            of_shared(shared.ways.into()),
            of_global(global.units),
            of_global(global.ideal),
            of_global(global.bytes_used),
            of_global(global.bytes_moved),
        ])
    };
    Table {
        columns: columns.to_vec(),
        rows: answer.sites.iter().filter_map(row).collect(),
    }
}
