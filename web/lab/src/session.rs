//! The state of the page, who may change it, and who follows it.

use std::sync::Arc;

use lanescope_lab::report::Report;
use lanescope_lab::{AdapterCard, Fault};
use lanescope_share::{self as share, State, Theme, View};
use lanescope_ui::storage::{recall, remember};
use lanescope_ui::theme;
use leptos::prelude::*;

use crate::forecast::{Forecast, Question};
use crate::history::{self, Entry};
use crate::message::{Message, Progress};
use crate::opened::Opened;
use crate::settings::{Experiment, Settings};
use crate::sheet::{self, Order, Sheet};
use crate::words::{Label, Word, Words};
use crate::worker::Worker;
use crate::{address, card, csv, element, markdown, slim};

/// The key under which the card's peak is remembered.
const PEAK: &str = "lanescope.peak";

/// Where a report is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    Here,
    Link,
    History,
}

/// A report on screen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Shown {
    pub(crate) origin: Origin,
    pub(crate) report: Arc<Report>,
}

/// Where the run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    Idle,
    /// How far it is, once that is known.
    UnderWay(Option<Progress>),
    Failed(Fault),
}

/// The page's state, and what follows from it. A handle: copies are the same session.
#[derive(Clone, Copy)]
pub(crate) struct Session {
    worker: StoredValue<Worker, LocalStorage>,
    /// What the link held, of which the lab changes its own part.
    opened: StoredValue<State>,
    /// Names in the link that there are not.
    strange: StoredValue<Vec<String>>,
    /// The link held results that cannot be read.
    is_unreadable: RwSignal<bool>,
    language: RwSignal<Words>,
    theme: RwSignal<Option<Theme>>,
    settings: RwSignal<Settings>,
    experiment: Memo<Experiment>,
    /// The id of the device of the predictions.
    device: RwSignal<String>,
    shown: RwSignal<Option<Shown>>,
    stage: RwSignal<Stage>,
    is_running: Memo<bool>,
    adapter: RwSignal<Option<AdapterCard>>,
    forecast: RwSignal<Forecast>,
    past: RwSignal<Vec<Entry>>,
    /// Whether the link to be copied holds the results.
    with_results: RwSignal<bool>,
    sheets: Memo<Vec<Arc<Sheet>>>,
    /// In which order lines stand.
    order: RwSignal<Order>,
    /// The theoretical peak of the visitor's card, in GB/s, as typed.
    peak: RwSignal<String>,
}

impl Session {
    /// A session in the state that the address tells.
    pub(crate) fn start(worker: Worker) -> Self {
        let state = address::open();
        let opened = Opened::of(&state);
        let settings = RwSignal::new(opened.settings);
        let device = RwSignal::new(opened.device);
        let shown = RwSignal::new(opened.report.map(|report| Shown {
            origin: Origin::Link,
            report: Arc::new(report),
        }));
        let stage = RwSignal::new(Stage::Idle);
        let forecast = RwSignal::new(Forecast::default());
        let order = RwSignal::new(Order::default());
        let sheets = Memo::new(move |_| {
            let (device, shown) = (device.read(), shown.read());
            forecast.with(|forecast| match &*shown {
                Some(shown) => sheet::measured(&shown.report, forecast, &device, order.get()),
                None => settings.with(|settings| sheet::waiting(settings, forecast, &device)),
            })
        });
        Self {
            worker: StoredValue::new_local(worker),
            strange: StoredValue::new(opened.strange),
            is_unreadable: RwSignal::new(opened.is_unreadable),
            language: RwSignal::new(Words::chosen(state.language)),
            theme: RwSignal::new(state.theme),
            settings,
            experiment: Memo::new(move |_| settings.with(|settings| settings.experiment)),
            device,
            shown,
            stage,
            is_running: Memo::new(move |_| stage.with(|stage| matches!(stage, Stage::UnderWay(_)))),
            adapter: RwSignal::new(None),
            forecast,
            past: RwSignal::new(history::entries()),
            with_results: RwSignal::new(false),
            sheets,
            order,
            peak: RwSignal::new(recall(PEAK).unwrap_or_default()),
            opened: StoredValue::new(state),
        }
    }

    /// The session of the page that a component is part of.
    pub(crate) fn here() -> Self {
        expect_context()
    }
}

/// What components follow.
impl Session {
    pub(crate) fn language(self) -> Words {
        self.language.get()
    }

