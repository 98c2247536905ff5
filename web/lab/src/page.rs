//! The page's state, what it does when it is told something, and how its parts stand together.

use std::cell::RefCell;

use js_sys::Function;
use lanescope_lab::report::{Report, Table};
use lanescope_lab::{AdapterCard, DeviceLimits, Fault};
use lanescope_model::Device;
use lanescope_share::{State, View};
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

use crate::controls::{self, button};
use crate::element::{El, el, focus, focused, root, svg};
use crate::forecast::{Forecast, Question};
use crate::history::{self, Entry};
use crate::message::Message;
use crate::published::{self, Publisher};
use crate::settings::Settings;
use crate::table::{self, Line, Size};
use crate::words::{Language, Word, size_name};
use crate::{chart, csv, save, slim, staircase, standing, sweep, theme};

thread_local! {
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
}

/// Where the shown report is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    Here,
    Link,
    History,
}

/// The page's state.
pub(crate) struct Page {
    place: El,
    run: Function,
    stop: Function,
    foresee: Function,
    pub(crate) language: Language,
    pub(crate) settings: Settings,
    /// The id of the device of the predictions.
    pub(crate) device: String,
    pub(crate) running: bool,
    adapter: Option<AdapterCard>,
    fault: Option<Fault>,
    /// Names in the link that there are not.
    strange: Vec<String>,
    /// The link held results that cannot be read.
    unreadable: bool,
    pub(crate) report: Option<Report>,
    origin: Origin,
    forecast: Forecast,
    progress: Option<(usize, usize, String)>,
    bar: El,
    status: El,
    with_results: bool,
    /// What the link held besides the lab's settings.
    pub(crate) state: State,
}

/// Builds the page in `place`, in the state that the address tells.
pub(crate) fn build(place: &HtmlElement, run: Function, stop: Function, foresee: Function) {
    let state = linked();
    let (settings, mut strange) = Settings::linked(&state.lab);
    let report = state
        .lab
        .results
        .as_deref()
        .map(serde_json::from_str::<Report>);
    let device = match &state.device {
        lanescope_share::Device::Known(id) => {
            Device::by_id(id).map(|device| device.id().to_owned())
        }
        lanescope_share::Device::Custom(_) => None,
    };
    if let (None, lanescope_share::Device::Known(id)) = (&device, &state.device) {
        strange.push(id.clone());
    }
    let page = Page {
        place: El::of(place.clone().into()),
        run,
        stop,
        foresee,
        language: Language::chosen(state.language),
        settings,
        device: device.unwrap_or_else(|| "cc9.0".to_owned()),
        running: false,
        adapter: None,
        fault: None,
        strange,
        unreadable: matches!(report, Some(Err(_))),
        report: report.and_then(Result::ok),
        origin: Origin::Link,
        forecast: Forecast::default(),
        progress: None,
        bar: el("progress"),
        status: el("p").testid("lab-progress"),
        with_results: false,
        state,
    };
    PAGE.with(|cell| *cell.borrow_mut() = Some(page));
    paint();
    ask();
}

/// Takes a message of the worker; returns whether the run is over.
pub(crate) fn heard(text: &str) -> bool {
    let message = Message::read(text);
    let over = message.is_last();
    if matches!(message, Message::Fault(Fault::Unreadable)) {
        // Whoever says such things is not to go on.
        change(|page| {
            let _ = page.stop.call0(&JsValue::NULL);
        });
    }
    let small = matches!(message, Message::Progress { .. } | Message::Alive);
    change(|page| page.take(message));
    if small {
        change(|page| page.paint_progress());
    } else {
        paint();
    }
    if over {
        ask();
    }
    over
}

/// Changes the state without showing it.
pub(crate) fn change(change: impl FnOnce(&mut Page)) {
    PAGE.with(|cell| {
        if let Some(page) = cell.borrow_mut().as_mut() {
            change(page);
        }
    });
}

/// Changes the state, keeps the address in step and shows it.
pub(crate) fn edit(apply: &dyn Fn(&mut Page)) {
    change(|page| {
        apply(page);
        page.keep_address();
    });
    paint();
    ask();
}

