//! What a recorded trace comes to: totals, the worst rows, where measurement and prediction
//! differ, what is wrong, and any row's picture.

use std::sync::Arc;
use std::time::Duration;

use lanescope_locale::trace::{self, TraceWords};
use lanescope_locale::{Language, hardware};
use lanescope_model::{Device, Unit};
use lanescope_share::Source;
use lanescope_trace::{Entry, Fault, Totals, TraceError};
use leptos::prelude::*;

use super::exports::Offer;
use super::manual_dom::{holds, made};
use crate::answer::{Reading, View, difference};
use crate::export::Table;
use crate::page::Page;
use crate::session::Session;
use crate::words::grouped;
use lanescope_ui::painter::Painter;

/// How long one slice may keep the page from answering.
const SLICE_MS: f64 = 8.0;
/// How many rows of a table are shown.
const SHOWN: usize = 20;

/// What is read: the text, and for which device.
type Subject = (Arc<str>, Device);

/// A trace that is read a little at a time. A handle: copies are the same reading.
#[derive(Clone, Copy)]
struct Reader {
    session: Session,
    subject: Memo<Option<Subject>>,
    reading: StoredValue<Option<Result<Reading, TraceError>>, LocalStorage>,
    /// Counts the slices that were read, for what follows the reading.
    slices: RwSignal<u64>,
}

/// The row that is drawn.
#[derive(Clone, PartialEq)]
struct Row {
    number: usize,
    of: usize,
    /// What it is, or why it is not drawn.
    said: String,
    is_drawn: bool,
}

/// The card; hidden where the source is no trace.
#[component]
pub(crate) fn TraceCard(session: Session) -> impl IntoView {
    let reader = Reader {
        session,
        subject: Memo::new(move |_| session.pages().with(|page| subject(session, page))),
        reading: StoredValue::new_local(None),
        slices: RwSignal::new(0),
    };
    Effect::new(move || reader.begin(reader.subject.get()));
    Offer::new(
        "trace",
        session.word(|words| words.trace.title),
        move || reader.subject.with(Option::is_some),
    )
    .table("lanescope-trace", move || reader.table())
    .make();
    let is_reading = move || reader.follow(|reading, _| !reading.is_done()) == Some(true);
    let progress = move |which: fn((usize, usize)) -> usize| {
        move || reader.follow(|reading, _| which(reading.progress()).to_string())
    };
    view! {
        <section
            class="card trace"
            data-testid="trace-card"
            hidden=move || reader.subject.with(Option::is_none)
        >
            <div class="head">
                <h1>{session.word(|words| words.trace.title)}</h1>
                <span class="about">{move || reader.follow(about)}</span>
            </div>
            <progress
                hidden=move || !is_reading()
                max=progress(|(_, total)| total)
                value=progress(|(done, _)| done)
            ></progress>
            <div class="trace-sums" data-testid="trace-sums" role="status">
                {move || reader.fault()}
                {move || reader.follow_done(sums)}
            </div>
            <div>{move || reader.follow_done(|reading, language| tables(session, reading, language))}</div>
            <TraceRow reader />
            <div data-testid="trace-faults">{move || reader.follow_done(faults)}</div>
        </section>
    }
}

/// A row's picture, and the field that chooses another.
#[component]
fn TraceRow(reader: Reader) -> impl IntoView {
    let session = reader.session;
    let painter = Painter::new("trace-picture");
    let root = made(painter.root().clone());
    let painter = StoredValue::new_local(painter);
    let row: RwSignal<Option<Row>> = RwSignal::new(None);
    let chosen = Memo::new(move |_| session.pages().with(|page| page.state.selection.iteration));
    Effect::new(move || {
        let chosen = chosen.get();
        row.set(
            reader
                .follow_done(|reading, language| {
                    painter
                        .try_update_value(|painter| draw_row(painter, reading, chosen, language))?
                })
                .flatten(),
        );
    });
    let read = move |of: fn(&Row) -> String| move || row.with(|row| row.as_ref().map(of));
    let choose_row = move |event| choose(session, event_target_value(&event).parse().unwrap_or(1));
    view! {
        <div class="trace-row" hidden=move || row.with(Option::is_none)>
            <div class="row">
                <label for="trace-row">{session.word(|words| words.trace.row)}</label>
                <input
                    type="number"
                    min="1"
                    id="trace-row"
                    class="field short"
                    data-testid="trace-row"
                    max=read(|row| row.of.to_string())
                    prop:value=move || read(|row| row.number.to_string())().unwrap_or_default()
                    on:change=choose_row
                />
                <h3 data-testid="trace-row-name">{read(|row| row.said.clone())}</h3>
            </div>
            <div
                class="frame"
                hidden=move || !row.with(|row| row.as_ref().is_some_and(|row| row.is_drawn))
                use:holds=root
            ></div>
        </div>
    }
}

