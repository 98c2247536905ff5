//! What the page shows, and what it does when it is told something.

use std::cell::RefCell;

use js_sys::{Array, Function};
use lanescope_lab::report::Report;
use lanescope_lab::{AdapterCard, Fault};
use lanescope_share::{Lab, State, View};
use wasm_bindgen::{JsCast as _, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, HtmlElement, HtmlSelectElement, Url};

use crate::element::{El, el, root};
use crate::message::Message;
use crate::request::{EXPERIMENTS, Request};
use crate::words::{Language, Word};
use crate::{published, results};

thread_local! {
    static PAGE: RefCell<Option<Page>> = const { RefCell::new(None) };
}

/// The page's state and the elements that follow it.
struct Page {
    place: El,
    run: Function,
    stop: Function,
    language: Language,
    request: Request,
    running: bool,
    adapter: Option<AdapterCard>,
    fault: Option<Fault>,
    report: Option<Report>,
    progress: Option<(usize, usize, String)>,
    bar: El,
    status: El,
    /// What the link held besides the lab's settings.
    state: State,
}

/// Builds the page in `place`, in the state that the address tells.
pub(crate) fn build(place: &HtmlElement, run: Function, stop: Function) {
    let (state, language) = open();
    let request = request_of(&state.lab);
    let page = Page {
        place: El::of(place.clone().into()),
        run,
        stop,
        language,
        request,
        running: false,
        adapter: None,
        fault: None,
        report: None,
        progress: None,
        bar: el("progress"),
        status: el("p"),
        state,
    };
    PAGE.with(|cell| {
        *cell.borrow_mut() = Some(page);
    });
    paint();
}

/// Takes a message of the worker; returns whether the run is over.
pub(crate) fn heard(text: &str) -> bool {
    let Ok(message) = serde_json::from_str::<Message>(text) else {
        return false;
    };
    let over = matches!(message, Message::Done(_) | Message::Fault(_));
    let small = matches!(message, Message::Progress { .. } | Message::Alive);
    change(|page| page.take(message));
    if small {
        PAGE.with(|cell| {
            cell.borrow()
                .as_ref()
                .inspect(|page| page.paint_progress())
                .is_some()
        });
    } else {
        paint();
    }
    over
}

fn change(change: impl FnOnce(&mut Page)) {
    PAGE.with(|cell| {
        if let Some(page) = cell.borrow_mut().as_mut() {
            change(page);
        }
    });
}

fn paint() {
    PAGE.with(|cell| {
        if let Some(page) = cell.borrow().as_ref() {
            page.paint();
        }
    });
}

/// The state of the address, and the language it or the browser names.
fn open() -> (State, Language) {
    let fragment = web_sys::window()
        .and_then(|w| w.location().hash().ok())
        .unwrap_or_default();
    let state = lanescope_share::decode(fragment.trim_start_matches('#'))
        .map_or_else(|_| State::default(), |opened| opened.state);
    let browsers = || {
        web_sys::window()
            .and_then(|w| w.navigator().language())
            .unwrap_or_default()
    };
    let language = match state.language {
        Some(lanescope_share::Language::Chinese) => Language::Chinese,
        Some(lanescope_share::Language::English) => Language::English,
        None if browsers().starts_with("zh") => Language::Chinese,
        None => Language::English,
    };
    (state, language)
}