    /// A word in the page's language, as components follow it.
    pub(crate) fn word(self, word: Word) -> impl Fn() -> &'static str + Copy + Send + Sync {
        move || self.language().word(word)
    }

    /// The same of what all pages say alike.
    pub(crate) fn label(self, label: Label) -> impl Fn() -> &'static str + Copy + Send + Sync {
        move || self.language().label(label)
    }

    pub(crate) fn theme(self) -> Option<Theme> {
        self.theme.get()
    }

    /// What `read` has from the settings.
    pub(crate) fn of_settings<T>(self, read: impl FnOnce(&Settings) -> T) -> T {
        self.settings.with(read)
    }

    pub(crate) fn experiment(self) -> Experiment {
        self.experiment.get()
    }

    /// The id of the device of the predictions.
    pub(crate) fn device(self) -> String {
        self.device.get()
    }

    /// What `read` has from the report on screen; `None` without one.
    pub(crate) fn of_report<T>(self, read: impl FnOnce(&Shown) -> T) -> Option<T> {
        self.shown.with(|shown| shown.as_ref().map(read))
    }

    pub(crate) fn has_report(self) -> bool {
        self.shown.with(Option::is_some)
    }

    /// What is shown: each problem with its lines.
    pub(crate) const fn sheets(self) -> Memo<Vec<Arc<Sheet>>> {
        self.sheets
    }

    /// In which order lines stand.
    pub(crate) const fn order(self) -> RwSignal<Order> {
        self.order
    }

    /// The theoretical peak of the visitor's card as it was typed.
    pub(crate) fn typed_peak(self) -> String {
        self.peak.get()
    }

    /// The same as a number, in GB/s.
    pub(crate) fn peak(self) -> Option<f64> {
        let peak: f64 = self.peak.with(|peak| peak.trim().parse()).ok()?;
        (peak > 0.0 && peak.is_finite()).then_some(peak)
    }

    /// Takes what is typed as the card's peak, and remembers it for the next visit.
    pub(crate) fn type_peak(self, text: String) {
        remember(PEAK, &text);
        self.peak.set(text);
    }

    pub(crate) fn is_running(self) -> bool {
        self.is_running.get()
    }

    /// How far the run is; `None` before that is known.
    pub(crate) fn progress(self) -> Option<Progress> {
        match self.stage.get() {
            Stage::UnderWay(progress) => progress,
            Stage::Idle | Stage::Failed(_) => None,
        }
    }

    /// Why there is no run.
    pub(crate) fn fault(self) -> Option<Fault> {
        match self.stage.get() {
            Stage::Failed(fault) => Some(fault),
            Stage::Idle | Stage::UnderWay(_) => None,
        }
    }

    /// What the runs of this visit were made on.
    pub(crate) fn adapter(self) -> Option<AdapterCard> {
        self.adapter.get()
    }

    /// Names in the link that there are not.
    pub(crate) fn strange(self) -> Vec<String> {
        self.strange.get_value()
    }

    /// Whether the link held results that cannot be read.
    pub(crate) fn is_unreadable(self) -> bool {
        self.is_unreadable.get()
    }

    /// The runs of before, latest first.
    pub(crate) fn past(self) -> Vec<Entry> {
        self.past.get()
    }

    /// Whether the link to be copied holds the results.
    pub(crate) const fn with_results(self) -> RwSignal<bool> {
        self.with_results
    }

    /// What the model is asked about what is shown.
    pub(crate) fn questions(self) -> Vec<Question> {
        let device = self.device.read();
        self.shown.with(|shown| match shown {
            Some(shown) => Question::of_report(&shown.report, &device),
            None => self.of_settings(|settings| Question::of_settings(settings, &device)),
        })
    }

    /// The whole address of what is shown, with the report or without.
    pub(crate) fn link(self, with_results: bool) -> String {
        let packed = |shown: &Shown| serde_json::to_string(&slim::report(&shown.report)).ok();
        let mut state = self.shared();
        if with_results {
            state.lab.results = self.of_report(packed).flatten();
        }
        address::link(&state)
    }

    /// What a link says of the page, the results left out.
    fn shared(self) -> State {
        State {
            view: View::Lab,
            lab: self.of_settings(Settings::shared),
            device: share::Device::Known(self.device()),
            language: Some(self.language().language()),
            theme: self.theme(),
            ..self.opened.get_value()
        }
    }
}

/// What a visitor does.
impl Session {
    /// Changes the settings; a report on screen stays.
    pub(crate) fn choose(self, change: impl FnOnce(&mut Settings)) {
        self.settings.update(change);
        self.keep_address();
    }

    /// Changes the settings, and shows what they would run.
    pub(crate) fn choose_anew(self, change: impl FnOnce(&mut Settings)) {
        self.shown.set(None);
        self.choose(change);
    }

    pub(crate) fn choose_device(self, id: String) {
        self.device.set(id);
        self.keep_address();
    }

    /// Goes on in the language that the switch offers.
    pub(crate) fn switch_language(self) {
        self.language.update(|language| *language = language.next());
        self.language.get_untracked().remember();
        self.keep_address();
    }

    /// Turns dark into light, or light into dark.
    pub(crate) fn switch_theme(self) {
        self.theme
            .update(|theme| *theme = Some(theme::other(*theme)));
        self.keep_address();
    }

