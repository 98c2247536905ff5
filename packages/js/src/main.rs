//! The doors of the WASM that `packages/js/lanescope.js` opens: a question as JSON in, the answer as text out.

use lanescope_draw::{chinese, english, to_svg, with_link};
use lanescope_query::{Ask, Question, Report, analyse, picture};
use lanescope_share::{State, encode};
use std::fmt::Display;
use wasm_bindgen::prelude::*;

fn main() {}

/// The report on a question, both as JSON.
///
/// # Errors
/// A sentence: the question is not one, or it names a device, an argument or a link that there is not.
#[wasm_bindgen]
pub fn analyze(question: &str) -> Result<String, JsError> {
    let (state, max_requests) = asked(question)?;
    let analysis = analyse(Question::of(&state, max_requests).map_err(sentence)?);
    serde_json::to_string(&Report::of(&analysis)).map_err(sentence)
}

/// The picture of a question's dearest request (of those on `line`, unless that is 0) as SVG.
///
/// # Errors
/// As [`analyze`], or nothing is there to draw.
#[wasm_bindgen]
pub fn svg(question: &str, line: u32, is_chinese: bool) -> Result<String, JsError> {
    let (state, max_requests) = asked(question)?;
    let analysis = analyse(Question::of(&state, max_requests).map_err(sentence)?);
    let say = if is_chinese { chinese } else { english };
    let line = (line > 0).then_some(line);
    let picture = picture(&analysis, line, &say).map_err(sentence)?;
    let link = format!("#{}", encode(&state));
    Ok(with_link(&to_svg(&picture.drawing), &link))
}

/// The link's fragment that opens a question in the page.
///
/// # Errors
/// As [`analyze`].
#[wasm_bindgen]
pub fn link(question: &str) -> Result<String, JsError> {
    let (state, _) = asked(question)?;
    Ok(encode(&state))
}

fn asked(question: &str) -> Result<(State, u64), JsError> {
    let ask: Ask = serde_json::from_str(question).map_err(sentence)?;
    let max_requests = ask.max_requests();
    Ok((ask.state().map_err(sentence)?, max_requests))
}

fn sentence(error: impl Display) -> JsError {
    JsError::new(&error.to_string())
}
