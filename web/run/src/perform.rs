//! The worker's half: makes the launch ready, opens the device, measures, searches fixes, tells.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use js_sys::{Array, Function, Uint8Array};
use lanescope_fixes::Suggestion;
use lanescope_lab::{BrowserCard, Control, Gpu, Machine, Progress, TimingRules};
use lanescope_query::{Question, analyse};
use lanescope_run::{Counts, Failure, Ready, Refusal, Setting, measure};
use lanescope_share::State;
use lanescope_simt::Budget;
use lanescope_ui::page_port::{PagePort, rest};
use wasm_bindgen::{JsCast as _, JsValue};

use crate::fixing;
use crate::message::{Adapter, Message, Request, Sentences, Stage, Text};
use crate::subject::{self, Files};

/// Bytes that all buffers of a launch may have on a GPU: the worker, which may have 1 GiB, holds what they hold before a run
/// and what two launches leave in them.
const MEMORY_BYTES: u64 = 256 << 20;

/// The same where the processor runs the shaders, and holds all of it once more.
const SOFTWARE_MEMORY_BYTES: u64 = 96 << 20;

thread_local! {
    static HIDDEN: Cell<bool> = const { Cell::new(false) };
    /// The fixes found last, of the link.
    static FIXES: RefCell<Option<(String, Vec<Suggestion>)>> = const { RefCell::new(None) };
}

pub(crate) fn set_hidden(hidden: bool) {
    HIDDEN.set(hidden);
}

/// Carries out a request.
pub(crate) async fn perform(request: String, files: Array, browser: String, post: Function) {
    let post = Post(PagePort::new(post));
    let Ok(request) = serde_json::from_str::<Request>(&request) else {
        return post.tell(&Message::Fault(lanescope_lab::Fault::Unreadable));
    };
    let ended = Run {
        request,
        files: read(&files),
        browser: serde_json::from_str(&browser).unwrap_or_default(),
        post: &post,
    }
    .perform()
    .await;
    post.tell(&ended.unwrap_or_else(|last| last));
}

/// The bytes of files, by the buffers' names.
fn read(files: &Array) -> Files {
    let pair = |pair: JsValue| {
        let pair: Array = pair.dyn_into().ok()?;
        let bytes: Uint8Array = pair.get(1).dyn_into().ok()?;
        Some((pair.get(0).as_string()?, Arc::from(bytes.to_vec())))
    };
    files.iter().filter_map(pair).collect()
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
        // Asked before each submission: a sign of life. Who cancels ends the worker.
        self.tell(&Message::Alive);
        false
    }

    fn hidden(&self) -> bool {
        HIDDEN.get()
    }

    async fn rest(&self) {
        rest().await;
    }

    fn progress(&self, _progress: Progress) {}
}

/// A request that is carried out.
struct Run<'p> {
    request: Request,
    files: Files,
    browser: BrowserCard,
    post: &'p Post,
}

impl Run<'_> {
    /// The last message, whether it went well or not.
    async fn perform(&self) -> Result<Message, Message> {
        let state = subject::opened(&self.request.fragment).map_err(|one| refused(&one))?;
        let written = self.question(&state)?;
        self.post
            .tell(&Message::Buffers(subject::buffers(&written)));
        self.post.tell(&Message::At(Stage::Opening));
        let mut gpu = Gpu::open(None).await.map_err(Message::Fault)?;
        gpu.take_browser_card(&self.browser);
        let adapter = Adapter {
            name: gpu.card().name.clone(),
            is_software: gpu.card().is_software(),
        };
        let rules = TimingRules::of_adapter(adapter.is_software);
        let memory_bytes = memory_bytes(adapter.is_software);
        self.post.tell(&Message::Opened(adapter));
        let setting = Setting {
            budget: Budget {
                requests: 2_000_000,
                steps: 20_000_000,
                bytes: 256 << 20,
                ..Setting::of(gpu.limits()).budget
            },
            memory_bytes,
            ..Setting::of(gpu.limits())
        };
        let mut launches = Vec::new();
        let mut suggestions = None;
        if let Some(number) = self.request.fix {
            self.post.tell(&Message::At(Stage::Proving));
            let found = self.fixes(&state, self.question(&state)?);
            let fix = found.get(number).ok_or(Message::NoSuchFix)?;
            let changed = fixing::state_of(&state, fix);
            let mut fixed = subject::question(&changed).map_err(|one| refused(&one))?;
            fixed.launch = fix.launch.clone();
            fixed.host_sized.clone_from(&written.host_sized);
            subject::choose(&mut fixed, &self.request.contents, &self.files);
            launches.push((changed, fixed));
            suggestions = Some(found);
        }
        launches.insert(0, (state.clone(), written));
        self.post.tell(&Message::At(Stage::Simulating));
        let mut all: Vec<Ready> = Vec::new();
        for (state, question) in launches {
            self.post.tell(&Message::Alive);
            let mut ready = ready(&state, question, &setting).map_err(|one| refused(&one))?;
            match all.first() {
                None => self.post.tell(&Message::Emitted(text(&ready))),
                Some(first) => ready.share_contents_of(first),
            }
            all.push(ready);
        }
        self.post.tell(&Message::At(Stage::Running));
        let report = measure(&mut gpu, &all, &rules, self.post).await;
        self.post.tell(&Message::Measured(report.map_err(failed)?));
        drop((gpu, all));
        if suggestions.is_none() {
            self.post.tell(&Message::At(Stage::Searching));
            let found = self.fixes(&state, self.question(&state)?);
            self.post
                .tell(&Message::Fixes(found.iter().map(fixing::line).collect()));
        }
        Ok(Message::Done)
    }

    fn question(&self, state: &State) -> Result<Question, Message> {
        let mut question = subject::question(state).map_err(|one| refused(&one))?;
        subject::choose(&mut question, &self.request.contents, &self.files);
        Ok(question)
    }

    /// The fixes of the kernel, searched once.
    fn fixes(&self, state: &State, question: Question) -> Vec<Suggestion> {
        let known = FIXES.with_borrow(|found| match found {
            Some((of, fixes)) if *of == self.request.fragment => Some(fixes.clone()),
            Some(_) | None => None,
        });
        known.unwrap_or_else(|| {
            let found = fixing::search(state, question, &mut || self.post.tell(&Message::Alive));
            FIXES.set(Some((self.request.fragment.clone(), found.clone())));
            found
        })
    }
}

const fn memory_bytes(is_software: bool) -> u64 {
    if is_software {
        SOFTWARE_MEMORY_BYTES
    } else {
        MEMORY_BYTES
    }
}

fn ready(state: &State, question: Question, setting: &Setting) -> Result<Ready, Refusal> {
    let counted = analyse(question);
    let counts = Counts::of(&counted.totals);
    match subject::interface(state) {
        Some(interface) => Ready::as_it_is(&counted.question, &interface, counts, setting),
        None => Ready::of(&counted.question, counts, setting),
    }
}

fn text(ready: &Ready) -> Text {
    let notes = ready.notes().iter();
    Text {
        wgsl: ready.emitted.text.clone(),
        notes: notes
            .map(|note| Sentences::new(None, |language| note.text(language)))
            .collect(),
        taken: ready.taken.clone(),
    }
}

fn refused(refusal: &Refusal) -> Message {
    Message::Refused(Sentences::refusal(refusal))
}

fn failed(failure: Failure) -> Message {
    match failure {
        Failure::Device { fault, line: None } => Message::Fault(fault),
        failure => Message::Refused(Sentences::failure(&failure)),
    }
}