fn paint() {
    let active = focused();
    PAGE.with(|cell| {
        if let Some(page) = cell.borrow().as_ref() {
            page.paint();
        }
    });
    if !active.is_empty() {
        focus(&active);
    }
}

/// Asks the worker what the model says of what is shown and not known yet.
fn ask() {
    let mut asked = None;
    change(|page| {
        let open = page.forecast.open(page.questions());
        if !open.is_empty() && !page.running {
            asked = serde_json::to_string(&open)
                .ok()
                .map(|text| (page.foresee.clone(), text));
        }
    });
    if let Some((foresee, text)) = asked {
        // The answer is a message.
        let _ = foresee.call1(&JsValue::NULL, &text.into());
    }
}

/// The state that the address tells.
fn linked() -> State {
    let fragment = web_sys::window()
        .and_then(|w| w.location().hash().ok())
        .unwrap_or_default();
    lanescope_share::decode(fragment.trim_start_matches('#'))
        .map_or_else(|_| State::default(), |opened| opened.state)
}

impl Page {
    fn take(&mut self, message: Message) {
        match message {
            Message::Opened(card) => self.adapter = Some(card),
            Message::Alive => {}
            Message::Progress {
                done,
                total,
                kernel,
            } => self.progress = Some((done, total, kernel)),
            Message::Part(report) => self.report = Some(report),
            Message::Done(report) => {
                self.running = false;
                history::add(&self.settings, &report);
                self.report = Some(report);
            }
            Message::Fault(fault) => {
                self.running = false;
                self.fault = Some(fault);
            }
            Message::Predicted(answers) => self.forecast.take(answers),
        }
    }

    /// What is shown: each problem with its lines.
    fn sheets(&self) -> Vec<(Size, u32, Option<Fault>, Vec<Line>)> {
        let Some(report) = &self.report else {
            return self.waiting();
        };
        let sheet = |table: &Table| {
            let lines = table.results.iter();
            let lines = lines.map(|row| Line::measured(row, table, &self.forecast, &self.device));
            let size = Size {
                rows: table.rows,
                columns: table.columns,
            };
            (
                size,
                table.buffer_sets,
                table.ended.clone(),
                lines.collect(),
            )
        };
        report.experiments.iter().map(sheet).collect()
    }

    /// The variants that would run.
    fn waiting(&self) -> Vec<(Size, u32, Option<Fault>, Vec<Line>)> {
        let variants = self.settings.variants(&DeviceLimits::PROMISED);
        let sheet = |problem: lanescope_kernels::Problem| {
            let size = match problem {
                lanescope_kernels::Problem::Matrix { rows, columns } => Size {
                    rows,
                    columns: columns.into(),
                },
                other => Size {
                    rows: 1,
                    columns: other.elements(),
                },
            };
            let line = |variant| {
                let question = Question::of_variant(variant, problem, &self.device);
                Line::waiting(variant, self.forecast.get(&question))
            };
            (size, 1, None, variants.iter().map(line).collect())
        };
        self.settings.problems().into_iter().map(sheet).collect()
    }

    fn questions(&self) -> Vec<Question> {
        if let Some(report) = &self.report {
            let tables = report.experiments.iter();
            let rows = tables.flat_map(|table| table.results.iter().map(move |row| (row, table)));
            return rows
                .map(|(row, table)| Question::of_row(row, table, &self.device))
                .collect();
        }
        let variants = self.settings.variants(&DeviceLimits::PROMISED);
        let each = |problem| {
            let of = |variant| Question::of_variant(variant, problem, &self.device);
            variants.iter().map(of).collect::<Vec<_>>()
        };
        self.settings
            .problems()
            .into_iter()
            .flat_map(each)
            .collect()
    }

