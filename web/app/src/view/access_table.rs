//! A row for each access of the source.

use std::sync::Arc;

use lanescope_cuda::source::SiteId;
use lanescope_draw::Tone;
use lanescope_model::Space;
use leptos::prelude::*;

use super::MOST_SITES;
use super::save_buttons::TableButtons;
use super::source_card::choose;
use crate::answer::{Answer, SiteTally, decimal, site_of};
use crate::export::{self, Table};
use crate::page::Page;
use crate::session::Session;
use crate::words::{Message, Words, grouped};

const COLUMNS: [Message<'static>; 9] = [
    Message::Access,
    Message::ShareOfAll,
    Message::Requests,
    Message::NWay,
    Message::Wavefronts,
    Message::Ideal,
    Message::PerRequest,
    Message::Ideal,
    Message::BytesUsed,
];

/// How many of the first columns every row fills.
const COMMON: usize = 3;

/// How many columns each memory has after those.
const COLUMNS_EACH: usize = 3;

/// The accesses, where there are several.
#[component]
pub(crate) fn AccessTable(session: Session) -> impl IntoView {
    let order = RwSignal::new(Order::default());
    let rows = Memo::new(move |_| {
        let order = order.get();
        session.late_pages().with(|page| rows(page, order))
    });
    let memories = Memo::new(move |_| session.late_pages().with(|page| Memories::of(&page.answer)));
    let headings = COLUMNS.into_iter().enumerate().map(|(index, column)| {
        let is_left_out = move || index >= COMMON && !memories.get().has(index - COMMON);
        view! {
            <th
                class=if index == 0 { "" } else { "number" }
                aria-sort=move || order.get().sorted(index)
                hidden=is_left_out
            >
                <button
                    type="button"
                    data-sort=index.to_string()
                    on:click=move |_| order.update(|order| *order = order.then_by(index))
                >
                    {session.text(column)}
                </button>
            </th>
        }
    });
    view! {
        <section
            class="card accesses"
            data-testid="accesses-table"
            hidden=move || rows.with(Vec::is_empty)
        >
            <div class="head">
                <h2>{session.text(Message::ByLine)}</h2>
                <span class="about">{session.text(Message::ByAccessAbout)}</span>
                <TableButtons table=move || accesses(session) stem="lanescope-accesses" />
            </div>
            <div class="wide">
                <table>
                    <thead>
                        <tr>{headings.collect_view()}</tr>
                    </thead>
                    <tbody>
                        {move || {
                            rows.with(|rows| {
                                rows.iter().map(|row| row.view(session)).collect_view()
                            })
                        }}
                    </tbody>
                </table>
            </div>
        </section>
    }
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

    /// How column `index` is sorted, as `aria-sort` says it; `None` where the rows are not sorted by it.
    fn sorted(self, index: usize) -> Option<&'static str> {
        let sorted = if self.is_ascending {
            "ascending"
        } else {
            "descending"
        };
        (index == self.column && index > 0).then_some(sorted)
    }

    fn key(self, tally: &SiteTally, whole: Whole) -> u64 {
        match self.column {
            1 => whole.basis_points(tally),
            2 => tally.requests,
            3 => tally.shared.ways.into(),
            4 => tally.shared.wavefronts,
            5 => tally.shared.ideal,
            6 => tally.global.per_request_hundredths(),
            7 => tally.global.ideal_per_request_hundredths(),
            8 => tally.global.used_basis_points(),
            _ => 0,
        }
    }

    fn sort(self, tallies: &mut [&SiteTally], whole: Whole) {
        if self.is_ascending {
            tallies.sort_by_key(|tally| self.key(tally, whole));
        } else {
            tallies.sort_by_key(|tally| std::cmp::Reverse(self.key(tally, whole)));
        }
    }
}

/// Which memories the source asks; the columns of another are left out.
#[derive(Clone, Copy, PartialEq)]
struct Memories {
    shared: bool,
    global: bool,
}

impl Memories {
    fn of(answer: &Answer) -> Self {
        let has = |space| {
            let mut sites = answer.program.sites().iter();
            sites.any(|site| site.space == space)
        };
        Self {
            shared: has(Space::Shared),
            global: has(Space::Global),
        }
    }

