//! A row of the ranked list.

use lanescope_draw::Tone;
use lanescope_frontend::SiteId;
use lanescope_locale::finding::{self, FindingWords};
use lanescope_locale::page;
use lanescope_locale::{Language, verdict};
use lanescope_model::Space;
use lanescope_query::LineDivergence;
use leptos::html;
use leptos::prelude::*;

use super::List;
use crate::answer::{
    Answer, CountedAccess, Divergence, Ranked, SiteTally, decimal, has_fixes, predicted_units,
    sites_at,
};
use crate::measured_column::{MeasuredColumn, MeasuredCost};
use crate::page::Page;
use crate::view::chosen_site::choose;
use crate::view::fix_chip::Chip;
use crate::view::fix_chips::ways_badge;
use crate::view::fix_log::edit_lines;
use crate::view::fixable::Fixable;
use crate::words::compiler::compiled_cost;
use crate::words::measured::measured_cost;

/// What a row shows but for its fix.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Row {
    /// The access of the source; `None`: the compiler's own, of which the source has none.
    site: Option<usize>,
    line: u32,
    text: String,
    /// What is done there, and what of it is wasted.
    about: String,
    costs: Vec<Cost>,
    share_basis_points: u32,
    memory: Space,
    fixable: Option<Fixable>,
    /// What a compiler made of it: wavefronts or sectors, as predicted and as counted.
    compiled: Option<[u64; 2]>,
    /// What a profiler measured of it.
    measured: Option<MeasuredCost>,
}

/// Behind these a text may be broken.
const BREAKS: [char; 12] = ['[', '(', ',', '+', '*', '/', '%', '&', '|', '^', '>', '_'];

/// n-way, or sectors a request.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Cost {
    tone: &'static str,
    text: String,
}

/// A row for each finding of `page`, beside what was measured.
pub(super) fn rows(page: &Page, measured: Option<&MeasuredColumn<'_>>) -> Vec<Row> {
    if !page.is_kernel() {
        return Vec::new();
    }
    if let Some(code) = &page.code {
        let wasting = code
            .accesses
            .iter()
            .filter(|access| access.share_basis_points > 0);
        let row = |access: &CountedAccess| Row {
            measured: measured.map(|column| column.cost(access.line, access.kind)),
            ..Row::of_code(page, access)
        };
        return wasting.map(row).collect();
    }
    let lanes = Divergence::of_answer(&page.answer);
    let row = |finding: &Ranked| {
        let row = Row::of(&page.answer, finding, lanes.as_ref(), page.language)?;
        let measured = measured.map(|column| column.cost_of(finding.tally.site));
        Some(Row { measured, ..row })
    };
    page.ranked.iter().filter_map(row).collect()
}

impl Row {
    fn of(
        answer: &Answer,
        finding: &Ranked,
        lanes: Option<&Divergence>,
        language: Language,
    ) -> Option<Self> {
        let tally = &finding.tally;
        let site = answer.program.site(tally.site)?;
        let text = answer.text(tally.site);
        let mut about = vec![verdict::operation(language, site.operation).to_owned()];
        about.extend(wastes(tally, language));
        about.extend(lanes.and_then(|lanes| idle(lanes, answer.line(tally.site), language)));
        Some(Self {
            site: Some(tally.site.index()),
            line: answer.line(tally.site),
            text: text.split_whitespace().collect::<Vec<_>>().join(" "),
            about: about.join(" · "),
            costs: costs(tally, language),
            share_basis_points: finding.share_basis_points,
            memory: site.space,
            fixable: Fixable::of(answer, tally.site),
            compiled: None,
            measured: None,
        })
    }

    /// What a compiler made of the accesses of a line.
    fn of_code(page: &Page, access: &CountedAccess) -> Self {
        let (answer, language) = (&page.answer, page.language);
        let sites: Vec<SiteId> = sites_at(answer, access.line, access.kind).collect();
        let first = sites.first().copied();
        let mut about = vec![access.opcodes.join(" ")];
        about.extend(wastes(&access.tally, language));
        let predicted = predicted_units(answer, access.line, access.kind);
        Self {
            site: first.map(SiteId::index),
            line: access.line,
            text: code_text(page, access.line, &sites),
            about: about.join(" · "),
            costs: costs(&access.tally, language),
            share_basis_points: access.share_basis_points,
            memory: access.space(),
            fixable: first.and_then(|site| Fixable::of(answer, site)),
            compiled: Some([predicted, access.units()]),
            measured: None,
        }
    }

