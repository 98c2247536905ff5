//! The worker's half: opens the device, runs, tells.

use std::cell::Cell;

use js_sys::Function;
use lanescope_kernels::Family;
use lanescope_lab::report::{Report, SCHEMA};
use lanescope_lab::{
    BrowserCard, Control, Experiment, Fault, Gpu, Machine, Progress, TimingRules, Verifier,
    probe_strides,
};
use lanescope_ui::page_port::{PagePort, rest};

use crate::forecast::Question;
use crate::message::{self, Message};
use crate::settings::Settings;

/// Bytes that all buffers of a run may take.
const MEMORY_BYTES: u64 = 1 << 30;

thread_local! {
    static CANCELLED: Cell<bool> = const { Cell::new(false) };
    static HIDDEN: Cell<bool> = const { Cell::new(false) };
}

pub(crate) fn cancel() {
    CANCELLED.set(true);
}

pub(crate) fn set_hidden(hidden: bool) {
    HIDDEN.set(hidden);
}

/// Carries out a run.
pub(crate) async fn perform(settings: String, browser: String, post: Function) {
    CANCELLED.set(false);
    let post = Post(PagePort::new(post));
    let Ok(settings) = serde_json::from_str::<Settings>(&settings) else {
        return post.tell(&Message::Fault(Fault::Unreadable));
    };
    let browser = serde_json::from_str(&browser).unwrap_or_default();
    let outcome = measure(&settings, &browser, &post).await;
    post.tell(&outcome.map_or_else(Message::Fault, Message::Done));
}

/// Answers questions to the model.
pub(crate) fn foresee(questions: &str, post: Function) {
    let questions: Vec<Question> = serde_json::from_str(questions).unwrap_or_default();
    let answer = |question: Question| {
        let found = question.answer();
        (question, found)
    };
    PagePort::new(post).tell(&Message::Predicted(
        questions.into_iter().map(answer).collect(),
    ));
}

/// The page, which a measurement asks whether to go on.
struct Post(PagePort);

impl Post {
    fn tell(&self, message: &Message) {
        self.0.tell(message);
    }
}

impl Control for Post {
    fn cancelled(&self) -> bool {
        // Asked before each submission: a sign of life for the page's watch.
        self.tell(&Message::Alive);
        CANCELLED.get()
    }

    fn hidden(&self) -> bool {
        HIDDEN.get()
    }

    async fn rest(&self) {
        rest().await;
    }

    fn progress(&self, progress: Progress) {
        self.tell(&Message::Progress(message::Progress {
            done: progress.done,
            total: progress.total,
            kernel: progress.kernel.to_owned(),
        }));
    }
}

async fn measure(settings: &Settings, browser: &BrowserCard, post: &Post) -> Result<Report, Fault> {
    let mut gpu = Gpu::open(None).await?;
    gpu.take_browser_card(browser);
    post.tell(&Message::Opened(gpu.card().clone()));
    let mut report = Report {
        schema: SCHEMA.to_owned(),
        adapter: gpu.card().clone(),
        limits: gpu.limits(),
        clock: gpu.clock(),
        experiments: Vec::new(),
        strides: None,
    };
    let rules = TimingRules::of_adapter(gpu.card().is_software());
    if settings.experiment.family() == Family::Stride {
        let rules = TimingRules {
            pass_ns: rules.pass_ns.min(10e6),
            ..rules
        };
        report.strides = Some(probe_strides(&mut gpu, &rules, post).await?);
        return Ok(report);
    }
    let mut verifier = Verifier::default();
    for problem in settings.problems() {
        let variants = settings.variants(&report.limits);
        let mut experiment = Experiment::with(variants, problem, &report.limits);
        experiment.memory_bytes = MEMORY_BYTES;
        experiment.rules = rules;
        let table = experiment.run(&mut gpu, &mut verifier, post).await;
        let is_over = table.ended.is_some();
        report.experiments.push(table);
        post.tell(&Message::Part(report.clone()));
        if is_over {
            break;
        }
    }
    Ok(report)
}
