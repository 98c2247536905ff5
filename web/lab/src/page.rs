//! The page's state, what it does when it is told something, and how its parts stand together.

mod exports;
mod header;
mod opening;
mod outcome;
mod past;
mod publications;

use std::cell::RefCell;

use js_sys::Function;
use lanescope_lab::report::Report;
use lanescope_lab::{AdapterCard, DeviceLimits, Fault};
use lanescope_model::Device;
use lanescope_share::{State, View};
use wasm_bindgen::JsValue;
use web_sys::HtmlElement;

use crate::element::{El, by_id, document_element, el, focused_id};
use crate::forecast::{Forecast, Question};
use crate::message::Message;
use crate::settings::Settings;
use crate::words::{Word, Words};
use crate::{history, theme};

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
    pub(crate) language: Words,
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
        language: Words::chosen(state.language),
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
    let active = focused_id();
    PAGE.with(|cell| {
        if let Some(page) = cell.borrow().as_ref() {
            page.paint();
        }
    });
    if !active.is_empty() {
        by_id(&active).focus();
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
        document_element().put("lang", self.language.code());
        document_element().put_option("data-theme", theme::wanted(self.state.theme));
        self.place.put_all(&[]);
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

    /// What a link says of the page, the results left out.
    fn shared(&self) -> State {
        State {
            view: View::Lab,
            lab: self.settings.shared(),
            device: lanescope_share::Device::Known(self.device.clone()),
            language: Some(self.language.language()),
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
    by_id("lab-cancel").focus();
    if let Some((run, text)) = sent {
        // What goes wrong comes back as a message.
        let _ = run.call1(&JsValue::NULL, &text.into());
    }
}