    fn word(&self, word: Word) -> &'static str {
        self.language.word(word)
    }

    fn paint(&self) {
        root().put("lang", self.language.code());
        theme::put(self.state.theme);
        self.place.clear();
        let main = el("main")
            .class("lab")
            .set("id", "main")
            .with(&self.opening())
            .with(&self.outcome())
            .with(&self.history())
            .with(&self.published());
        let _ = self.place.clone().with(&self.header()).with(&main);
        self.paint_progress();
    }

    fn header(&self) -> El {
        let home = el("a").set("href", "./").text(self.word(Word::Playground));
        let here = el("a")
            .set("href", "./lab.html")
            .set("aria-current", "page")
            .text(self.word(Word::Lab));
        let name = el("span").text("Lanescope");
        el("header").class("top").with_all([
            el("a")
                .class("logo")
                .set("href", "./")
                .with(&logo())
                .with(&name),
            el("nav").with(&home).with(&here),
            el("div").class("space"),
            controls::language_switch(self.language),
            controls::theme_switch(self.language),
        ])
    }

    /// What the page is for, the form, and where the run stands.
    fn opening(&self) -> El {
        let run = button("lab-run", self.word(Word::Run), "button primary", start);
        run.put_flag("disabled", self.running);
        let cancel = button("lab-cancel", self.word(Word::Cancel), "button", || {
            change(|page| {
                let _ = page.stop.call0(&JsValue::NULL);
            });
        });
        cancel.put_flag("disabled", !self.running);
        let actions = el("div").class("lab-actions").with(&run).with(&cancel);
        let actions = if self.running {
            actions.with(&self.bar).with(&self.status)
        } else {
            actions
        };
        el("section")
            .class("card lab-opening")
            .with(&el("h1").text(self.word(Word::Title)))
            .with(&el("p").class("lab-note").text(self.word(Word::Lead)))
            .with(&controls::build(self))
            .with(&actions)
            .with(&self.standing())
    }

    /// The adapter, and whatever stands in the way.
    fn standing(&self) -> El {
        let place = el("div").class("lab-standing").set("aria-live", "polite");
        let said =
            |class: &str, testid: &str, text: &str| el("p").class(class).testid(testid).text(text);
        if !self.strange.is_empty() {
            let text = self.language.strange(&self.strange);
            let _ = place
                .clone()
                .with(&said("lab-warning", "lab-strange", &text));
        }
        if self.unreadable {
            let _ = place.clone().with(&said(
                "lab-fault",
                "lab-unreadable",
                self.word(Word::Unreadable),
            ));
        }
        if let Some(card) = &self.adapter {
            let _ = place.clone().with(&standing::adapter(card, self.language));
            if card.is_software() {
                let _ = place.clone().with(&self.software());
            }
        }
        if let Some(fault) = &self.fault {
            let text = self.language.fault(fault);
            let note = said("lab-fault", "lab-fault", &text).set("role", "alert");
            let _ = place.clone().with(&note);
        }
        place
    }

    /// The warning for an adapter that is the processor, and a size it can do.
    fn software(&self) -> El {
        let note = el("p")
            .class("lab-warning")
            .testid("lab-software")
            .text(self.word(Word::Software));
        let small = self.settings.experiment.small_size();
        if self.running || small.is_empty() || self.settings.sizes == [small] {
            return note;
        }
        let choose = button(
            "lab-small",
            self.word(Word::ChooseSmall),
            "button small",
            move || {
                edit(&|page: &mut Page| {
                    page.settings.sizes = vec![small.to_owned()];
                    page.report = None;
                });
            },
        );
        note.with(&el("span").text(" ")).with(&choose)
    }

    fn paint_progress(&self) {
        match &self.progress {
            Some((done, total, kernel)) => {
                self.bar.put("max", &total.to_string());
                self.bar.put("value", &done.to_string());
                let at = if kernel.is_empty() {
                    self.word(Word::InTurn)
                } else {
                    kernel.as_str()
                };
                self.status.put_text(&format!("{done} / {total} · {at}"));
            }
            None => self.status.put_text(self.word(Word::Waiting)),
        }
    }

    fn outcome(&self) -> El {
        let card = el("section").class("card").testid("lab-report");
        let card = match &self.report {
            Some(report) => card.with(&self.source_of(report)),
            None => card.with(&el("h2").text(self.word(Word::Prediction))),
        };
        let strides = self
            .report
            .as_ref()
            .and_then(|report| report.strides.as_ref());
        let card = match strides {
            Some(strides) => card.with(&staircase::build(strides, self.language)),
            None => card,
        };
        let sheets = self.sheets();
        if sheets.is_empty() && strides.is_none() {
            return card.with(&el("p").class("lab-note").text(self.word(Word::StrideLead)));
        }
        let sheets = sheets.iter().map(|sheet| self.sheet(sheet));
        let card = card.with_all(sheets.collect::<Vec<_>>());
        match &self.report {
            Some(report) => card
                .with(&self.exports())
                .with(&standing::limits(report, self.language)),
            None => card,
        }
    }

    /// Where the report is from, and how it was timed.
    fn source_of(&self, report: &Report) -> El {
        let clock = match report.clock {
            lanescope_lab::Clock::Device => Word::DeviceClock,
            lanescope_lab::Clock::Wall => Word::WallClock,
        };
        let word = match self.origin {
            Origin::Here => Word::ResultsHere,
            Origin::Link => Word::ResultsLink,
            Origin::History => Word::ResultsHistory,
        };
        let text = format!("{} · {}", report.adapter.name, self.word(clock));
        let title = el("h2").testid("lab-origin").text(self.word(word));
        let about = el("span").class("about").text(&text);
        el("div").class("head").with(&title).with(&about)
    }

    fn sheet(&self, (size, sets, ended, lines): &(Size, u32, Option<Fault>, Vec<Line>)) -> El {
        let place = el("div").class("lab-sheet");
        let name = match size.rows {
            1 => size.columns.to_string(),
            rows => format!("{rows}x{}", size.columns),
        };
        let title = el("h3").text(&size_name(self.settings.experiment, &name));
        let place = place.with(&title);
        let note = |word: String| el("p").class("lab-note").text(&word);
        let place = match ended {
            Some(fault) => {
                let text = format!(
                    "{}{}",
                    self.word(Word::Interrupted),
                    self.language.fault(fault)
                );
                let said = el("p")
                    .class("lab-warning")
                    .testid("lab-interrupted")
                    .text(&text);
                place.with(&said)
            }
            None => place,
        };
        let place = match chart::build(lines, self.language) {
            Some(picture) => place.with(&picture),
            None => place,
        };
        let place = if self.report.is_some() {
            place.with(&self.ranking(lines))
        } else {
            place
        };
        let place = place.with(&table::build(lines, *size, &self.device, self.language));
        let place = match sweep::build(lines, self.language) {
            Some(grid) => place.with(&grid),
            None => place,
        };
        let sets = if *sets > 1 {
            self.language.sets(*sets)
        } else {
            String::new()
        };
        place.with(&note(format!("{} {sets}", self.word(Word::RoofNote))))
    }

    /// Whether what was measured ranks the kernels as the counts do.
    fn ranking(&self, lines: &[Line]) -> El {
        let (found, furthest) = table::ranking(lines);
        if found.ordered == 0 {
            return el("div");
        }
        let software = self
            .report
            .as_ref()
            .is_some_and(|report| report.adapter.is_software());
        let text = self.language.ranking(&found, furthest, software);
        el("p")
            .class("lab-ranking")
            .testid("lab-ranking")
            .set("data-ordered", &found.ordered.to_string())
            .set("data-agreeing", &found.agreeing.to_string())
            .text(&text)
    }

    /// Files, and a link with or without the results.
    fn exports(&self) -> El {
        let link = self.link(self.with_results);
        let field = el("input")
            .class("field lab-link")
            .set("id", "lab-link")
            .testid("lab-link")
            .set("readonly", "")
            .set("aria-label", self.word(Word::Link))
            .set("value", &link);
        let check = el("input")
            .set("type", "checkbox")
            .set("id", "lab-with")
            .testid("lab-with");
        check.put_flag("checked", self.with_results);
        let check = check.on("change", |_| {
            edit(&|page: &mut Page| page.with_results = !page.with_results);
        });
        let label = el("label").set("for", "lab-with").class("lab-check");
        let label = label
            .with(&check)
            .with(&el("span").text(self.word(Word::WithResults)));
        let copied = link.clone();
        el("div").class("lab-exports").with_all([
            button("lab-csv", self.word(Word::SaveCsv), "button small", || {
                export("csv")
            }),
            button(
                "lab-json",
                self.word(Word::SaveJson),
                "button small",
                || export("json"),
            ),
            label,
            field,
            button(
                "lab-copy",
                self.word(Word::CopyLink),
                "button small",
                move || {
                    save::clipboard(&copied);
                },
            ),
        ])
    }

    /// The whole address of what is shown.
    fn link(&self, with_results: bool) -> String {
        let mut state = self.shared();
        let report = self.report.as_ref().filter(|_| with_results);
        state.lab.results =
            report.and_then(|report| serde_json::to_string(&slim::report(report)).ok());
        let here = web_sys::window()
            .and_then(|window| window.location().href().ok())
            .unwrap_or_default();
        let page = here.split('#').next().unwrap_or_default();
        format!("{page}#{}", lanescope_share::encode(&state))
    }

    fn history(&self) -> El {
        let entries = history::entries();
        if entries.is_empty() {
            return el("div");
        }
        let rows = entries
            .into_iter()
            .enumerate()
            .map(|(i, entry)| self.past(i, entry));
        let clear = button(
            "lab-forget",
            self.word(Word::Forget),
            "button small",
            || {
                history::clear();
                edit(&|_: &mut Page| {});
            },
        );
        let title = el("h2").text(self.word(Word::History));
        let head = el("div")
            .class("head")
            .with(&title)
            .with(&el("span").class("about").text(self.word(Word::HistoryLead)));
        let head = head.with(&el("div").class("tools").with(&clear));
        let list = el("ul")
            .class("lab-history")
            .testid("lab-history")
            .with_all(rows);
        el("section").class("card").with(&head).with(&list)
    }

    /// A run of before, in a line.
    fn past(&self, index: usize, entry: Entry) -> El {
        let best = best_of(&entry.report);
        let sizes = entry
            .settings
            .sizes
            .iter()
            .map(|size| size_name(entry.settings.experiment, size));
        let sizes: Vec<_> = sizes.collect();
        let at = entry.at.get(..16).unwrap_or_default().replace('T', " ");
        let about = [
            self.word(Word::of(entry.settings.experiment)).to_owned(),
            sizes.join(", "),
            entry.report.adapter.name.clone(),
            best,
        ];
        let about: Vec<_> = about.into_iter().filter(|part| !part.is_empty()).collect();
        let show = button(
            &format!("lab-past-{index}"),
            &at,
            "button small",
            move || {
                let entry = entry.clone();
                edit(&move |page: &mut Page| {
                    page.settings = entry.settings.clone();
                    page.report = Some(entry.report.clone());
                    page.origin = Origin::History;
                    page.fault = None;
                });
            },
        );
        show.put_flag("disabled", self.running);
        el("li")
            .with(&show)
            .with(&el("span").text(&about.join(" · ")))
    }

    fn published(&self) -> El {
        let tables = Publisher::ALL.map(|publisher| self.publisher(publisher));
        let tables: Vec<_> = tables.into_iter().flatten().collect();
        if tables.is_empty() {
            return el("div");
        }
        let title = el("h2").text(self.word(Word::Published));
        let about = el("span")
            .class("about")
            .text(self.word(Word::PublishedLead));
        el("section")
            .class("card")
            .testid("lab-published")
            .with(&el("div").class("head").with(&title).with(&about))
            .with(&el("div").class("lab-columns").with_all(tables))
    }

    fn publisher(&self, publisher: Publisher) -> Option<El> {
        let runs = published::runs(publisher, self.settings.experiment);
        if runs.is_empty() {
            return None;
        }
        let rate = |run: &published::Run| run.rate.parse::<f64>().unwrap_or(0.0);
        let most = runs.iter().map(rate).fold(0.0, f64::max);
        let rows = runs.iter().map(|run| {
            let bar = chart::small_bar(rate(run) / most.max(f64::MIN_POSITIVE));
            let cell = el("td").class("number");
            let cell = if run.rate.is_empty() {
                cell
            } else {
                cell.with(&bar).with(&el("span").text(run.rate))
            };
            el("tr")
                .with(
                    &el("th")
                        .set("scope", "row")
                        .with(&el("code").text(run.kernel)),
                )
                .with(
                    &el("td")
                        .class("number")
                        .text(&run.size.replace(" x ", " × ")),
                )
                .with(&el("td").class("number").text(run.ms))
                .with(&cell)
        });
        let names = [
            (Word::Kernel, ""),
            (Word::Size, "number"),
            (Word::Time, "number"),
            (Word::Bandwidth, "number"),
        ];
        let head = names.map(|(word, class)| {
            el("th")
                .set("scope", "col")
                .class(class)
                .text(self.word(word))
        });
        let table = el("table")
            .with(&el("thead").with(&el("tr").with_all(head)))
            .with(&el("tbody").with_all(rows));
        let name = self.language.publisher(publisher);
        let region = el("div")
            .class("wide")
            .set("role", "region")
            .set("tabindex", "0")
            .set("aria-label", name);
        Some(
            el("div")
                .with(&el("h3").text(name))
                .with(&region.with(&table)),
        )
    }

    /// What a link says of the page, the results left out.
    fn shared(&self) -> State {
        State {
            view: View::Lab,
            lab: self.settings.shared(),
            device: lanescope_share::Device::Known(self.device.clone()),
            language: Some(self.language.shared()),
            ..self.state.clone()
        }
    }

    /// Makes the address tell what is on the page; results that came with a link stay in it.
    fn keep_address(&mut self) {
        let kept = self
            .state
            .lab
            .results
            .take()
            .filter(|_| self.origin == Origin::Link && self.report.is_some());
        self.state = self.shared();
        self.state.lab.results = kept;
        let fragment = format!("#{}", lanescope_share::encode(&self.state));
        let history = web_sys::window().and_then(|window| window.history().ok());
        if let Some(history) = history {
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&fragment));
        }
    }
}

