//! The ranked list: one finding a row, the costliest first, each with its share of the waste and its best fix.

mod row;

use lanescope_locale::finding;
use lanescope_share::Source;
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;

use super::MOST_SITES;
use super::chosen_site::choose;
use super::fix_chips::Search;
use super::kind_menu::kernel_language;
use super::requests::Requests;
use crate::answer::{BulkCopies, Divergence, site_of};
use crate::measured_column::MeasuredColumn;
use crate::page::Page;
use crate::session::Session;
use lanescope_ui::element::{El, around, number_around};

use row::Row;

/// Rows that are shown at first.
const FEW: usize = 8;

/// The list. A handle: copies are the same list.
#[derive(Clone, Copy)]
struct List {
    session: Session,
    search: Search,
    rows: Memo<Vec<Row>>,
    chosen: Memo<Option<usize>>,
    /// The panel that stands in the open row.
    requests: Option<Requests>,
    /// The whole of it, which keeps the focus while its rows change.
    all: NodeRef<html::Section>,
}

/// The findings of a kernel.
#[component]
pub(super) fn RankedList(session: Session, search: Search) -> impl IntoView {
    let most = RwSignal::new(FEW);
    let found = Memo::new(move |_| with_column(session, row::rows));
    let list = List {
        session,
        search,
        rows: Memo::new(move |_| {
            found.with(|rows| rows.iter().take(most.get()).cloned().collect())
        }),
        chosen: Memo::new(move |_| {
            let pages = session.late_pages();
            let site = pages.with(|page| site_of(&page.answer, page.selection()));
            site.map(|site| site.0 as usize)
        }),
        requests: Requests::of_page(),
        all: NodeRef::new(),
    };
    list.follow();
    let lanes = session.of_late_page(lanes);
    let left = move || {
        found
            .with(Vec::len)
            .saturating_sub(list.rows.with(Vec::len))
    };
    let more = move || finding::more(session.language(), left() as u64);
    // A second text of the kernel is a column.
    let second = Memo::new(move |_| with_column(session, second_text));
    let is_empty = move || list.rows.with(Vec::is_empty);
    let is_told = session.of_page(|page| page.is_kernel() && !page.answer.sites.is_empty());
    view! {
        <section
            class="ranked"
            class:coded=move || second.with(Option::is_some)
            data-testid="ranked"
            tabindex="-1"
            aria-label=session.word(|words| words.finding.findings)
            node_ref=list.all
            hidden=move || !is_told()
            on:keydown=move |event| list.press(&event)
        >
            <table role="table" hidden=is_empty aria-label=session.word(|words| words.finding.findings)>
                <thead role="rowgroup">
                    <tr role="row">
                        <th role="columnheader" scope="col">{session.word(|words| words.access)}</th>
                        <th role="columnheader" scope="col">{session.word(|words| words.per_request)}</th>
                        <th
                            role="columnheader"
                            scope="col"
                            data-testid="second-column"
                            hidden=move || second.with(Option::is_none)
                        >
                            {move || second.get()}
                        </th>
                        <th role="columnheader" scope="col">{session.word(|words| words.finding.of_the_waste)}</th>
                        <th role="columnheader" scope="col">{session.word(|words| words.finding.best_fix)}</th>
                    </tr>
                </thead>
                <tbody role="rowgroup">
                    // A row that says the same stays, and with it the focus.
                    <For each=move || list.rows.get() key=Row::clone let:row>
                        {row.view(list)}
                    </For>
                </tbody>
            </table>
            <p class="hint lanes" data-testid="lane-slots">{lanes}</p>
            <div class="below" hidden=is_empty>
                <button
                    type="button"
                    class="button small bare"
                    data-testid="more-findings"
                    hidden=move || left() == 0
                    on:click=move |_| most.set(MOST_SITES)
                >
                    {more}
                </button>
                <p class="keys" aria-hidden="true">
                    <kbd>"↑ ↓"</kbd>
                    {session.word(|words| words.finding.key_move)}
                    <kbd>"a"</kbd>
                    {session.word(|words| words.finding.key_apply)}
                    <kbd>"u"</kbd>
                    {session.word(|words| words.finding.key_undo)}
                </p>
            </div>
        </section>
    }
}