/// Draws the row that was chosen; the first where none was. `None` where there is none.
fn draw_row(
    painter: &mut Painter,
    reading: &Reading,
    chosen: u64,
    language: Language,
) -> Option<Row> {
    let of = reading.totals.rows;
    let number = match chosen {
        0 => reading.first_row(),
        index => usize::try_from(index).map_or(1, |index| index + 1),
    };
    let number = number.min(of.max(1));
    let row = reading.row(number)?;
    let (said, is_drawn) = match reading.picture(&row) {
        Some(Ok(picture)) => {
            painter.paint(&picture.draw(View::default(), &|phrase| phrase.text(language)));
            let name = &row.name;
            (trace::picture(language, number as u64, name), true)
        }
        Some(Err(unknown)) => (hardware::unknown(language, unknown), false),
        None => (trace::unread(language, number as u64), false),
    };
    Some(Row {
        number,
        of,
        said,
        is_drawn,
    })
}

/// Shows the row with this number.
fn choose(session: Session, row: usize) {
    let index = u64::try_from(row.max(1) - 1).unwrap_or(0);
    session.edit(|state| state.selection.iteration = index);
}

/// The trace of the page and its device.
fn subject(session: Session, page: &Page) -> Option<Subject> {
    let Source::Trace(text) = &page.state.source else {
        return None;
    };
    let kept = session.records().get().filter(|_| text.is_empty());
    let text = kept.unwrap_or_else(|| text.as_str().into());
    // A profiler's export has a card of its own.
    if lanescope_trace::is_export(&text) {
        return None;
    }
    let device = page.answer.device.clone().unwrap_or_default();
    Some((text, device))
}

fn now() -> f64 {
    window()
        .performance()
        .map_or(0.0, |performance| performance.now())
}

impl Reader {
    fn begin(self, subject: Option<Subject>) {
        let reading = subject
            .as_ref()
            .map(|(text, device)| Reading::begin(Arc::clone(text), device));
        self.reading.set_value(reading);
        self.slices.update(|slices| *slices += 1);
        self.next_slice(subject);
    }

    /// Reads on for a moment and again after it, until all is read or another trace is asked for.
    fn next_slice(self, subject: Option<Subject>) {
        let slice = move || {
            if self.subject.try_get_untracked() != Some(subject.clone()) {
                return;
            }
            let goes_on = self.reading.try_update_value(slice).unwrap_or(false);
            self.slices.update(|slices| *slices += 1);
            if goes_on {
                self.next_slice(subject);
            }
        };
        set_timeout(slice, Duration::ZERO);
    }

    /// What `read` makes of the trace as far as it is read, followed; `None` where there is none.
    fn follow<T>(self, read: impl FnOnce(&Reading, Language) -> T) -> Option<T> {
        self.slices.track();
        let language = self.session.language();
        self.reading.with_value(|reading| match reading {
            Some(Ok(reading)) => Some(read(reading, language)),
            Some(Err(_)) | None => None,
        })
    }

    /// The same of a trace that is read to its end.
    fn follow_done<T>(self, read: impl FnOnce(&Reading, Language) -> T) -> Option<T> {
        self.follow(|reading, language| reading.is_done().then(|| read(reading, language)))
            .flatten()
    }

    /// Why the text is no trace.
    fn fault(self) -> Option<impl IntoView + use<>> {
        self.slices.track();
        let language = self.session.language();
        let said = self.reading.with_value(|reading| match reading {
            Some(Err(error)) => Some(trace::not_a_trace(language, &error.text(language))),
            Some(Ok(_)) | None => None,
        })?;
        Some(view! { <p class="silent">{said}</p> })
    }

    fn table(self) -> Table {
        self.reading.with_value(|reading| match reading {
            Some(Ok(reading)) => reading.table(),
            Some(Err(_)) | None => Table {
                columns: Vec::new(),
                rows: Vec::new(),
            },
        })
    }
}

/// Reads for a moment; `false` when there is nothing more to do.
fn slice(reading: &mut Option<Result<Reading, TraceError>>) -> bool {
    let Some(Ok(reading)) = reading else {
        return false;
    };
    let end = now() + SLICE_MS;
    while reading.step() {
        if now() >= end {
            return true;
        }
    }
    false
}