    /// The number of its access.
    pub(super) const fn site(&self) -> Option<usize> {
        self.site
    }

    pub(super) const fn fixable(&self) -> Option<&Fixable> {
        self.fixable.as_ref()
    }

    pub(super) fn view(self, list: List) -> impl IntoView {
        let Self {
            site,
            line,
            text,
            about,
            costs,
            share_basis_points: share,
            memory,
            fixable,
            compiled,
            measured,
        } = self;
        let (session, whole) = (list.session, text.clone());
        let is_chosen = move || site.is_some() && list.chosen.get() == site;
        let memory = match memory {
            Space::Shared => "bar-share shared",
            Space::Global => "bar-share global",
        };
        let place = NodeRef::<html::Td>::new();
        Effect::new(move || {
            if is_chosen()
                && let (Some(requests), Some(place)) = (list.requests, place.get())
            {
                requests.put_into(&place);
            }
        });
        let opened = fixable.clone();
        let costs = costs.into_iter().map(|cost| {
            let class = format!("chip {}", cost.tone);
            view! { <span class=class>{cost.text}</span> }
        });
        view! {
            <tr
                role="row"
                class:chosen=is_chosen
                data-pick=site.map(|site| site.to_string())
                data-share=share.to_string()
                on:click=move |_| {
                    if let Some(site) = site {
                        choose(session, site);
                    }
                }
            >
                <th role="rowheader" scope="row">
                    <button
                        type="button"
                        class="pick"
                        title=whole
                        aria-pressed=move || is_chosen().to_string()
                    >
                        <b class="line">{line}</b>
                        " "
                        <code>{breakable(&text)}</code>
                    </button>
                    <span class="hint">{about}</span>
                </th>
                <td role="cell" class="costs">{costs.collect_view()}</td>
                {second_cell(list, compiled, measured)}
                <td role="cell" class="share">
                    <span class=memory aria-hidden="true">
                        <i style:width=format!("{}%", decimal(share.into()))></i>
                    </span>
                    <span class="number">{format!("{} %", decimal(share.into()))}</span>
                </td>
                <td role="cell" class="best">
                    {fixable.map(|fixable| view! { <BestFix list fixable /> })}
                </td>
            </tr>
            <tr
                role="row"
                class="opened"
                data-testid="opened"
                hidden=move || !is_chosen() || list.requests.is_none()
            >
                <td role="cell" node_ref=place>
                    {opened.map(|fixable| view! { <FixDetail list fixable /> })}
                </td>
            </tr>
        }
    }
}

/// A text that is broken behind a bracket or an operator where it does not fit its line.
fn breakable(text: &str) -> impl IntoView + use<> {
    let pieces = text.split_inclusive(BREAKS).map(str::to_owned);
    let piece = |piece: String| view! { {piece} <wbr /> };
    pieces.map(piece).collect_view()
}

/// The lanes that take part in the accesses of a line, where some do not.
fn idle(lanes: &Divergence, line: u32, language: Language) -> Option<String> {
    let of_line = |one: &&LineDivergence| one.file.is_empty() && one.line == line;
    let hundredths = lanes.lines.iter().find(of_line)?.lanes_hundredths();
    (hundredths < u64::from(lanes.warp_lanes) * 100)
        .then(|| finding::lanes_used(language, hundredths, lanes.warp_lanes))
}

/// What is wasted of each memory, in words.
fn wastes(tally: &SiteTally, language: Language) -> Vec<String> {
    let global = &tally.global;
    let units = global.units.saturating_sub(global.ideal);
    let wavefronts = tally.shared.conflicts;
    let shared = (wavefronts > 0).then(|| finding::wasted_wavefronts(language, wavefronts));
    let global = (units > 0).then(|| finding::wasted_units(language, global.unit, units));
    shared.into_iter().chain(global).collect()
}

fn costs(tally: &SiteTally, language: Language) -> Vec<Cost> {
    let (shared, global) = (&tally.shared, &tally.global);
    let ways = (shared.conflicts > 0).then(|| Cost {
        tone: Tone::of_ways(shared.ways).class(),
        text: page::ways(
            language,
            shared.ways,
            shared.wavefronts_least < shared.wavefronts,
        ),
    });
    let units = (global.units > global.ideal).then(|| {
        let times = global.units.checked_div(global.ideal).unwrap_or(1);
        Cost {
            tone: Tone::of_ways(u32::try_from(times).unwrap_or(u32::MAX)).class(),
            text: page::units_a_request(language, global.unit, global.per_request_hundredths()),
        }
    });
    ways.into_iter().chain(units).collect()
}

