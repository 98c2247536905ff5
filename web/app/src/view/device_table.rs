//! The same source on every device.

use std::sync::Arc;

use lanescope_draw::Tone;
use lanescope_locale::{Language, hardware, page};
use lanescope_model::{Operation, Unknown};
use lanescope_share as share;
use leptos::prelude::*;

use super::badge::badge;
use super::device_strip::{Bar, DeviceStrip};
use super::exports::Offer;
use crate::answer::{
    DeviceCount, DeviceRow, DeviceTallies, GlobalTotals, Grounds, SharedTotals, decimal,
};
use crate::background;
use crate::debounce::Debounce;
use crate::export::Table;
use crate::session::Session;
use crate::words::grouped;
use crate::work::{At, Response, Task};

/// What was counted for all devices. A handle: copies are the same count.
#[derive(Clone, Copy)]
struct Devices {
    session: Session,
    rows: RwSignal<Arc<Vec<DeviceRow>>>,
    /// After how many requests a run was stopped before its end.
    stopped: RwSignal<Option<u64>>,
}

/// Which memories the source asks, on any device.
#[derive(Clone, Copy, PartialEq)]
struct Memories {
    shared: bool,
    global: bool,
}

/// A row for each profile, folded under a bar for each.
#[component]
pub(crate) fn DeviceTable(session: Session) -> impl IntoView {
    let devices = Devices {
        session,
        rows: RwSignal::new(Arc::default()),
        stopped: RwSignal::new(None),
    };
    devices.follow();
    let memories = Memo::new(move |_| {
        devices.rows.with(|rows| Memories {
            shared: rows.iter().any(|row| row.shared.totals.is_some()),
            global: rows.iter().any(|row| row.global.totals.is_some()),
        })
    });
    let chosen = Memo::new(move |_| {
        session.pages().with(|page| {
            page.answer
                .device
                .as_ref()
                .map(|device| device.id().to_owned())
        })
    });
    let bars = Memo::new(move |_| {
        let language = session.language();
        let has_shared = memories.get().shared;
        let bar = |row: &DeviceRow| {
            chosen.with(|chosen| bar(row, has_shared, language, chosen.as_deref()))
        };
        devices.rows.with(|rows| rows.iter().map(bar).collect())
    });
    let rows = move || {
        let (language, memories) = (session.language(), memories.get());
        let row = |facts: &DeviceRow| row(session, facts, memories, language, chosen);
        devices
            .rows
            .with(|rows| rows.iter().map(row).collect_view())
    };
    let stopped = move || {
        let requests = devices.stopped.get()?;
        Some(page::stopped(session.language(), requests))
    };
    let saved = move || devices.rows.with_untracked(|rows| table(rows));
    Offer::new("devices", session.word(|words| words.devices), move || {
        devices.rows.with(|rows| !rows.is_empty())
    })
    .table("lanescope-devices", saved)
    .make();
    view! {
        <details class="card devices fold" data-testid="devices">
            <summary>
                <div class="head">
                    <h2>{session.word(|words| words.devices)}</h2>
                    <span class="about">{session.word(|words| words.devices_about)}</span>
                </div>
                <div>
                    <DeviceStrip session bars />
                </div>
            </summary>
            <div class="wide">
                <table data-testid="devices-table">
                    <thead>
                        <tr>
                            <th>{session.word(|words| words.label.device)}</th>
                            <th class="number" colspan="2" hidden=move || !memories.get().shared>
                                {session.word(|words| words.shared_memory)}
                            </th>
                            <td class="bars" hidden=move || !memories.get().shared></td>
                            <th class="number" hidden=move || !memories.get().global>
                                {session.word(|words| words.global_memory)}
                            </th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </div>
            <p class="hint" hidden=move || devices.stopped.get().is_none()>
                {stopped}
            </p>
        </details>
    }
}

impl Devices {
    /// Counts anew whenever the answer is another.
    fn follow(self) {
        let debounce = Debounce::default();
        self.session.follow_late(move |page, before| {
            let is_same = before.is_some_and(|before| before.has_answer_of(page));
            if before.is_none() {
                // The page begins whole where that is soon done; also when it begins again after a failure.
                self.begin();
            } else if !is_same {
                debounce.then(move || self.begin());
            }
        });
    }

