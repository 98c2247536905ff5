//! A row for each access of the source.

mod costs;
mod order;

use std::sync::Arc;

use lanescope_frontend::SiteId;
use lanescope_locale::page::{self, PageWords};
use lanescope_locale::{Language, verdict};
use lanescope_model::Space;
use lanescope_query::omitted_words;
use leptos::prelude::*;

use super::MOST_SITES;
use super::chosen_site::choose;
use super::exports::Offer;
use super::in_view::near;
use crate::answer::{Answer, SiteTally, site_of};
use crate::export::{self, Table};
use crate::page::Page;
use crate::session::Session;
use crate::words::{Word, grouped};

use costs::Costs;
use order::{Order, Whole};

const COLUMNS: [Word; 9] = [
    |words| words.access,
    |words| words.share_of_all,
    |words| words.requests,
    |words| words.label.n_way,
    |words| words.wavefronts,
    |words| words.ideal,
    |words| words.per_request,
    |words| words.ideal,
    |words| words.bytes_used,
];

/// How many of the first columns every row fills.
const COMMON: usize = 3;

/// How many columns each memory has after those.
const COLUMNS_EACH: usize = 3;

/// Rows that are drawn at once; as many more when their end comes near the view.
const PIECE: usize = 32;

/// The accesses, where there are several.
#[component]
pub(crate) fn AccessTable(session: Session) -> impl IntoView {
    let order = RwSignal::new(Order::default());
    let drawn = RwSignal::new(PIECE);
    let rows = Memo::new(move |_| {
        let (order, drawn) = (order.get(), drawn.get());
        session.late_pages().with(|page| rows(page, order, drawn))
    });
    let chosen = Memo::new(move |_| {
        let page = session.late_pages();
        page.with(|page| site_of(&page.answer, page.selection()))
    });
    let come = Callback::new(move |()| {
        drawn.update(|drawn| *drawn += PIECE);
        session.redrawn.notify();
    });
    // A kernel's findings are told first, and the table is folded.
    let is_kernel = Memo::new(move |_| session.pages().with(|page| page.is_kernel()));
    let name = move || {
        let words = PageWords::of(session.language());
        match is_kernel.get() {
            true => words.finding.all_accesses,
            false => words.by_line,
        }
    };
    Offer::new("accesses", session.word(|words| words.by_line), move || {
        let pages = session.late_pages();
        pages.with(|page| !page.answer.sites.is_empty())
    })
    .table("lanescope-accesses", move || accesses(session))
    .make();
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
                    {session.word(column)}
                </button>
            </th>
        }
    });
    view! {
        <details
            class="card accesses fold"
            data-testid="accesses-table"
            hidden=move || rows.with(Vec::is_empty)
            prop:open=move || !is_kernel.get()
        >
            <summary>
                <h2>{name}</h2>
            </summary>
            <div class="head">
                <span class="about">{session.word(|words| words.by_access_about)}</span>
            </div>
            <div class="wide">
                <table>
                    <thead>
                        <tr>{headings.collect_view()}</tr>
                    </thead>
                    <tbody>
                        // A row that says the same stays, and with it the focus.
                        <For
                            each=move || rows.get()
                            key=Row::clone
                            children=move |row| row.view(session, chosen, come)
                        />
                    </tbody>
                </table>
            </div>
        </details>
    }
}

/// Which memories the source asks; the columns of another are left out.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
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
#[derive(Clone, PartialEq, Eq, Hash)]
enum Row {
    Access(AccessRow),
    /// Rows behind so many are drawn when they come near the view.
    Rest(usize),
    /// Says how many rows are left out.
    More(String),
    /// All accesses together.
    Total {
        name: &'static str,
        whole: Whole,
        memories: Memories,
    },
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct AccessRow {
    site: SiteId,
    line: u32,
    text: String,
    operation: &'static str,
    share: String,
    requests: u64,
    memories: Memories,
    costs: Costs,
}

impl Row {
    fn view(&self, session: Session, chosen: Memo<Option<SiteId>>, come: Callback<()>) -> AnyView {
        match self {
            Self::Access(access) => access.view(session, chosen).into_any(),
            Self::Rest(_) => view! { <tr use:near=come></tr> }.into_any(),
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
                    <th scope="row">{*name}</th>
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
fn rows(page: &Arc<Page>, order: Order, drawn: usize) -> Vec<Row> {
    if page.answer.program.sites().len() <= 1 {
        return Vec::new();
    }
    let memories = Memories::of(&page.answer);
    let mut tallies: Vec<&SiteTally> = page.answer.sites.iter().collect();
    let whole = Whole::of(&page.answer);
    order.sort(&mut tallies, whole);
    let left = tallies.len().saturating_sub(MOST_SITES);
    let has_rest = drawn < tallies.len().min(MOST_SITES);
    let shown = tallies.into_iter().take(drawn.min(MOST_SITES));
    let mut rows: Vec<Row> = shown
        .map(|tally| Row::Access(AccessRow::of(page, tally, memories, whole)))
        .collect();
    if has_rest {
        rows.push(Row::Rest(drawn));
    } else if left > 0 {
        rows.push(Row::More(page::more_in_table(page.language, left as u64)));
    }
    rows.push(Row::Total {
        name: PageWords::of(page.language).total,
        whole,
        memories,
    });
    rows
}

impl AccessRow {
    fn of(page: &Page, tally: &SiteTally, memories: Memories, whole: Whole) -> Self {
        let (answer, language) = (&page.answer, page.language);
        let operation = answer.program.site(tally.site).map(|site| site.operation);
        let operation = operation.map(|operation| verdict::operation(language, operation));
        Self {
            site: tally.site,
            line: answer.line(tally.site),
            text: answer.text(tally.site).to_owned(),
            operation: operation.unwrap_or_default(),
            share: whole.share(tally),
            requests: tally.requests,
            memories,
            costs: Costs::of(answer, tally, language),
        }
    }

    fn view(&self, session: Session, chosen: Memo<Option<SiteId>>) -> impl IntoView + use<> {
        let site = self.site;
        let is_chosen = move || chosen.get() == Some(site);
        let pick = move |_| choose(session, site.0 as usize);
        view! {
            <tr
                class:chosen=is_chosen
                data-pick=site.0.to_string()
                on:click=pick
            >
                <td>
                    <button type="button" class="pick" aria-pressed=move || is_chosen().to_string()>
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

/// Why an access makes no request.
fn omitted(answer: &Answer, site: SiteId, language: Language) -> String {
    let Some(outcome) = &answer.outcome else {
        return String::new();
    };
    let why = answer.program.omitted(site, outcome);
    let (text, line) = why
        .other()
        .map_or(("", 0), |other| (answer.text(other), answer.line(other)));
    omitted_words(why, text, line, language)
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