fn request_of(lab: &Lab) -> Request {
    let named = lab
        .experiment
        .clone()
        .filter(|name| EXPERIMENTS.contains(&name.as_str()));
    let experiment = named.unwrap_or_else(|| "transpose".to_owned());
    let first = Request::sizes(&experiment)
        .first()
        .copied()
        .unwrap_or_default();
    Request {
        size: lab
            .sizes
            .first()
            .cloned()
            .unwrap_or_else(|| first.to_owned()),
        kernels: lab.variants.clone(),
        experiment,
    }
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
            Message::Done(report) => {
                self.running = false;
                self.report = Some(report);
            }
            Message::Fault(fault) => {
                self.running = false;
                self.fault = Some(fault);
            }
        }
    }

    fn paint(&self) {
        let root = root();
        root.put("lang", self.language.code());
        self.place.clear();
        let main = el("main")
            .class("lab")
            .with(&el("h1").text(self.language.word(Word::Title)))
            .with(
                &el("p")
                    .class("lab-note")
                    .text(self.language.word(Word::Lead)),
            )
            .with(&self.controls())
            .with(&self.standing())
            .with(&self.outcome())
            .with(&self.published());
        let _ = self.place.clone().with(&self.header()).with(&main);
        self.paint_progress();
    }

    fn header(&self) -> El {
        let home = el("a")
            .set("href", "./")
            .text(self.language.word(Word::Playground));
        let here = el("a")
            .set("href", "./lab.html")
            .set("aria-current", "page");
        let switch = el("button")
            .set("type", "button")
            .class("button")
            .set("lang", self.language.other().code())
            .testid("lang-switch")
            .text(self.language.word(Word::SwitchLanguage))
            .on("click", |_| {
                change(|page| {
                    page.language = page.language.other();
                    page.keep_address();
                });
                paint();
            });
        el("header").class("top").with_all([
            el("a").class("logo").set("href", "./").text("Lanescope"),
            el("nav")
                .with(&home)
                .with(&here.text(self.language.word(Word::Lab))),
            el("div").class("space"),
            switch,
        ])
    }

    fn controls(&self) -> El {
        let names = [Word::Reductions, Word::Transposes, Word::Strides];
        let labels = names.map(|word| self.language.word(word));
        let experiments: Vec<_> = EXPERIMENTS.into_iter().zip(labels).collect();
        let experiment = self.choice(
            Word::Experiment,
            "lab-experiment",
            &experiments,
            &self.request.experiment,
            |page, value| {
                page.request = request_of(&Lab {
                    experiment: Some(value),
                    ..Lab::default()
                });
            },
        );
        let sizes = Request::sizes(&self.request.experiment);
        let mut sizes: Vec<_> = sizes.iter().map(|size| (*size, *size)).collect();
        let linked = self.request.size.as_str();
        if !sizes.is_empty() && !sizes.iter().any(|(size, _)| *size == linked) {
            sizes.push((linked, linked));
        }
        let size = self.choice(Word::Size, "lab-size", &sizes, linked, |page, value| {
            page.request.size = value
        });
        let run = self.button(Word::Run, "lab-run", "button primary", start);
        run.put_flag("disabled", self.running);
        let cancel = self.button(Word::Cancel, "lab-cancel", "button", || {
            PAGE.with(|cell| {
                cell.borrow()
                    .as_ref()
                    .map(|page| page.stop.call0(&JsValue::NULL))
            });
        });
        cancel.put_flag("disabled", !self.running);
        let row = el("div").class("card lab-controls").with(&experiment);
        let row = if sizes.is_empty() {
            row
        } else {
            row.with(&size)
        };
        row.with(&run).with(&cancel)
    }

    fn button(&self, word: Word, testid: &str, class: &str, press: impl Fn() + 'static) -> El {
        el("button")
            .set("type", "button")
            .class(class)
            .testid(testid)
            .text(self.language.word(word))
            .on("click", move |_| press())
    }

    fn choice(
        &self,
        word: Word,
        testid: &str,
        options: &[(&str, &str)],
        chosen: &str,
        take: fn(&mut Page, String),
    ) -> El {
        let select = el("select").class("field").testid(testid);
        for (value, label) in options {
            let option = el("option").set("value", value).text(label);
            option.put_flag("selected", *value == chosen);
            let _ = select.clone().with(&option);
        }
        select.put_flag("disabled", self.running);
        let own = select.element().cloned();
        let select = select.on("change", move |_| {
            let select = own
                .as_ref()
                .and_then(|own| own.dyn_ref::<HtmlSelectElement>());
            let value = select.map(HtmlSelectElement::value).unwrap_or_default();
            change(|page| {
                take(page, value);
                page.keep_address();
            });
            paint();
        });
        el("label")
            .with(&el("span").text(self.language.word(word)))
            .with(&select)
    }

    /// The adapter, how far the run is, or why there is none.
    fn standing(&self) -> El {
        let mut place = el("div").class("lab-standing").set("aria-live", "polite");
        if let Some(card) = &self.adapter {
            let kind = self.language.kind(card.kind);
            let parts = [card.name.as_str(), kind, card.backend.as_str()];
            let told: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            let text = told.join(" · ");
            place = place.with(&el("p").testid("lab-adapter").text(&text));
            if card.is_software() {
                let note = el("p").class("lab-warning").testid("lab-software");
                place = place.with(&note.text(self.language.word(Word::Software)));
            }
        }
        if let Some(fault) = &self.fault {
            let text = self.language.fault(fault);
            place = place.with(
                &el("p")
                    .class("lab-fault")
                    .set("role", "alert")
                    .testid("lab-fault")
                    .text(&text),
            );
        }
        if self.running {
            place = place.with(&self.bar).with(&self.status);
        }
        place
    }

    fn paint_progress(&self) {
        match &self.progress {
            Some((done, total, kernel)) => {
                self.bar.put("max", &total.to_string());
                self.bar.put("value", &done.to_string());
                self.status.put_text(kernel);
            }
            None => self.status.put_text(self.language.word(Word::Waiting)),
        }
    }

    fn outcome(&self) -> El {
        let place = el("section").class("card").testid("lab-report");
        let Some(report) = &self.report else {
            return el("div");
        };
        let csv = self.button(Word::SaveCsv, "lab-csv", "button small", || save("csv"));
        let json = self.button(Word::SaveJson, "lab-json", "button small", || save("json"));
        place
            .with(&results::build(report, self.language))
            .with(&el("div").class("lab-controls").with(&csv).with(&json))
    }

    fn published(&self) -> El {
        let rows: Vec<_> = published::runs(&self.request.experiment).collect();
        if rows.is_empty() {
            return el("div");
        }
        let lines = rows.into_iter().map(|[name, ms, rate]| {
            el("tr")
                .with(&el("th").set("scope", "row").with(&el("code").text(name)))
                .with(&el("td").class("num").text(ms))
                .with(&el("td").class("num").text(rate))
        });
        let heads = [Word::Kernel, Word::Time, Word::Bandwidth]
            .map(|word| el("th").set("scope", "col").text(self.language.word(word)));
        let table = el("table")
            .testid("lab-published")
            .with(&el("thead").with(&el("tr").with_all(heads)))
            .with(&el("tbody").with_all(lines));
        el("details")
            .class("card")
            .set("open", "")
            .with(&el("summary").text(self.language.word(Word::Published)))
            .with(
                &el("p")
                    .class("lab-note")
                    .text(self.language.word(Word::PublishedLead)),
            )
            .with(&el("div").class("scroll").with(&table))
    }

    /// Makes the address tell what is on the page.
    fn keep_address(&mut self) {
        self.state.view = View::Lab;
        self.state.lab = Lab {
            experiment: Some(self.request.experiment.clone()),
            sizes: vec![self.request.size.clone()]
                .into_iter()
                .filter(|size| !size.is_empty())
                .collect(),
            variants: self.request.kernels.clone(),
            ..Lab::default()
        };
        self.state.language = Some(match self.language {
            Language::English => lanescope_share::Language::English,
            Language::Chinese => lanescope_share::Language::Chinese,
        });
        let fragment = format!("#{}", lanescope_share::encode(&self.state));
        let history = web_sys::window().and_then(|window| window.history().ok());
        if let Some(history) = history {
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&fragment));
        }
    }
}