    /// Whether the column with this index after the common ones is shown.
    const fn has(self, column: usize) -> bool {
        if column < COLUMNS_EACH {
            self.shared
        } else {
            self.global
        }
    }

    fn columns(self) -> usize {
        COLUMNS_EACH * (usize::from(self.shared) + usize::from(self.global))
    }
}

/// What a row shows.
#[derive(Clone, PartialEq)]
enum Row {
    Access(AccessRow),
    /// Says how many rows are left out.
    More(String),
    /// All accesses together.
    Total {
        name: String,
        whole: Whole,
        memories: Memories,
    },
}

/// What all accesses cost together.
#[derive(Clone, Copy, PartialEq)]
struct Whole {
    requests: u64,
    wavefronts: u64,
    ideal: u64,
    units: u64,
    global_requests: u64,
}

impl Whole {
    fn of(answer: &Answer) -> Self {
        let none = Self {
            requests: 0,
            wavefronts: 0,
            ideal: 0,
            units: 0,
            global_requests: 0,
        };
        answer.sites.iter().fold(none, |all, tally| Self {
            requests: all.requests.saturating_add(tally.requests),
            wavefronts: all.wavefronts.saturating_add(tally.shared.wavefronts),
            ideal: all.ideal.saturating_add(tally.shared.ideal),
            units: all.units.saturating_add(tally.global.units),
            global_requests: all.global_requests.saturating_add(tally.global.requests),
        })
    }

    /// An access's part of all wavefronts, or of all sectors, in hundredths of a per cent.
    fn basis_points(self, tally: &SiteTally) -> u64 {
        let (part, whole) = if tally.shared.wavefronts > 0 {
            (tally.shared.wavefronts, self.wavefronts)
        } else {
            (tally.global.units, self.units)
        };
        let points = u128::from(part) * 10_000 / u128::from(whole.max(1));
        u64::try_from(points).unwrap_or(u64::MAX)
    }

    /// The same as text, rounded to a per cent; empty of an access that costs nothing.
    fn share(self, tally: &SiteTally) -> String {
        match self.basis_points(tally) {
            0 => String::new(),
            points @ 1..50 => format!("{} %", decimal(points)),
            points => format!("{} %", (points + 50) / 100),
        }
    }

    /// The cells of sums; columns whose sum means nothing are empty.
    fn cells(self, memories: Memories) -> impl IntoView + use<> {
        let units = self.units.saturating_mul(100) / self.global_requests.max(1);
        let texts = [
            String::new(),
            grouped(self.wavefronts),
            grouped(self.ideal),
            decimal(units),
            String::new(),
            String::new(),
        ];
        let shown = texts.into_iter().enumerate();
        let shown = shown.filter(move |(column, _)| memories.has(*column));
        shown
            .map(|(_, text)| view! { <td class="number">{text}</td> })
            .collect_view()
    }
}

#[derive(Clone, PartialEq)]
struct AccessRow {
    site: SiteId,
    is_chosen: bool,
    line: u32,
    text: String,
    operation: String,
    share: String,
    requests: u64,
    memories: Memories,
    costs: Costs,
}

/// What the accesses of a row cost.
#[derive(Clone, PartialEq)]
enum Costs {
    /// Why there is nothing to tell.
    Nothing(String),
    /// The last six columns, and the colour of the first of them.
    Known {
        tone: &'static str,
        texts: [String; 6],
    },
}

impl Row {
    fn view(&self, session: Session) -> AnyView {
        match self {
            Self::Access(access) => access.view(session).into_any(),
            Self::More(said) => view! {
                <tr>
                    <td colspan=COLUMNS.len().to_string() class="silent">
                        {said.clone()}
                    </td>
                </tr>
            }
            .into_any(),
            Self::Total {
                name,
                whole,
                memories,
            } => view! {
                <tr class="total">
                    <th scope="row">{name.clone()}</th>
                    <td class="number"></td>
                    <td class="number">{grouped(whole.requests)}</td>
                    {whole.cells(*memories)}
                </tr>
            }
            .into_any(),
        }
    }
}

