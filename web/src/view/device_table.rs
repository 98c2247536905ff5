//! The same source on every device.

use lanescope_draw::Tone;
use lanescope_model::{Basis, Device};
use lanescope_share as share;
use leptos::prelude::*;

use crate::answer::{DeviceRow, GlobalTotals, SharedTotals, decimal};
use crate::export::{self, Table};
use crate::session::{Session, session};
use crate::words::{Message, Words, grouped};

/// A row for each profile.
#[component]
pub(crate) fn DeviceTable() -> impl IntoView {
    let session = session();
    let words = session.words();
    let rows = Memo::new(move |_| session.answer.with(|answer| answer.devices.clone()));
    let has_shared =
        Memo::new(move |_| rows.with(|rows| rows.iter().any(|row| row.shared.totals.is_some())));
    let has_global =
        Memo::new(move |_| rows.with(|rows| rows.iter().any(|row| row.global.totals.is_some())));
    let body = (0..Device::all().len())
        .map(|index| row(session, words, rows, index, has_shared, has_global));
    view! {
        <section class="card devices">
            <div class="head">
                <h2>{words.of(Message::Devices)}</h2>
                <span class="about">{words.of(Message::DevicesAbout)}</span>
                <div class="tools">
                    <button type="button" class="button small bare" on:click=move |_| {
                        export::save_table(&devices(session), "lanescope-devices", false);
                    }>"CSV"</button>
                    <button type="button" class="button small bare" on:click=move |_| {
                        export::save_table(&devices(session), "lanescope-devices", true);
                    }>"JSON"</button>
                </div>
            </div>
            <div class="wide">
                <table data-testid="devices-table">
                    <thead>
                        <tr>
                            <th>{words.of(Message::Device)}</th>
                            {move || has_shared.get().then(|| view! {
                                <th class="number" colspan="2">{words.of(Message::SharedMemory)}</th>
                                <th class="bars"></th>
                            })}
                            {move || has_global.get().then(|| view! {
                                <th class="number">{words.of(Message::GlobalMemory)}</th>
                            })}
                        </tr>
                    </thead>
                    <tbody>{body.collect_view()}</tbody>
                </table>
            </div>
        </section>
    }
    .into_any()
}

fn row(
    session: Session,
    words: Words,
    rows: Memo<Vec<DeviceRow>>,
    index: usize,
    has_shared: Memo<bool>,
    has_global: Memo<bool>,
) -> AnyView {
    let mine = Memo::new(move |_| rows.with(|rows| rows.get(index).cloned()));
    let Some(device) = Device::all().get(index) else {
        return ().into_any();
    };
    let id = device.id();
    let is_chosen = Memo::new(move |_| {
        session.answer.with(|answer| {
            answer
                .device
                .as_ref()
                .is_some_and(|device| device.id() == id)
        })
    });
    let pick = move || session.edit(|state| state.device = share::Device::Known(id.to_owned()));
    let (name, about) = short_name(device.name());
    let shared = move || {
        let cells = mine.with(|row| Some(shared_cells(row.as_ref()?, words)));
        has_shared.get().then_some(cells)
    };
    let global = move || {
        let cell = mine.with(|row| Some(global_cell(row.as_ref()?, words)));
        has_global.get().then_some(cell)
    };
    let badge = move || mine.with(|row| Some(badge(basis(row.as_ref()?)?, words)));
    view! {
        <tr data-pick data-device=id class:chosen=move || is_chosen.get() on:click=move |_| pick()>
            <td>
                <button
                    type="button"
                    class="pick"
                    title=device.name()
                    aria-pressed=move || is_chosen.get().to_string()
                >
                    {name} " " <span class="hint">{about}</span>
                </button>
                " " {badge}
            </td>
            {shared}
            {global}
        </tr>
    }
    .into_any()
}

/// The confidence of an answer, with its source as a tooltip.
pub(crate) fn badge(basis: Basis, words: Words) -> AnyView {
    let confidence = basis.confidence;
    let title = move || {
        format!(
            "{}: {}",
            words.say(Message::ConfidenceMeans(confidence)),
            basis.source
        )
    };
    view! {
        <span class=format!("badge {}", confidence.key()) title=title>
            {words.of(Message::Confidence(confidence))}
        </span>
    }
    .into_any()
}

/// The weaker basis of the memories that the source asks.
fn basis(row: &DeviceRow) -> Option<Basis> {
    let shared = row.shared.totals.as_ref().map(|_| row.shared.basis);
    let global = row.global.totals.as_ref().map(|_| row.global.basis);
    [shared, global]
        .into_iter()
        .flatten()
        .max_by_key(|basis| basis.confidence)
}

fn shared_cells(row: &DeviceRow, words: Words) -> AnyView {
    match &row.shared.totals {
        None => view! { <td colspan="2"></td><td class="bars"></td> }.into_any(),
        Some(Err(unknown)) => {
            let why = words.say(Message::Unknown(*unknown));
            view! { <td class="silent" colspan="3" title=why.clone()>{brief(&why)}</td> }.into_any()
        }
        Some(Ok(totals)) => known_cells(totals, words),
    }
}

fn known_cells(totals: &SharedTotals, words: Words) -> AnyView {
    let tone = Tone::of_ways(totals.ways);
    let least = totals.wavefronts_least < totals.wavefronts;
    let wavefronts = format!("{} / {}", grouped(totals.wavefronts), grouped(totals.ideal));
    let title = words.say(Message::SharedSentence {
        totals,
        operation: lanescope_model::Operation::Load,
    });
    // One step of the scale for each doubling.
    let width = 10 + 18 * totals.ways.max(1).ilog2().min(5);
    view! {
        <td class="number">
            <span class=format!("chip {}", tone.class())>
                {words.say(Message::Ways { ways: totals.ways, least })}
            </span>
        </td>
        <td class="number" title=title>{wavefronts}</td>
        <td class="bars"><span class=format!("bar {}", tone.class()) style:width=format!("{width}%")></span></td>
    }
    .into_any()
}

fn global_cell(row: &DeviceRow, words: Words) -> AnyView {
    match &row.global.totals {
        None => view! { <td></td> }.into_any(),
        Some(Err(unknown)) => {
            let why = words.say(Message::Unknown(*unknown));
            view! { <td class="silent" title=why.clone()>{brief(&why)}</td> }.into_any()
        }
        Some(Ok(totals)) => {
            let (unit, hundredths) = (totals.unit, totals.per_request_hundredths());
            let text = words.say(Message::UnitsARequest { unit, hundredths });
            let title = words.say(Message::GlobalSentence(totals));
            view! { <td class="number" title=title>{text}</td> }.into_any()
        }
    }
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
pub(crate) fn devices(session: Session) -> Table {
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
    let rows = session
        .answer
        .with_untracked(|answer| answer.devices.iter().map(plain_row).collect());
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
            .map(|_| row.shared.basis.confidence.key().to_owned())
            .unwrap_or_default(),
        shared
            .and_then(|totals| totals.as_ref().err())
            .map(|why| why.key().to_owned())
            .unwrap_or_default(),
        of_global(|totals| totals.units.to_string()),
        of_global(|totals| decimal(totals.per_request_hundredths())),
        of_global(|totals| totals.ideal.to_string()),
        global
            .map(|_| row.global.basis.confidence.key().to_owned())
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