    /// Counts here what is soon counted, all else in a worker.
    fn begin(self) {
        let page = self.session.page();
        let mut count = DeviceCount::new(&page.answer);
        if count.is_short() && !page.question().is_left_to_worker(&page.answer) {
            while count.step() {}
            return self.take(&count.tallies());
        }
        let asked = Arc::clone(&page);
        background::ask(
            Task::Devices,
            page.question(),
            At::Nothing,
            move |response| {
                let is_current = asked.has_answer_of(&self.session.page());
                if let (true, Some(Response::Devices(tallies))) = (is_current, response) {
                    self.take(&tallies);
                }
            },
        );
    }

    fn take(self, tallies: &DeviceTallies) {
        self.rows.set(Arc::new(tallies.rows()));
        self.stopped.set(tallies.stopped);
    }
}

/// A device's bar: its wavefronts, or where nobody asks shared memory what a request moves.
fn bar(row: &DeviceRow, has_shared: bool, language: Language, chosen: Option<&str>) -> Bar {
    let (name, about) = short_name(row.name);
    let (cost, ways, said) = if has_shared {
        match &row.shared.totals {
            Some(Ok(totals)) => (
                Some(totals.wavefronts),
                totals.ways,
                totals.sentence(Operation::Load, language),
            ),
            Some(Err(unknown)) => (None, 0, hardware::unknown(language, *unknown)),
            None => (None, 0, String::new()),
        }
    } else {
        match &row.global.totals {
            Some(Ok(totals)) => (
                Some(totals.per_request_hundredths()),
                0,
                totals.sentence(language),
            ),
            Some(Err(unknown)) => (None, 0, hardware::unknown(language, *unknown)),
            None => (None, 0, String::new()),
        }
    };
    Bar {
        id: row.id,
        title: format!("{name} {about} · {said}"),
        cost,
        ways,
        is_chosen: chosen == Some(row.id),
    }
}

fn row(
    session: Session,
    facts: &DeviceRow,
    memories: Memories,
    language: Language,
    chosen: Memo<Option<String>>,
) -> impl IntoView + use<> {
    let (id, name) = (facts.id, facts.name);
    let (short, about) = short_name(name);
    let is_chosen = move || chosen.with(|chosen| chosen.as_deref() == Some(id));
    let shared = memories
        .shared
        .then(|| shared_cells(facts.shared.totals.as_ref(), language));
    let global = memories
        .global
        .then(|| global_cell(facts.global.totals.as_ref(), language));
    let choose = move |_| session.edit(|state| state.device = share::Device::Known(id.to_owned()));
    view! {
        <tr
            data-pick=""
            data-device=id
            class=move || if is_chosen() { "chosen" } else { "" }
            on:click=choose
        >
            <td>
                <button
                    type="button"
                    class="pick"
                    title=name
                    aria-pressed=move || is_chosen().to_string()
                >
                    {format!("{short} ")}
                    <span class="hint">{about}</span>
                </button>
                " "
                {grounds(facts).map(|of| badge(&of.source, of.confidence, language))}
            </td>
            {shared}
            {global}
        </tr>
    }
}

/// Ways, wavefronts beside the fewest, and their bar.
fn shared_cells(totals: Option<&Result<SharedTotals, Unknown>>, language: Language) -> AnyView {
    match totals {
        None => view! {
            <td class="number"></td>
            <td class="number"></td>
            <td class="bars"></td>
        }
        .into_any(),
        Some(Err(unknown)) => {
            let why = hardware::unknown(language, *unknown);
            let said = brief(&why);
            view! {
                <td class="silent" colspan="3" title=why>
                    <span class="silent">{said}</span>
                </td>
            }
            .into_any()
        }
        Some(Ok(totals)) => known_cells(totals, language).into_any(),
    }
}

fn known_cells(totals: &SharedTotals, language: Language) -> impl IntoView + use<> {
    let tone = Tone::of_ways(totals.ways).class();
    let ways = page::ways(
        language,
        totals.ways,
        totals.wavefronts_least < totals.wavefronts,
    );
    let title = totals.sentence(Operation::Load, language);
    let [wavefronts, ideal] = [totals.wavefronts, totals.ideal].map(grouped);
    view! {
        <td class="number">
            <span class=format!("chip {tone}")>{ways}</span>
        </td>
        <td class="number" title=title>
            {format!("{wavefronts} / {ideal}")}
        </td>
        <td class="bars">
            <span class=format!("bar {tone}")></span>
        </td>
    }
}