/// No row where there is but one access.
fn rows(page: &Arc<Page>, order: Order) -> Vec<Row> {
    if page.answer.program.sites().len() <= 1 {
        return Vec::new();
    }
    let memories = Memories::of(&page.answer);
    let chosen = site_of(&page.answer, page.selection());
    let mut tallies: Vec<&SiteTally> = page.answer.sites.iter().collect();
    let whole = Whole::of(&page.answer);
    order.sort(&mut tallies, whole);
    let left = tallies.len().saturating_sub(MOST_SITES);
    let shown = tallies.into_iter().take(MOST_SITES);
    let mut rows: Vec<Row> = shown
        .map(|tally| Row::Access(AccessRow::of(page, tally, chosen, (memories, whole))))
        .collect();
    if left > 0 {
        rows.push(Row::More(page.language.say(&Message::MoreInTable(left))));
    }
    rows.push(Row::Total {
        name: page.language.say(&Message::Total),
        whole,
        memories,
    });
    rows
}

impl AccessRow {
    fn of(
        page: &Page,
        tally: &SiteTally,
        chosen: Option<SiteId>,
        (memories, whole): (Memories, Whole),
    ) -> Self {
        let (answer, language) = (&page.answer, page.language);
        let operation = answer.program.site(tally.site).map(|site| site.operation);
        let operation = operation.map(|operation| language.say(&Message::Operation(operation)));
        Self {
            site: tally.site,
            is_chosen: chosen == Some(tally.site),
            line: answer.line(tally.site),
            text: answer.text(tally.site).to_owned(),
            operation: operation.unwrap_or_default(),
            share: whole.share(tally),
            requests: tally.requests,
            memories,
            costs: Costs::of(answer, tally, language),
        }
    }

    fn view(&self, session: Session) -> impl IntoView + use<> {
        let site = self.site;
        let pick = move |_| choose(session, site.0 as usize);
        view! {
            <tr
                class=if self.is_chosen { "chosen" } else { "" }
                data-pick=site.0.to_string()
                on:click=pick
            >
                <td>
                    <button type="button" class="pick" aria-pressed=self.is_chosen.to_string()>
                        <span class="hint">{format!("{} ", self.line)}</span>
                        <code>{self.text.clone()}</code>
                        <span class="hint">{format!(" {}", self.operation)}</span>
                    </button>
                </td>
                <td class="number share">{self.share.clone()}</td>
                <td class="number">{grouped(self.requests)}</td>
                {self.costs.cells(self.memories)}
            </tr>
        }
    }
}

impl Costs {
    fn of(answer: &Answer, tally: &SiteTally, language: Words) -> Self {
        if let Some(unknown) = tally.unknown {
            return Self::Nothing(language.say(&Message::Unknown(unknown)));
        }
        if tally.requests == 0 {
            return Self::Nothing(spared(answer, tally.site, language));
        }
        let texts = match answer.program.site(tally.site).map(|site| site.space) {
            Some(Space::Shared) => shared_texts(tally, language),
            _ => global_texts(tally),
        };
        let tone = Tone::of_ways(tally.shared.ways).class();
        Self::Known { tone, texts }
    }

    fn cells(&self, memories: Memories) -> AnyView {
        match self {
            Self::Nothing(why) => view! {
                <td colspan=memories.columns().to_string() class="silent">
                    {why.clone()}
                </td>
            }
            .into_any(),
            Self::Known { tone, texts } => {
                let shown = texts.iter().enumerate();
                let shown = shown.filter(|(column, _)| memories.has(*column));
                shown
                    .map(|(column, text)| cell(column, text, tone))
                    .collect_view()
                    .into_any()
            }
        }
    }
}

/// Why an access makes no request.
fn spared(answer: &Answer, site: SiteId, language: Words) -> String {
    let Some(outcome) = &answer.outcome else {
        return String::new();
    };
    let why = answer.program.spared(site, outcome);
    let (text, line) = why
        .other()
        .map_or(("", 0), |other| (answer.text(other), answer.line(other)));
    language.say(&Message::Spared { why, text, line })
}

/// A cell of the columns after the common ones, of which the first has a colour.
fn cell(column: usize, text: &str, tone: &str) -> impl IntoView + use<> {
    let text = text.to_owned();
    let inside = if column == 0 && !text.is_empty() {
        view! { <span class=format!("chip {tone}")>{text}</span> }.into_any()
    } else {
        text.into_any()
    };
    view! { <td class="number">{inside}</td> }
}

fn shared_texts(tally: &SiteTally, language: Words) -> [String; 6] {
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