/// The texts of a line's accesses of one kind, or else the line itself.
fn code_text(page: &Page, line: u32, sites: &[SiteId]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for site in sites {
        let text = page.answer.text(*site).split_whitespace();
        let text = text.collect::<Vec<_>>().join(" ");
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    if texts.is_empty() {
        let number = usize::try_from(line.saturating_sub(1)).unwrap_or(0);
        let whole = page.answer.source.lines().nth(number).filter(|_| line > 0);
        return whole.unwrap_or("…").trim().to_owned();
    }
    texts.join(", ")
}

/// What a compiler made of an access, and what a profiler measured of it, beside what was predicted: a column of its own.
fn second_cell(
    list: List,
    compiled: Option<[u64; 2]>,
    measured: Option<MeasuredCost>,
) -> Option<impl IntoView> {
    let language = list.session.language_now();
    let compiled = compiled.map(|cost| {
        view! {
            <span class=class(cost) data-testid="compiled-cost">
                {compiled_cost(language, cost)}
            </span>
        }
    });
    let measured = measured.map(|cost| {
        let class = match cost {
            MeasuredCost::Line {
                measured,
                predicted: Some(predicted),
            }
            | MeasuredCost::All {
                measured,
                predicted,
                total: _,
            } => class([predicted, measured]),
            MeasuredCost::Line {
                predicted: None, ..
            }
            | MeasuredCost::Nothing => "",
        };
        view! {
            <span class=class data-testid="measured-cost">
                {measured_cost(language, &cost)}
            </span>
        }
    });
    let is_any = compiled.is_some() || measured.is_some();
    is_any.then(|| {
        view! {
            <td role="cell" class="real">
                {compiled}
                {measured}
            </td>
        }
    })
}

const fn class([predicted, other]: [u64; 2]) -> &'static str {
    if predicted == other { "" } else { "other" }
}

/// The best fix of an access, what it brings and takes, and the way to make it.
#[component]
fn BestFix(list: List, fixable: Fixable) -> impl IntoView {
    let (search, session) = (list.search, list.session);
    let best = Memo::new(move |_| search.best(&fixable));
    let none = move || {
        let can_have = session.late_pages().with(|page| has_fixes(page.question()));
        (can_have && search.has_ended() && best.with(Option::is_none))
            .then(|| FindingWords::of(session.language()).no_fix)
    };
    let fix = move || best.get().map(|chip| fix(list, chip));
    view! {
        {fix}
        <span class="hint">{none}</span>
    }
}

/// What the best fix of an access edits, gains and costs, and why it computes the same.
#[component]
fn FixDetail(list: List, fixable: Fixable) -> impl IntoView {
    let best = Memo::new(move |_| list.search.best(&fixable));
    let detail = move || {
        let Chip { title, edit, .. } = best.get()?;
        let lines = edit_lines(edit);
        let said = title.replace('\n', " · ");
        Some(view! {
            <div class="fix-detail" data-testid="fix-detail">
                <pre class="edit">{lines}</pre>
                <p class="hint">{said}</p>
            </div>
        })
    };
    view! { {detail} }
}

fn fix(list: List, chip: Chip) -> impl IntoView {
    let Chip {
        index,
        snippet,
        ways,
        about,
        title,
        edit: _,
    } = chip;
    let search = list.search;
    let language = list.session.language_now();
    let ways = ways.map(|ways| ways_badge(ways, language));
    let name = format!("{} {snippet}", FindingWords::of(language).apply);
    view! {
        <span class="change" title=title>
            <code>{snippet}</code>
            {ways}
            <span class="hint">{about}</span>
        </span>
        <button
            type="button"
            class="button small"
            data-testid="apply-best"
            data-apply=index.to_string()
            aria-label=name
            on:click=move |event| {
                event.stop_propagation();
                list.make(index);
            }
            on:pointerenter=move |_| search.propose(index)
            on:pointerleave=move |_| list.session.propose(None)
            on:focus=move |_| search.propose(index)
            on:blur=move |_| list.session.propose(None)
        >
            {FindingWords::of(language).apply}
        </button>
    }
}