/// What is made of the page and what a profiler measured of what it shows.
fn with_column<T>(
    session: Session,
    make: impl FnOnce(&Page, Option<&MeasuredColumn<'_>>) -> T,
) -> T {
    let is_beside = session.measured().with(Option::is_some);
    session.measurements().with(|all| {
        session.late_pages().with(|page| {
            let all = all.as_deref().filter(|_| is_beside);
            let column = all.and_then(|all| MeasuredColumn::of(page, all));
            make(page, column.as_ref())
        })
    })
}

/// What the second texts of the kernel are: a listing that was counted, what a profiler measured.
fn second_text(page: &Page, measured: Option<&MeasuredColumn<'_>>) -> Option<String> {
    let listing = page
        .code
        .as_ref()
        .and_then(|code| match &code.page.state.source {
            Source::Kernel(text) => Some(kernel_language(text)),
            Source::Expression { .. } | Source::Layout { .. } | Source::Trace(_) => None,
        });
    let measured = measured.map(|_| "ncu");
    let all: Vec<&str> = listing.into_iter().chain(measured).collect();
    (!all.is_empty()).then(|| all.join(" · "))
}

/// How many of the lane slots that warps issued are used, the line that leaves most idle, and what is moved in bulk.
fn lanes(page: &Page) -> Option<String> {
    let divergence = Divergence::of_answer(&page.answer).filter(|_| page.is_kernel())?;
    let language = page.language;
    let slots = finding::lane_slots(language, divergence.used_hundredths());
    let worst = divergence.worst(1).into_iter().next();
    let worst = worst.filter(|line| line.file.is_empty());
    let idle = worst.map(|worst| finding::most_idle(language, worst.line));
    let copies = BulkCopies::of_answer(&page.answer);
    let copies = copies.map(|all| finding::bulk_copies(language, all.bytes, all.unsized_copies));
    let all: Vec<String> = [Some(slots), idle, copies].into_iter().flatten().collect();
    Some(all.join(" · "))
}

impl List {
    /// Keeps the panel of requests in its place where no row is open, and says which accesses have rows.
    fn follow(self) {
        Effect::new(move || {
            let chosen = self.chosen.get();
            let is_open = self
                .rows
                .with(|rows| chosen.is_some() && rows.iter().any(|row| row.site() == chosen));
            if let Some(requests) = self.requests.filter(|_| !is_open) {
                requests.put_home();
            }
        });
        Effect::new(move || {
            let fixable = |rows: &Vec<Row>| rows.iter().filter_map(Row::fixable).cloned().collect();
            self.search.told_in(self.rows.with(fixable));
        });
    }

    /// Arrows choose a row, `a` makes its fix, `u` takes the last one back.
    fn press(self, event: &KeyboardEvent) {
        let is_in_panel = around(event, ".opened").is_some();
        if is_in_panel || event.ctrl_key() || event.meta_key() || event.alt_key() {
            return;
        }
        let here = number_around(event, "data-pick").or_else(|| self.chosen.get_untracked());
        match event.key().as_str() {
            "ArrowDown" => self.step(here, true),
            "ArrowUp" => self.step(here, false),
            "a" => self.apply(here),
            "u" if self.search.has_before() => {
                self.keep_focus();
                self.search.undo();
            }
            _ => return,
        }
        event.prevent_default();
    }

    /// Chooses the row below or above `here`; from nowhere, the first.
    fn step(self, here: Option<usize>, is_down: bool) {
        let next = self.rows.with_untracked(|rows| {
            let rows: Vec<usize> = rows.iter().filter_map(Row::site).collect();
            let last = rows.len().checked_sub(1)?;
            let at = rows.iter().position(|site| Some(*site) == here);
            let next = match at {
                None => 0,
                Some(at) if is_down => (at + 1).min(last),
                Some(at) => at.saturating_sub(1),
            };
            rows.get(next).copied()
        });
        if let Some(site) = next {
            choose(self.session, site);
            self.focus(&format!("[data-pick='{site}'] .pick"));
        }
    }

    /// Makes the best fix of the row `here`, if it has one.
    fn apply(self, here: Option<usize>) {
        let best = self.rows.with_untracked(|rows| {
            let row = rows.iter().find(|row| row.site() == here)?;
            self.search.best_now(row.fixable()?)
        });
        if let Some(index) = best {
            self.make(index);
        }
    }

    /// Makes a fix; its row may go, and the focus stays in the list.
    fn make(self, index: usize) {
        self.keep_focus();
        self.search.apply(index);
    }

    fn keep_focus(self) {
        if let Some(all) = self.all.get_untracked() {
            El::of(all.into()).focus();
        }
    }

    fn focus(self, selector: &str) {
        let all = self.all.get_untracked();
        let found = all.and_then(|all| El::of(all.into()).find(selector));
        if let Some(found) = found {
            found.focus();
        }
    }
}
