//! The same source on every device.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use lanescope_draw::Tone;
use lanescope_model::{Basis, Device, Operation, Unknown};
use lanescope_share as share;

use leptos::prelude::*;

use super::badge;
use super::device_strip::{Bar, DeviceStrip};
use super::island::island;
use crate::answer::{Answer, DeviceCount, DeviceRow, GlobalTotals, SharedTotals, decimal};
use crate::element::{El, around, el};
use crate::export::{self, Table};
use crate::page::Page;
use crate::rest::Rest;
use crate::session::Session;
use crate::words::{Language, Message, grouped};

/// A row for each profile.
pub(crate) fn build(session: Session) -> El {
    let shared = session.say(
        el("th").class("number").set("colspan", "2"),
        Message::SharedMemory,
    );
    let bars = el("td").class("bars");
    let global = session.say(el("th").class("number"), Message::GlobalMemory);
    let heading = el("tr").with(&session.say(el("th"), Message::Device));
    let heading = heading.with(&shared).with(&bars).with(&global);
    let rows: Vec<Row> = Device::all().iter().map(Row::new).collect();
    let body = el("tbody").on("click", move |event| {
        let id = around(&event, "[data-device]").and_then(|row| row.get_attribute("data-device"));
        if let Some(id) = id {
            session.edit(|state| state.device = share::Device::Known(id));
        }
    });
    rows.iter().for_each(|row| body.add(&row.row));
    let table = el("table")
        .testid("devices-table")
        .with(&el("thead").with(&heading))
        .with(&body);
    let bars_of_all = RwSignal::new(Vec::new());
    let strip = island(
        "div",
        move || view! { <DeviceStrip session bars=bars_of_all /> },
    );
    let head = el("summary").with_all(&[
        el("div").class("head").with_all(&[
            session.say(el("h2"), Message::Devices),
            session.say(el("span").class("about"), Message::DevicesAbout),
        ]),
        strip,
    ]);
    let table_rows = Rc::new(Devices {
        rows,
        shared,
        bars,
        global,
        stopped: el("p").class("hint").set("hidden", ""),
        stopped_after: Cell::new(None),
        facts: RefCell::default(),
        bars_of_all,
    });
    let stopped = table_rows.stopped.clone();
    let saved = Rc::clone(&table_rows);
    let rest = Rest::default();
    session.follow_late(move |page, before| {
        let is_same = before.is_some_and(|before| Arc::ptr_eq(&before.answer, &page.answer));
        if before.is_none() {
            // The page begins whole where that is soon done; also when it begins again after a failure.
            table_rows.begin(session, &rest, &page.answer, page);
        } else if !is_same {
            let (devices, answer) = (Rc::clone(&table_rows), Arc::clone(&page.answer));
            let again = rest.clone();
            rest.then(move || devices.begin(session, &again, &answer, &session.page()));
        } else if before.is_some_and(|before| before.language != page.language) {
            table_rows.put(page);
        }
    });
    let save = move || devices(&saved.facts.borrow());
    el("details")
        .class("card devices fold")
        .testid("devices")
        .with(&head)
        .with(&export::table_buttons(Rc::new(save), "lanescope-devices"))
        .with(&el("div").class("wide").with(&table))
        .with(&stopped)
}

/// Counts for one size of warps whenever the page rests, and shows the table at the end.
fn count_on(session: Session, devices: Rc<Devices>, rest: Rest, mut count: DeviceCount) {
    let again = rest.clone();
    rest.then(move || {
        if count.step() {
            count_on(session, devices, again, count);
        } else {
            devices.take(&count, &session.page());
        }
    });
}

/// The table's elements, and what they show.
struct Devices {
    rows: Vec<Row>,
    shared: El,
    bars: El,
    global: El,
    /// Says that a run was stopped before its end, and after how many requests.
    stopped: El,
    stopped_after: Cell<Option<u64>>,
    facts: RefCell<Vec<DeviceRow>>,
    /// The same as bars.
    bars_of_all: RwSignal<Vec<Bar>>,
}

impl Devices {
    /// Counts at once what is soon counted, all else a little at a time.
    fn begin(self: &Rc<Self>, session: Session, rest: &Rest, answer: &Arc<Answer>, page: &Page) {
        let mut count = DeviceCount::new(answer);
        if count.is_short() {
            while count.step() {}
            self.take(&count, page);
        } else {
            count_on(session, Rc::clone(self), rest.clone(), count);
        }
    }

    fn take(&self, count: &DeviceCount, page: &Page) {
        self.facts.replace(count.rows());
        self.stopped_after.set(count.stopped());
        self.put(page);
    }

    fn put(&self, page: &Page) {
        self.stopped.show(self.stopped_after.get().is_some());
        if let Some(requests) = self.stopped_after.get() {
            let said = page.language.say(&Message::Stopped { requests });
            self.stopped.put_text(&said);
        }
        let facts = self.facts.borrow();
        let has_shared = facts.iter().any(|row| row.shared.totals.is_some());
        let has_global = facts.iter().any(|row| row.global.totals.is_some());
        self.shared.show(has_shared);
        self.bars.show(has_shared);
        self.global.show(has_global);
        for (row, facts) in self.rows.iter().zip(facts.iter()) {
            row.put(page, facts, has_shared, has_global);
        }
        let next: Vec<Bar> = facts.iter().map(|row| bar(page, row, has_shared)).collect();
        if self.bars_of_all.with_untracked(|bars| *bars != next) {
            self.bars_of_all.set(next);
        }
    }
}