/// How much is read.
fn about(reading: &Reading, language: Language) -> String {
    let (done, total) = reading.progress();
    if reading.is_done() {
        trace::rows(language, reading.totals.rows as u64)
    } else {
        trace::reading(language, done.saturating_mul(100) / total.max(1))
    }
}

/// The totals in sentences that can be quoted.
fn sums(reading: &Reading, language: Language) -> impl IntoView + use<> {
    let totals = &reading.totals;
    let sentences = [
        (totals.shared_requests > 0).then(|| shared(totals, language)),
        (totals.global_requests > 0).then(|| global(totals, language)),
        (totals.compared > 0).then(|| agreement(totals, language)),
    ];
    let sentences = sentences.into_iter().flatten();
    sentences.map(|text| view! { <p>{text}</p> }).collect_view()
}

fn shared(totals: &Totals, language: Language) -> String {
    let counts = [
        totals.shared_requests,
        totals.wavefronts,
        totals.ideal_wavefronts,
        totals.conflicts,
    ];
    trace::shared(language, counts)
}

fn global(totals: &Totals, language: Language) -> String {
    let counts = [totals.global_requests, totals.units, totals.ideal_units];
    trace::global(language, counts, totals.unit.unwrap_or(Unit::Sector))
}

fn agreement(totals: &Totals, language: Language) -> String {
    trace::agreement(language, totals.agreeing as u64, totals.compared as u64)
}

fn tables(session: Session, reading: &Reading, language: Language) -> impl IntoView + use<> {
    let (totals, words) = (&reading.totals, TraceWords::of(language));
    let costs = |entry: &Entry| [entry.cost, entry.ideal].map(grouped);
    let worst = section(
        (session, words),
        [words.worst, words.cost, words.ideal],
        &totals.worst(),
        &|entry| Some(costs(entry)),
    );
    let pair = |entry: &Entry| {
        let (predicted, measured) = difference(entry)?;
        Some([predicted, measured].map(grouped))
    };
    let differing = section(
        (session, words),
        [words.differing, words.predicted, words.measured],
        totals.differing(),
        &pair,
    );
    view! {
        {worst}
        {differing}
    }
}

/// A table of rows, each a button to its picture; `None` where there are none.
fn section(
    (session, words): (Session, &TraceWords),
    [title, first, second]: [&'static str; 3],
    entries: &[Entry],
    numbers: &dyn Fn(&Entry) -> Option<[String; 2]>,
) -> Option<impl IntoView + use<>> {
    let heading = [words.row, words.instruction, first, second];
    let heading = heading.into_iter().enumerate().map(|(index, word)| {
        let class = if index == 1 { "" } else { "number" };
        view! { <th class=class>{word}</th> }
    });
    let row = |entry: &Entry| {
        let [one, two] = numbers(entry)?;
        let number = entry.row;
        Some(view! {
            <tr>
                <td class="number">
                    <button
                        type="button"
                        class="button small bare"
                        data-row=number.to_string()
                        on:click=move |_| choose(session, number)
                    >
                        {grouped(number as u64)}
                    </button>
                </td>
                <td>
                    <code>{entry.name.clone()}</code>
                </td>
                <td class="number">{one}</td>
                <td class="number">{two}</td>
            </tr>
        })
    };
    let rows = entries.iter().filter_map(row).take(SHOWN);
    (!entries.is_empty()).then(|| {
        view! {
            <div>
                <h3>{title}</h3>
                <div class="wide">
                    <table>
                        <thead>
                            <tr>{heading.collect_view()}</tr>
                        </thead>
                        <tbody>{rows.collect_view()}</tbody>
                    </table>
                </div>
            </div>
        }
    })
}

fn faults(reading: &Reading, language: Language) -> Option<impl IntoView + use<>> {
    let title = trace::faults(language, reading.fault_count as u64);
    let item = |text: String| view! { <li>{text}</li> };
    let list = reading
        .faults
        .iter()
        .map(|fault| item(fault_words(fault, language)));
    let more = reading.fault_count - reading.faults.len();
    let more = (more > 0).then(|| item(trace::more_faults(language, more as u64)));
    (!reading.faults.is_empty()).then(|| {
        view! {
            <h3>{title}</h3>
            <ul class="trace-faults">{list.collect_view()} {more}</ul>
        }
    })
}

fn fault_words(fault: &Fault, language: Language) -> String {
    let why = fault.kind.text(language);
    trace::fault(language, fault.line, fault.column, &fault.title, &why)
}