/// The fastest kernel of a report, or the banks that its strides look like.
fn best_of(report: &Report) -> String {
    if let Some(banks) = report.strides.as_ref().and_then(|strides| strides.banks) {
        return format!("{} × {} B", banks.count, banks.word_bytes);
    }
    let rows = report.experiments.iter().flat_map(|table| &table.results);
    let own =
        rows.filter(|row| row.kernel.starts_with("reduce") || row.kernel.starts_with("transpose"));
    let rates = own.filter_map(|row| Some((row, row.gigabytes_per_second()?)));
    let best = rates.max_by(|a, b| a.1.total_cmp(&b.1));
    best.map(|(row, rate)| format!("{} {} GB/s", row.kernel, crate::words::rate(rate)))
        .unwrap_or_default()
}

fn logo() -> El {
    let bar = |x: &str, opacity: &str| {
        let place = svg("rect")
            .set("x", x)
            .set("y", "1")
            .set("width", "4")
            .set("height", "20");
        place
            .set("rx", "1")
            .set("opacity", opacity)
            .set("fill", "currentColor")
    };
    let bars = [("1", ".25"), ("6.3", ".25"), ("11.6", "1"), ("17", ".25")];
    svg("svg")
        .set("viewBox", "0 0 22 22")
        .set("aria-hidden", "true")
        .with_all(bars.map(|(x, opacity)| bar(x, opacity)))
}

/// Sends the settings to the worker.
fn start() {
    let mut sent = None;
    change(|page| {
        page.running = true;
        page.fault = None;
        page.progress = None;
        page.report = None;
        page.origin = Origin::Here;
        page.unreadable = false;
        page.keep_address();
        let text = serde_json::to_string(&page.settings);
        sent = text.ok().map(|text| (page.run.clone(), text));
    });
    paint();
    focus("lab-cancel");
    if let Some((run, text)) = sent {
        // What goes wrong comes back as a message.
        let _ = run.call1(&JsValue::NULL, &text.into());
    }
}

/// Hands the report to the browser as a file.
fn export(kind: &str) {
    let text = PAGE.with(|cell| {
        let page = cell.borrow();
        let page = page.as_ref()?;
        let report = page.report.as_ref()?;
        match kind {
            "csv" => Some(csv::text(report, &page.forecast, &page.device)),
            _ => serde_json::to_string_pretty(report).ok(),
        }
    });
    if let Some(text) = text {
        save::file(
            &text,
            kind,
            if kind == "csv" {
                "text/csv"
            } else {
                "application/json"
            },
        );
    }
}
