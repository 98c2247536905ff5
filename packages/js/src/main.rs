//! The doors of the WASM that `packages/js/lanescope.js` opens: a question as JSON in, the answer as text out.

use lanescope_compiled::read;
use lanescope_draw::{in_language, to_svg, with_link};
use lanescope_frontend::is_wgsl;
use lanescope_locale::Language;
use lanescope_model::Device;
use lanescope_query::{Ask, Question, Report, Stop, analyse, device, kernel_options, picture};
use lanescope_report::{Fixes, Layout, Trace, advise, asked_state};
use lanescope_share::{self as share, Source, State, encode};
use serde::Deserialize;
use std::fmt::Display;
use wasm_bindgen::prelude::*;

fn main() {}

/// The report on a question, both as JSON.
///
/// # Errors
/// A sentence: the question is not one, or it names a device, an argument or a link that there is not.
#[wasm_bindgen]
pub fn analyze(question: &str) -> Result<String, JsError> {
    let Request { question, .. } = request(question, None)?;
    let analysis = analyse(question);
    serde_json::to_string(&Report::of(&analysis)).map_err(sentence)
}

/// The picture of a question's costliest request (of those on `line`, unless that is 0) as SVG.
///
/// # Errors
/// As [`analyze`], or nothing is there to draw.
#[wasm_bindgen]
pub fn svg(question: &str, line: u32, language: &str) -> Result<String, JsError> {
    let Request {
        state,
        question,
        seconds,
    } = request(question, Some(PICTURE_SECONDS))?;
    let mut analysis = analyse(question);
    // Counting takes half of the time at most, and so does the search for the request.
    analysis.question.stop = stop(seconds.map(|seconds| seconds / 2.0));
    let say = in_language(Language::of_tag(language).unwrap_or(Language::DEFAULT));
    let line = (line > 0).then_some(line);
    let picture = picture(&analysis, line, &say).map_err(sentence)?;
    let link = format!("#{}", encode(&state));
    Ok(with_link(&to_svg(&picture.drawing), &link))
}

/// The fixes of a kernel or of index expressions, each proved on the changed source, as JSON.
///
/// # Errors
/// As [`analyze`], or the source is of a kind in which no fixes are searched.
#[wasm_bindgen]
pub fn fixes(question: &str) -> Result<String, JsError> {
    let Request {
        state, question, ..
    } = request(question, None)?;
    let stop = question.stop.clone();
    let advice = advise(&state, &question, None, &mut || !stop.is_stopped_now());
    let advice = advice.map_err(sentence)?;
    serde_json::to_string(&Fixes::of(&advice, "", &question.source)).map_err(sentence)
}

/// A question about a layout.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LayoutAsk {
    layout: String,
    #[serde(default)]
    accesses: Vec<String>,
    #[serde(default)]
    device: String,
    #[serde(default)]
    find: bool,
    align: Option<u64>,
}

/// A layout with its accesses as JSON, and with `find` in the question also what frees all of them under `align` bytes.
///
/// # Errors
/// A sentence: there is no layout or no such device, or there is nothing to seek for.
#[wasm_bindgen]
pub fn layout(question: &str) -> Result<String, JsError> {
    let asked: LayoutAsk = serde_json::from_str(question).map_err(sentence)?;
    let device = device_of(&asked.device)?;
    let search = asked.find.then_some(asked.align);
    let layout = Layout::of(&asked.layout, &asked.accesses, &device, search);
    layout
        .and_then(|layout| layout.json(&device))
        .map_err(sentence)
}

/// The answers to a recorded trace as JSON.
///
/// # Errors
/// A sentence: there is no such device, or the trace's first line does not name the columns.
#[wasm_bindgen]
pub fn trace(text: &str, device: &str) -> Result<String, JsError> {
    let device = device_of(device)?;
    let trace = Trace::open(text, &device).map_err(sentence)?;
    trace.json().map_err(sentence)
}

/// The device of a name; the default where there is none.
fn device_of(name: &str) -> Result<Device, JsError> {
    match name {
        "" => Ok(<&Device>::default().clone()),
        name => device(&share::Device::Known(name.to_owned())).map_err(sentence),
    }
}

/// The link's fragment that opens a question in the page.
///
/// # Errors
/// As [`analyze`].
#[wasm_bindgen]
pub fn link(question: &str) -> Result<String, JsError> {
    let ask: Ask = serde_json::from_str(question).map_err(sentence)?;
    Ok(encode(&asked_state(ask).map_err(sentence)?))
}

/// Seconds that a picture may take, unless the question says more or less.
const PICTURE_SECONDS: f64 = 2.0;

struct Request {
    state: State,
    question: Question,
    seconds: Option<f64>,
}

/// A question with its limits; of the seconds, `pictured` where the question says none, counting may take half where
/// a picture follows.
fn request(question: &str, pictured: Option<f64>) -> Result<Request, JsError> {
    let ask: Ask = serde_json::from_str(question).map_err(sentence)?;
    let (max_requests, max_steps) = (ask.max_requests(), ask.max_steps());
    let seconds = ask.max_seconds().or(pictured);
    let state = asked_state(ask).map_err(sentence)?;
    let mut question = question_of(&state, max_requests)?;
    question.max_steps = max_steps;
    let share = if pictured.is_some() { 0.5 } else { 1.0 };
    question.stop = stop(seconds.map(|seconds| seconds * share));
    Ok(Request {
        state,
        question,
        seconds,
    })
}

/// The question that a state asks, of a source in any language or of what a compiler made of one.
fn question_of(state: &State, max_requests: u64) -> Result<Question, JsError> {
    let parsed = match &state.source {
        Source::Kernel(text) if is_wgsl(text) => {
            Some((lanescope_wgsl::parse(text, &kernel_options(state)), text))
        }
        Source::Kernel(text) => read(text, state.launch.kernel.as_deref()).zip(Some(text)),
        Source::Expression { .. } | Source::Layout { .. } | Source::Trace(_) => None,
    };
    let question = match parsed {
        Some((parsed, text)) => Question::with(state, parsed, text.clone(), max_requests),
        None => Question::of(state, max_requests),
    };
    let mut question = question.map_err(sentence)?;
    question.take_host_sizes(&state.launch.defines);
    Ok(question)
}

/// Ends after so many seconds from now.
fn stop(seconds: Option<f64>) -> Stop {
    let Some(seconds) = seconds else {
        return Stop::default();
    };
    let end = now() + seconds * 1000.0;
    Stop::when(move || now() >= end)
}

#[wasm_bindgen]
extern "C" {
    /// Milliseconds.
    #[wasm_bindgen(js_namespace = Date)]
    fn now() -> f64;
}

fn sentence(error: impl Display) -> JsError {
    JsError::new(&error.to_string())
}
