//! What a recorded trace comes to: totals, the worst rows, where measurement and prediction
//! differ, what is wrong, and any row's picture.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use lanescope_model::Device;
use lanescope_share::Source;
use lanescope_trace::{Entry, TraceError};
use leptos::prelude::{set_timeout, window};

use crate::answer::{Reading, View, difference};
use crate::element::{El, el, number_around};
use crate::export::{self, Table};
use crate::page::Page;
use crate::painter::Painter;
use crate::session::Session;
use crate::words::{Language, Message, TraceWord, grouped};

/// How long one slice may keep the page from answering.
const SLICE_MS: f64 = 8.0;
/// How many rows of a table are shown.
const SHOWN: usize = 20;

struct Card {
    session: Session,
    card: El,
    about: El,
    progress: El,
    sums: El,
    tables: El,
    faults: El,
    picture: El,
    frame: El,
    number: El,
    painter: Painter,
    /// What is read: the text, and for which device.
    source: Option<(Arc<str>, Device)>,
    reading: Option<Result<Reading, TraceError>>,
    /// Counts the texts, so that a slice of an older one ends itself.
    generation: usize,
}

/// The card; hidden where the source is no trace.
pub(crate) fn build(session: Session) -> El {
    let card = Rc::new(RefCell::new(Card::new(session)));
    let whole = card.borrow().card.clone();
    let (picked, numbered) = (Rc::clone(&card), card.borrow().number.clone());
    let number = numbered.clone().on("change", move |_| {
        choose(session, numbered.value().parse().unwrap_or(1));
    });
    let _ = number;
    let tables = card.borrow().tables.clone();
    let _ = tables.on("click", move |event| {
        if let Some(row) = number_around(&event, "data-row") {
            choose(session, row);
        }
    });
    let exported = Rc::clone(&card);
    let table = Rc::new(move || exported.borrow().table());
    whole.children().first().into_iter().for_each(|head| {
        head.add(&export::table_buttons(
            Rc::clone(&table) as _,
            "lanescope-trace",
        ))
    });
    session.follow(move |page, before| follow(&picked, page, before));
    whole
}

/// Shows the row with this number.
fn choose(session: Session, row: usize) {
    let index = u64::try_from(row.max(1) - 1).unwrap_or(0);
    session.edit(|state| state.selection.iteration = index);
}

fn follow(card: &Rc<RefCell<Card>>, page: &Page, before: Option<&Page>) {
    let source = source(card.borrow().session, page);
    let is_new = {
        let mut card = card.borrow_mut();
        card.card.show(source.is_some());
        let same = match (&card.source, &source) {
            (Some((old, device)), Some((new, other))) => {
                (Arc::ptr_eq(old, new) || old == new) && device == other
            }
            (None, None) => true,
            _ => false,
        };
        if !same {
            card.begin(source);
        }
        !same
    };
    if is_new {
        next_slice(card);
    } else if before.is_some_and(|before| {
        before.language != page.language || before.state.selection != page.state.selection
    }) {
        card.borrow_mut().show(page.language);
    }
}

/// The trace of the page and its device.
fn source(session: Session, page: &Page) -> Option<(Arc<str>, Device)> {
    let Source::Trace(text) = &page.state.source else {
        return None;
    };
    let kept = session.recorded().filter(|_| text.is_empty());
    let text = kept.unwrap_or_else(|| text.as_str().into());
    // A profiler's export has a card of its own.
    if lanescope_trace::is_export(&text) {
        return None;
    }
    let device = page.answer.device.clone().unwrap_or_default();
    Some((text, device))
}

fn next_slice(card: &Rc<RefCell<Card>>) {
    let generation = card.borrow().generation;
    let card = Rc::clone(card);
    set_timeout(
        move || {
            let goes_on = {
                let mut card = card.borrow_mut();
                card.generation == generation && card.slice()
            };
            if goes_on {
                next_slice(&card);
            }
        },
        Duration::ZERO,
    );
}

fn now() -> f64 {
    window()
        .performance()
        .map_or(0.0, |performance| performance.now())
}

