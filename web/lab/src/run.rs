//! The worker's half: opens the device, runs, tells.

use std::cell::Cell;

use js_sys::Function;
use lanescope_kernels::{Family, Kernel};
use lanescope_lab::report::{Report, SCHEMA};
use lanescope_lab::{
    Control, Experiment, Fault, Gpu, Machine, Progress, TimingRules, Variant, Verifier,
    probe_strides,
};
use wasm_bindgen::JsValue;

use crate::message::Message;
use crate::request::Request;

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

/// Carries out a request.
pub(crate) async fn perform(request: String, post: Function) {
    CANCELLED.set(false);
    let post = Post(post);
    let Ok(request) = serde_json::from_str::<Request>(&request) else {
        return;
    };
    let outcome = measure(&request, &post).await;
    post.tell(&outcome.map_or_else(Message::Fault, Message::Done));
}

/// The page's ear.
struct Post(Function);

impl Post {
    fn tell(&self, message: &Message) {
        if let Ok(text) = serde_json::to_string(message) {
            // The page may be gone.
            let _ = self.0.call1(&JsValue::NULL, &text.into());
        }
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

    fn progress(
        &self,
        Progress {
            done,
            total,
            kernel,
        }: Progress,
    ) {
        self.tell(&Message::Progress {
            done,
            total,
            kernel: kernel.to_owned(),
        });
    }
}

/// A tenth of a second, in a page as in a worker.
async fn rest() {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        let timer = js_sys::Reflect::get(&js_sys::global(), &"setTimeout".into());
        if let Ok(timer) = timer.map(Function::from) {
            let _ = timer.call2(&JsValue::NULL, &resolve, &100.into());
        }
    });
    let _ = wasm_bindgen_futures::JsFuture::from(promise).await;
}

async fn measure(request: &Request, post: &Post) -> Result<Report, Fault> {
    let mut gpu = Gpu::open(None).await?;
    post.tell(&Message::Opened(gpu.card().clone()));
    let mut report = Report {
        schema: SCHEMA.to_owned(),
        adapter: gpu.card().clone(),
        limits: gpu.limits(),
        clock: gpu.clock(),
        experiments: Vec::new(),
        strides: None,
    };
    if request.family() == Family::Stride {
        let rules = TimingRules {
            pass_ns: 10e6,
            ..TimingRules::default()
        };
        report.strides = Some(probe_strides(&mut gpu, &rules, post).await?);
        return Ok(report);
    }
    let named = request.kernels();
    let kernels = Kernel::family(request.family())
        .filter(|kernel| named.is_empty() || named.contains(&kernel.id));
    let variants = kernels.map(|kernel| Variant::tuned(kernel, &report.limits));
    let mut experiment = Experiment::with(variants, request.problem(), &report.limits);
    experiment.memory_bytes = 1 << 30;
    let table = experiment
        .run(&mut gpu, &mut Verifier::default(), post)
        .await;
    report.experiments.push(table);
    Ok(report)
}