/// What a request moves.
fn global_cell(totals: Option<&Result<GlobalTotals, Unknown>>, language: Language) -> AnyView {
    match totals {
        None => view! { <td class="number"></td> }.into_any(),
        Some(Err(unknown)) => {
            let why = hardware::unknown(language, *unknown);
            let said = brief(&why);
            view! {
                <td class="silent" title=why>
                    {said}
                </td>
            }
            .into_any()
        }
        Some(Ok(totals)) => {
            let (unit, hundredths) = (totals.unit, totals.per_request_hundredths());
            let title = totals.sentence(language);
            let said = page::units_a_request(language, unit, hundredths);
            view! {
                <td class="number" title=title>
                    {said}
                </td>
            }
            .into_any()
        }
    }
}

/// The weaker basis of the memories that the source asks.
fn grounds(row: &DeviceRow) -> Option<&Grounds> {
    let shared = row.shared.totals.as_ref().map(|_| &row.shared.grounds);
    let global = row.global.totals.as_ref().map(|_| &row.global.grounds);
    [shared, global]
        .into_iter()
        .flatten()
        .max_by_key(|grounds| grounds.confidence)
}

/// What stands before the colon; the rest is in the tooltip.
fn brief(why: &str) -> String {
    why.split([':', ':']).next().unwrap_or(why).to_owned()
}

/// `NVIDIA CC 9.0 (Hopper: H200)` as `CC 9.0` and `Hopper`.
fn short_name(name: &str) -> (String, String) {
    let (name, rest) = name.split_once(" (").unwrap_or((name, ""));
    let about = rest.split([':', ')']).next().unwrap_or_default();
    (
        name.trim_start_matches("NVIDIA ").to_owned(),
        about.to_owned(),
    )
}

/// The devices as a table to take away.
fn table(facts: &[DeviceRow]) -> Table {
    let columns = [
        "device",
        "name",
        "wavefronts",
        "ideal_wavefronts",
        "conflicts",
        "ways",
        "shared_confidence",
        "shared_unknown",
        "units",
        "units_per_request",
        "ideal_units",
        "global_confidence",
        "global_unknown",
    ];
    let rows = facts.iter().map(plain_row).collect();
    Table {
        columns: columns.to_vec(),
        rows,
    }
}

fn plain_row(row: &DeviceRow) -> Vec<String> {
    let shared = row.shared.totals.as_ref();
    let global = row.global.totals.as_ref();
    let of_shared = |read: fn(&SharedTotals) -> u64| {
        shared
            .and_then(|totals| totals.as_ref().ok())
            .map(|totals| read(totals).to_string())
            .unwrap_or_default()
    };
    let of_global = |read: fn(&GlobalTotals) -> String| {
        global
            .and_then(|totals| totals.as_ref().ok())
            .map(read)
            .unwrap_or_default()
    };
    vec![
        row.id.to_owned(),
        row.name.to_owned(),
        of_shared(|totals| totals.wavefronts),
        of_shared(|totals| totals.ideal),
        of_shared(|totals| totals.conflicts),
        of_shared(|totals| totals.ways.into()),
        shared
            .map(|_| row.shared.grounds.confidence.key().to_owned())
            .unwrap_or_default(),
        shared
            .and_then(|totals| totals.as_ref().err())
            .map(|why| why.key().to_owned())
            .unwrap_or_default(),
        of_global(|totals| totals.units.to_string()),
        of_global(|totals| decimal(totals.per_request_hundredths())),
        of_global(|totals| totals.ideal.to_string()),
        global
            .map(|_| row.global.grounds.confidence.key().to_owned())
            .unwrap_or_default(),
        global
            .and_then(|totals| totals.as_ref().err())
            .map(|why| why.key().to_owned())
            .unwrap_or_default(),
    ]
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn names_are_cut_short() {
        let (name, about) = short_name("NVIDIA CC 9.0 (Hopper: H100, H200)");
        assert_eq!((name.as_str(), about.as_str()), ("CC 9.0", "Hopper"));
    }
}