impl Card {
    fn new(session: Session) -> Self {
        let (about, progress) = (el("span").class("about"), el("progress").set("hidden", ""));
        let head = el("div")
            .class("head")
            .with_all(&[session.say(el("h2"), word(TraceWord::Title)), about.clone()]);
        let sums = el("div")
            .class("trace-sums")
            .testid("trace-sums")
            .set("role", "status");
        let (tables, faults) = (el("div"), el("div").testid("trace-faults"));
        let painter = Painter::new("trace-picture");
        let frame = el("div").class("frame");
        frame.add(painter.root());
        let number = el("input")
            .set("type", "number")
            .set("min", "1")
            .set("id", "trace-row")
            .class("field short")
            .testid("trace-row");
        let picture = el("div").class("trace-row").with_all(&[
            el("div").class("row").with_all(&[
                session.say(el("label").set("for", "trace-row"), word(TraceWord::Row)),
                number.clone(),
                el("h3").testid("trace-row-name"),
            ]),
            frame.clone(),
        ]);
        let card = el("section")
            .class("card trace")
            .testid("trace-card")
            .set("hidden", "");
        let card = card.with_all(&[
            head,
            progress.clone(),
            sums.clone(),
            tables.clone(),
            picture.clone(),
            faults.clone(),
        ]);
        Self {
            session,
            card,
            about,
            progress,
            sums,
            tables,
            faults,
            picture,
            frame,
            number,
            painter,
            source: None,
            reading: None,
            generation: 0,
        }
    }

    fn begin(&mut self, source: Option<(Arc<str>, Device)>) {
        self.generation += 1;
        self.reading = source
            .as_ref()
            .map(|(text, device)| Reading::begin(Arc::clone(text), device));
        self.source = source;
    }

    /// Reads for a moment; `false` when there is nothing more to do.
    fn slice(&mut self) -> bool {
        let language = self.session.page().language;
        let mut goes_on = false;
        if let Some(Ok(reading)) = &mut self.reading {
            let end = now() + SLICE_MS;
            while reading.step() {
                if now() >= end {
                    goes_on = true;
                    break;
                }
            }
        }
        if goes_on {
            self.show_progress(language);
        } else {
            self.show(language);
        }
        goes_on
    }

    fn show_progress(&self, language: Language) {
        let Some(Ok(reading)) = &self.reading else {
            return self.progress.show(false);
        };
        let (done, total) = reading.progress();
        self.progress.show(!reading.is_done());
        self.progress.put("max", &total.to_string());
        self.progress.put("value", &done.to_string());
        self.about.put_text(&if reading.is_done() {
            language.trace(&TraceWord::Rows(&reading.totals))
        } else {
            language.trace(&TraceWord::Reading { done, total })
        });
    }

    fn show(&mut self, language: Language) {
        self.show_progress(language);
        let reading = match &self.reading {
            Some(Ok(reading)) => reading,
            Some(Err(error)) => {
                let said = language.trace(&TraceWord::Error(error));
                self.sums.put_all(&[el("p").class("silent").text(&said)]);
                self.about.put_text("");
                return self.empty();
            }
            None => return,
        };
        self.sums.put_all(&sums(reading, language));
        self.tables.put_all(&tables(reading, language));
        self.faults.put_all(&faults(reading, language));
        let chosen = self.session.page().state.selection.iteration;
        let row = usize::try_from(chosen).map_or(1, |index| index + 1);
        let row = if chosen == 0 {
            reading.first_row()
        } else {
            row
        };
        self.show_row(row.min(reading.totals.rows.max(1)), language);
    }

    fn empty(&self) {
        self.tables.put_all(&[]);
        self.faults.put_all(&[]);
        self.picture.show(false);
    }

    fn show_row(&mut self, number: usize, language: Language) {
        let Some(Ok(reading)) = &self.reading else {
            return;
        };
        let Some(row) = reading.row(number) else {
            return self.picture.show(false);
        };
        self.picture.show(true);
        self.number.put("max", &reading.totals.rows.to_string());
        self.number.put_value(&number.to_string());
        let name = self.picture.find("h3");
        let said = match reading.picture(&row) {
            Some(Ok(picture)) => {
                let drawing = picture.draw(View::default(), &|phrase| language.phrase(phrase));
                self.painter.paint(&drawing);
                self.frame.show(true);
                language.trace(&TraceWord::Picture {
                    row: number,
                    name: &row.name,
                })
            }
            Some(Err(unknown)) => {
                self.frame.show(false);
                language.say(&Message::Unknown(unknown))
            }
            None => {
                self.frame.show(false);
                language.trace(&TraceWord::Unread(number))
            }
        };
        if let Some(name) = name {
            name.put_text(&said);
        }
    }