    /// Shows a run of before, and what was asked then.
    pub(crate) fn show_again(self, entry: Entry) {
        self.settings.set(entry.settings);
        self.shown.set(Some(Shown {
            origin: Origin::History,
            report: Arc::new(entry.report),
        }));
        self.stage.set(Stage::Idle);
        self.keep_address();
    }

    /// Forgets the runs of before.
    pub(crate) fn forget_past(self) {
        history::clear();
        self.past.set(history::entries());
    }

    /// Begins a run of what is asked for.
    pub(crate) fn run(self) {
        self.stage.set(Stage::UnderWay(None));
        self.shown.set(None);
        self.is_unreadable.set(false);
        self.keep_address();
        let settings = self.settings.read_untracked().clone();
        self.worker.with_value(|worker| worker.run(&settings));
    }

    /// Ends the run at its next step.
    pub(crate) fn cancel(self) {
        self.worker.with_value(Worker::stop);
    }

    /// The report as CSV, with the predictions beside.
    pub(crate) fn csv(self) -> Option<String> {
        untrack(|| {
            let device = self.device();
            self.of_report(|shown| {
                self.forecast
                    .with(|forecast| csv::text(&shown.report, forecast, &device))
            })
        })
    }

    /// The report as Markdown, with the link to it.
    pub(crate) fn markdown(self) -> Option<String> {
        self.exported(true, markdown::text)
    }

    /// The report as an element of other people's pages, with the link to it.
    pub(crate) fn element(self) -> Option<String> {
        self.exported(true, element::text)
    }

    /// The report as a card, an SVG of the size of [`card::SIZE`]; `None` where nothing was measured.
    pub(crate) fn card(self) -> Option<String> {
        self.exported(false, card::svg).flatten()
    }

    /// What `export` makes of the sheets, the GPU, the experiment and a link, with results in it or without.
    fn exported<T>(
        self,
        with_results: bool,
        export: impl FnOnce(&[Arc<Sheet>], (&str, Experiment), &str, Words) -> T,
    ) -> Option<T> {
        untrack(|| {
            let gpu = self.of_report(|shown| shown.report.adapter.name.clone())?;
            let about = (gpu.as_str(), self.experiment());
            let link = self.link(with_results);
            let language = self.language();
            Some(
                self.sheets
                    .with(|sheets| export(sheets, about, &link, language)),
            )
        })
    }

    /// The report as JSON, with the active lanes predicted.
    pub(crate) fn json(self) -> Option<String> {
        untrack(|| {
            let device = self.device();
            self.of_report(|shown| {
                let report = self
                    .forecast
                    .with(|forecast| forecast.with_predictions(&shown.report, &device));
                serde_json::to_string_pretty(&report).ok()
            })
        })
        .flatten()
    }

    /// Makes the address tell what is on the page; results that came with a link stay in it as long as they are shown.
    fn keep_address(self) {
        untrack(|| {
            let is_of_link = self.of_report(|shown| shown.origin == Origin::Link) == Some(true);
            let linked = self.opened.with_value(|opened| opened.lab.results.clone());
            let mut state = self.shared();
            state.lab.results = linked.filter(|_| is_of_link);
            address::replace(&state);
        });
    }
}

/// What the worker is asked, and what it tells.
impl Session {
    /// Asks the worker those of `questions` that have no answer yet; the answer is a message.
    pub(crate) fn foresee(self, questions: &[Question]) {
        let open = self
            .forecast
            .with_untracked(|forecast| forecast.open(questions));
        if !open.is_empty() {
            self.worker.with_value(|worker| worker.foresee(&open));
        }
    }

    /// Takes a message of the worker; returns whether the run is over.
    pub(crate) fn hear(self, text: &str) -> bool {
        let message = Message::read(text);
        let is_over = message.is_last();
        if matches!(message, Message::Fault(Fault::Unreadable)) {
            // Whoever says such things is not to go on.
            self.cancel();
        }
        self.take(message);
        is_over
    }

    fn take(self, message: Message) {
        match message {
            Message::Opened(card) => self.adapter.set(Some(card)),
            Message::Alive => {}
            Message::Progress(progress) => self.advance(progress),
            Message::Part(report) => self.show_own(report),
            Message::Done(report) => {
                self.stage.set(Stage::Idle);
                history::add(&self.settings.read_untracked(), &report);
                self.past.set(history::entries());
                self.show_own(report);
            }
            Message::Fault(fault) => self.stage.set(Stage::Failed(fault)),
            Message::Predicted(answers) => self.forecast.update(|forecast| forecast.take(answers)),
        }
    }

    /// Takes how far the run is; of one that was given up, it says nothing.
    fn advance(self, progress: Progress) {
        if self.is_running.get_untracked() {
            self.stage.set(Stage::UnderWay(Some(progress)));
        }
    }

    /// Shows what this visit measured.
    fn show_own(self, report: Report) {
        self.shown.set(Some(Shown {
            origin: Origin::Here,
            report: Arc::new(report),
        }));
    }
}