/// A device's bar: its wavefronts, or where nobody asks shared memory what a request moves.
fn bar(page: &Page, row: &DeviceRow, has_shared: bool) -> Bar {
    let language = page.language;
    let (name, about) = short_name(row.name);
    let (cost, ways, said) = if has_shared {
        match &row.shared.totals {
            Some(Ok(totals)) => (
                Some(totals.wavefronts),
                totals.ways,
                language.say(&Message::SharedSentence {
                    totals,
                    operation: Operation::Load,
                }),
            ),
            Some(Err(unknown)) => (None, 0, language.say(&Message::Unknown(*unknown))),
            None => (None, 0, String::new()),
        }
    } else {
        match &row.global.totals {
            Some(Ok(totals)) => (
                Some(totals.per_request_hundredths()),
                0,
                language.say(&Message::GlobalSentence(totals)),
            ),
            Some(Err(unknown)) => (None, 0, language.say(&Message::Unknown(*unknown))),
            None => (None, 0, String::new()),
        }
    };
    let device = page.answer.device.as_ref();
    Bar {
        id: row.id,
        title: format!("{name} {about} · {said}"),
        cost,
        ways,
        is_chosen: device.is_some_and(|device| device.id() == row.id),
    }
}

/// The elements of one device's row.
struct Row {
    row: El,
    pick: El,
    badge: El,
    ways_cell: El,
    ways: El,
    wavefronts: El,
    bars: El,
    bar: El,
    global: El,
}

impl Row {
    fn new(device: &'static Device) -> Self {
        let (name, about) = short_name(device.name());
        let pick = el("button")
            .set("type", "button")
            .class("pick")
            .set("title", device.name());
        let pick = pick
            .with_text(&format!("{name} "))
            .with(&el("span").class("hint").text(&about));
        let badge = badge::empty();
        let (ways, bar) = (el("span"), el("span"));
        let ways_cell = el("td").with(&ways);
        let wavefronts = el("td").class("number");
        let bars = el("td").class("bars").with(&bar);
        let global = el("td").class("number");
        let first = el("td").with(&pick).with_text(" ").with(&badge);
        let row = el("tr")
            .set("data-pick", "")
            .set("data-device", device.id())
            .with(&first);
        let row = row.with_all(&[
            ways_cell.clone(),
            wavefronts.clone(),
            bars.clone(),
            global.clone(),
        ]);
        Self {
            row,
            pick,
            badge,
            ways_cell,
            ways,
            wavefronts,
            bars,
            bar,
            global,
        }
    }

    fn put(&self, page: &Page, facts: &DeviceRow, has_shared: bool, has_global: bool) {
        let is_chosen = page
            .answer
            .device
            .as_ref()
            .is_some_and(|device| device.id() == facts.id);
        self.row.put("class", if is_chosen { "chosen" } else { "" });
        self.pick
            .put("aria-pressed", if is_chosen { "true" } else { "false" });
        self.badge.show(basis(facts).is_some());
        if let Some(basis) = basis(facts) {
            badge::put(&self.badge, basis, page.language);
        }
        self.ways_cell.show(has_shared);
        self.global.show(has_global);
        self.put_shared(facts.shared.totals.as_ref(), has_shared, page.language);
        self.put_global(facts.global.totals.as_ref(), page.language);
    }

    fn put_shared(
        &self,
        totals: Option<&Result<SharedTotals, Unknown>>,
        has_shared: bool,
        language: Language,
    ) {
        let known = totals.and_then(|totals| totals.as_ref().ok());
        let is_wide = matches!(totals, Some(Err(_)));
        self.ways_cell
            .put("colspan", if is_wide { "3" } else { "1" });
        self.wavefronts.show(has_shared && !is_wide);
        self.bars.show(has_shared && !is_wide);
        match totals {
            Some(Err(unknown)) => put_unknown(&self.ways_cell, &self.ways, *unknown, language),
            _ => {
                self.ways_cell.put("title", "");
                self.ways_cell.put("class", "number");
            }
        }
        if let Some(totals) = known {
            self.put_known(totals, language);
        }
    }

    fn put_known(&self, totals: &SharedTotals, language: Language) {
        let tone = Tone::of_ways(totals.ways).class();
        let least = totals.wavefronts_least < totals.wavefronts;
        self.ways.put("class", &format!("chip {tone}"));
        self.ways.put_text(&language.say(&Message::Ways {
            ways: totals.ways,
            least,
        }));
        let title = language.say(&Message::SharedSentence {
            totals,
            operation: Operation::Load,
        });
        self.wavefronts.put("title", &title);
        self.wavefronts.put_text(&format!(
            "{} / {}",
            grouped(totals.wavefronts),
            grouped(totals.ideal)
        ));
        self.bar.put("class", &format!("bar {tone}"));
    }

    fn put_global(&self, totals: Option<&Result<GlobalTotals, Unknown>>, language: Language) {
        match totals {
            None => self.global.put_text(""),
            Some(Err(unknown)) => put_unknown(&self.global, &self.global, *unknown, language),
            Some(Ok(totals)) => {
                let (unit, hundredths) = (totals.unit, totals.per_request_hundredths());
                self.global.put("class", "number");
                self.global
                    .put("title", &language.say(&Message::GlobalSentence(totals)));
                self.global
                    .put_text(&language.say(&Message::UnitsARequest { unit, hundredths }));
            }
        }
    }
}

/// Says in `cell` why there is no answer; the whole of it in the tooltip.
fn put_unknown(cell: &El, text: &El, unknown: Unknown, language: Language) {
    let why = language.say(&Message::Unknown(unknown));
    text.put("class", "silent");
    cell.put("class", "silent");
    cell.put("title", &why);
    text.put_text(&brief(&why));
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
fn devices(facts: &[DeviceRow]) -> Table {
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