    fn table(&self) -> Table {
        match &self.reading {
            Some(Ok(reading)) => reading.table(),
            _ => Table {
                columns: Vec::new(),
                rows: Vec::new(),
            },
        }
    }
}

const fn word(word: TraceWord<'static>) -> Message<'static> {
    Message::Trace(word)
}

/// The totals in sentences that can be quoted.
fn sums(reading: &Reading, language: Language) -> Vec<El> {
    let totals = &reading.totals;
    let words = [
        (totals.shared_requests > 0).then_some(TraceWord::Shared(totals)),
        (totals.global_requests > 0).then_some(TraceWord::Global(totals)),
        (totals.compared > 0).then_some(TraceWord::Agreement(totals)),
    ];
    let said = words.iter().flatten();
    said.map(|word| el("p").text(&language.trace(word)))
        .collect()
}

fn tables(reading: &Reading, language: Language) -> Vec<El> {
    let totals = &reading.totals;
    let costs = |entry: &Entry| [entry.cost, entry.ideal].map(grouped);
    let worst = section(
        language,
        [TraceWord::Worst, TraceWord::Cost, TraceWord::Ideal],
        &totals.worst(),
        &|entry| Some(costs(entry)),
    );
    let pair = |entry: &Entry| {
        let (predicted, measured) = difference(entry)?;
        Some([predicted, measured].map(grouped))
    };
    let differing = section(
        language,
        [
            TraceWord::Differing,
            TraceWord::Predicted,
            TraceWord::Measured,
        ],
        totals.differing(),
        &pair,
    );
    [worst, differing].into_iter().flatten().collect()
}

/// A table of rows, each a button to its picture; `None` where there are none.
fn section(
    language: Language,
    [title, first, second]: [TraceWord<'_>; 3],
    entries: &[Entry],
    numbers: &dyn Fn(&Entry) -> Option<[String; 2]>,
) -> Option<El> {
    if entries.is_empty() {
        return None;
    }
    let heading = [TraceWord::Row, TraceWord::Instruction, first, second];
    let heading: Vec<El> = (heading.iter().enumerate())
        .map(|(index, word)| {
            let class = if index == 1 { "" } else { "number" };
            el("th").class(class).text(&language.trace(word))
        })
        .collect();
    let row = |entry: &Entry| {
        let [one, two] = numbers(entry)?;
        let button = el("button")
            .set("type", "button")
            .set("data-row", &entry.row.to_string())
            .class("button small bare")
            .text(&grouped(entry.row as u64));
        Some(el("tr").with_all(&[
            el("td").class("number").with(&button),
            el("td").with(&el("code").text(&entry.name)),
            el("td").class("number").text(&one),
            el("td").class("number").text(&two),
        ]))
    };
    let rows: Vec<El> = entries.iter().filter_map(row).take(SHOWN).collect();
    let table = el("table").with_all(&[
        el("thead").with(&el("tr").with_all(&heading)),
        el("tbody").with_all(&rows),
    ]);
    Some(el("div").with_all(&[
        el("h3").text(&language.trace(&title)),
        el("div").class("wide").with(&table),
    ]))
}

fn faults(reading: &Reading, language: Language) -> Vec<El> {
    if reading.faults.is_empty() {
        return Vec::new();
    }
    let title = language.trace(&TraceWord::Faults(reading.fault_count));
    let mut list: Vec<El> = reading
        .faults
        .iter()
        .map(|fault| el("li").text(&language.trace(&TraceWord::Fault(fault))))
        .collect();
    let more = reading.fault_count - reading.faults.len();
    if more > 0 {
        list.push(el("li").text(&language.trace(&TraceWord::MoreFaults(more))));
    }
    vec![
        el("h3").text(&title),
        el("ul").class("trace-faults").with_all(&list),
    ]
}