/// Sends the request to the worker.
fn start() {
    let mut sent = None;
    change(|page| {
        page.running = true;
        page.fault = None;
        page.progress = None;
        page.keep_address();
        sent = serde_json::to_string(&page.request)
            .ok()
            .map(|text| (page.run.clone(), text));
    });
    paint();
    if let Some((run, text)) = sent {
        // What goes wrong comes back as a message.
        let _ = run.call1(&JsValue::NULL, &text.into());
    }
}

/// Hands the report to the browser as a file.
fn save(kind: &str) {
    let text = PAGE.with(|cell| {
        let page = cell.borrow();
        let report = page.as_ref()?.report.as_ref()?;
        match kind {
            "csv" => Some(results::csv(report)),
            _ => serde_json::to_string_pretty(report).ok(),
        }
    });
    let Some(text) = text else { return };
    let options = BlobPropertyBag::new();
    options.set_type(if kind == "csv" {
        "text/csv"
    } else {
        "application/json"
    });
    let parts = Array::of1(&text.into());
    let Ok(blob) = Blob::new_with_str_sequence_and_options(&parts, &options) else {
        return;
    };
    let Ok(url) = Url::create_object_url_with_blob(&blob) else {
        return;
    };
    let link = el("a")
        .set("href", &url)
        .set("download", &format!("lanescope-lab.{kind}"));
    if let Some(link) = link
        .element()
        .and_then(|link| link.dyn_ref::<HtmlAnchorElement>())
    {
        link.click();
    }
    let _ = Url::revoke_object_url(&url);
}
