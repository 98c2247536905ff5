//! The page's half: asks, and hears what is told of the latest question.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use js_sys::{Date, Function, Reflect, Uint8Array};
use lanescope_wire::Wire as _;
use leptos::prelude::set_timeout;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast as _, JsValue};

use super::at::At;
use super::request::{Request, Task};
use super::response::{Response, numbered};
use super::slices::Slices;
use crate::answer::Question;
use crate::tasks;

/// How long one slice may keep the page from answering, in milliseconds.
const SLICE_MS: f64 = 10.0;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The worker failed, or said what nobody can read.
    Broken,
    /// It said nothing for too long.
    Silent,
}

/// What comes of a question.
#[allow(
    clippy::large_enum_variant,
    reason = "one exists at a time and is moved once"
)]
#[derive(Debug)]
pub(crate) enum Heard {
    Response(Response),
    Failed(Failure),
}

/// What a worker's message means.
#[allow(
    clippy::large_enum_variant,
    reason = "one exists at a time and is moved once"
)]
#[derive(Debug, PartialEq)]
enum Message {
    Response(Response),
    Failed(Failure),
    /// There is no worker: the work is to be done here.
    NoWorker,
}

/// Asks for one kind of work. A handle: clones are the same client.
#[derive(Clone)]
pub(crate) struct Client(Rc<Inner>);

struct Inner {
    task: Task,
    /// The worker that is asked.
    worker: &'static str,
    heard: RefCell<Box<dyn FnMut(Heard)>>,
    pending: RefCell<Option<(Task, Question, At)>>,
    /// Counts the questions, so that slices for an older one end themselves.
    round: Cell<u32>,
    /// What `start.js` calls with bytes, or with the name of a failure.
    ear: RefCell<JsValue>,
}

impl Client {
    /// A client for `task`; `heard` takes what is told of the question asked last.
    pub(crate) fn new(task: Task, heard: impl FnMut(Heard) + 'static) -> Self {
        Self::of_worker(task.name(), task, heard)
    }

    /// The same with a worker of its own.
    pub(crate) fn of_worker(
        worker: &'static str,
        task: Task,
        heard: impl FnMut(Heard) + 'static,
    ) -> Self {
        let client = Self(Rc::new(Inner {
            task,
            worker,
            heard: RefCell::new(Box::new(heard)),
            pending: RefCell::new(None),
            round: Cell::new(0),
            ear: RefCell::new(JsValue::NULL),
        }));
        let listening = client.clone();
        let ear = Closure::<dyn Fn(JsValue, JsValue)>::new(move |bytes: JsValue, name: JsValue| {
            listening.hear(&bytes, &name);
        });
        // As long as the page stands.
        client.0.ear.replace(ear.into_js_value());
        client
    }

    /// Asks `question`; whatever was asked before is dropped.
    pub(crate) fn ask(&self, question: &Question) {
        self.ask_for(self.0.task, question, &At::Nothing);
    }

    /// The same for another task that the same worker does.
    pub(crate) fn ask_for(&self, task: Task, question: &Question, at: &At) {
        self.0.round.set(self.0.round.get().wrapping_add(1));
        self.0
            .pending
            .replace(Some((task, question.clone(), at.clone())));
        let request = Request::new(task, question, at);
        let bytes = numbered(self.0.round.get(), &request);
        if !self.call(&Uint8Array::from(bytes.as_slice())) {
            self.take(Message::NoWorker);
        }
    }

    /// Drops what was asked.
    pub(crate) fn cancel(&self) {
        if self.0.pending.take().is_some() {
            self.0.round.set(self.0.round.get().wrapping_add(1));
            self.call(&JsValue::NULL);
        }
    }

    /// Calls `start.js`; whether it is there.
    fn call(&self, request: &JsValue) -> bool {
        let work = Reflect::get(&js_sys::global(), &"lanescopeWork".into());
        let Some(work) = work.ok().and_then(|work| work.dyn_into::<Function>().ok()) else {
            return false;
        };
        let ear = self.0.ear.borrow().clone();
        let name = self.0.worker.into();
        work.call3(&JsValue::NULL, &name, request, &ear).is_ok()
    }

    fn hear(&self, bytes: &JsValue, failure: &JsValue) {
        tasks::begin();
        let bytes = bytes.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec);
        let Some(bytes) = self.of_last(bytes) else {
            return; // what was superseded is dropped
        };
        self.take(message(bytes.as_deref(), failure.as_string().as_deref()));
    }

    /// What the worker said, unless that is of a question before the last.
    fn of_last(&self, bytes: Option<Vec<u8>>) -> Option<Option<Vec<u8>>> {
        let Some(bytes) = bytes else {
            return Some(None);
        };
        let Some((round, response)) = bytes.split_first_chunk() else {
            return Some(Some(bytes));
        };
        (u32::from_le_bytes(*round) == self.0.round.get()).then(|| Some(response.to_vec()))
    }

    fn take(&self, message: Message) {
        let heard = match message {
            Message::NoWorker => return self.begin_slices(),
            Message::Response(response) => Heard::Response(response),
            Message::Failed(failure) => {
                // What cannot be understood is not to go on.
                self.call(&JsValue::NULL);
                Heard::Failed(failure)
            }
        };
        self.pass(heard);
    }

    /// Hands it on; after the last there is nothing under way.
    fn pass(&self, heard: Heard) {
        if !matches!(&heard, Heard::Response(response) if !response.is_last()) {
            self.0.pending.replace(None);
        }
        (self.0.heard.borrow_mut())(heard);
    }

    fn begin_slices(&self) {
        let pending = self.0.pending.borrow().clone();
        let slices = pending.and_then(|(task, question, at)| Slices::begin(task, &question, &at));
        if let Some(slices) = slices {
            self.next_slice(slices, self.0.round.get());
        }
    }

    /// Goes on for a moment whenever the page has nothing else to do, until something else is
    /// asked.
    fn next_slice(&self, mut slices: Slices, round: u32) {
        let client = self.clone();
        let slice = move || {
            if client.0.round.get() != round {
                return;
            }
            let end = Date::now() + SLICE_MS;
            let mut response = slices.step();
            while !response.is_last() && Date::now() < end {
                response = slices.step();
            }
            let is_last = response.is_last();
            client.pass(Heard::Response(response));
            if !is_last {
                client.next_slice(slices, round);
            }
        };
        set_timeout(slice, Duration::ZERO);
    }
}

/// What `bytes` say, or the failure that `start.js` names.
fn message(bytes: Option<&[u8]>, failure: Option<&str>) -> Message {
    match (bytes.and_then(Response::of_bytes), failure) {
        (Some(response), _) => Message::Response(response),
        (None, Some("none")) => Message::NoWorker,
        (None, Some("silent")) => Message::Failed(Failure::Silent),
        _ => Message::Failed(Failure::Broken),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_checked() {
        let response = Response::Progress { done: 1, total: 2 };
        let bytes = response.to_bytes();
        assert_eq!(message(Some(&bytes), Some("")), Message::Response(response));
        for strange in [&bytes[1..], &[], &[9; 40]] {
            let heard = message(Some(strange), Some(""));
            assert_eq!(heard, Message::Failed(Failure::Broken));
        }
        assert_eq!(message(None, Some("none")), Message::NoWorker);
        assert_eq!(
            message(None, Some("silent")),
            Message::Failed(Failure::Silent)
        );
        assert_eq!(message(None, None), Message::Failed(Failure::Broken));
    }
}
