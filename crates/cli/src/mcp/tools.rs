//! The tools: what each is for, what it takes, what it answers.

use super::message::Refusal;
use crate::{clock, device_choice, devices, engine};
use lanescope_model::Device;
use lanescope_query::{Ask, Report, Stop, analyse};
use lanescope_report::asked_state;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use strum::VariantArray;

/// A question to the module, and its answer: the schemas of the package for other programs.
const QUESTION: &str = include_str!("../../../../packages/js/question.schema.json");
const REPORT: &str = include_str!("../../../../packages/js/report.schema.json");

/// How long a call may take, unless it says less or more.
const SECONDS: f64 = 30.0;

/// The most that it may say.
const SECONDS_MAX: f64 = 600.0;

/// A tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
enum Tool {
    Analyse,
    Fix,
    Layout,
    Devices,
}

impl Tool {
    const ALL: &'static [Self] = Self::VARIANTS;

    const fn name(self) -> &'static str {
        match self {
            Self::Analyse => "analyse",
            Self::Fix => "fix",
            Self::Layout => "layout",
            Self::Devices => "devices",
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Analyse => {
                "Count what a kernel (CUDA, HIP, WGSL, C++ AMP, PTX, SASS) or a list of index expressions costs in shared-memory \
                 wavefronts and global-memory sectors, line by line, with the worst request. Say the launch."
            }
            Self::Fix => {
                "Find changes of a kernel or of index expressions (padding, XOR swizzle, staging, structure of arrays and more) \
                 that take away bank conflicts or wasted sectors; each is proved on the changed source."
            }
            Self::Layout => {
                "Read a CuTe layout, a swizzle, a TMA box or one of Triton's encodings and say which accesses conflict; with \
                 find, the cheapest swizzle or pitch that frees all of them, or the proof that there is none."
            }
            Self::Devices => {
                "List the devices that can be analysed for, with each number of the hardware, its source and its confidence."
            }
        }
    }

    /// What it takes.
    fn input(self) -> Value {
        match self {
            Self::Analyse | Self::Fix => schema(QUESTION),
            Self::Layout => json!({
                "type": "object", "additionalProperties": false, "required": ["layout"],
                "properties": {
                    "layout": { "type": "string", "description": "As C++, Python, CuTe's print or Triton's IR writes it, as in: type f16; Swizzle<3,3,3> o (16,64):(64,1)" },
                    "accesses": { "type": "array", "items": { "type": "string" }, "description": "How lanes touch it: load row, ldmatrix.x4, cp.async 16, store #blocked; the widest ldmatrix that fits where there is none." },
                    "device": { "type": "string", "description": "Any name of a device, as cc9.0, h100 or gfx942.", "default": "cc9.0" },
                    "find": { "type": "boolean", "default": false, "description": "Seek the cheapest swizzle or pitch." },
                    "align": { "type": "integer", "minimum": 1, "description": "Bytes to which rows and swizzled groups stay aligned, a power of two." },
                },
            }),
            Self::Devices => json!({
                "type": "object", "additionalProperties": false,
                "properties": { "names": { "type": "array", "items": { "type": "string" }, "description": "Only these devices, by any of their names." } },
            }),
        }
    }

    /// The schema of its answer, where there is one.
    fn output(self) -> Option<Value> {
        match self {
            Self::Analyse => Some(schema(REPORT)),
            Self::Fix | Self::Layout | Self::Devices => None,
        }
    }
}

/// A schema without its title and its name for the dialect, which clients do not need.
fn schema(text: &str) -> Value {
    let mut schema: Map<String, Value> = serde_json::from_str(text).unwrap_or_default();
    schema.remove("$schema");
    schema.remove("title");
    Value::Object(schema)
}

/// What `tools/list` says.
pub(super) fn list() -> Vec<Value> {
    let listed = |tool: &Tool| {
        let mut listed = json!({
            "name": tool.name(),
            "description": tool.description(),
            "inputSchema": tool.input(),
            "annotations": { "readOnlyHint": true, "openWorldHint": false },
        });
        if let (Some(output), Some(listed)) = (tool.output(), listed.as_object_mut()) {
            listed.insert("outputSchema".to_owned(), output);
        }
        listed
    };
    Tool::ALL.iter().map(listed).collect()
}

/// A call that is to be answered.
pub(super) struct Job {
    tool: Tool,
    arguments: Value,
}

impl Job {
    /// What `tools/call` asks.
    ///
    /// # Errors
    /// When there is no such tool.
    pub(super) fn of(params: &Value) -> Result<Self, Refusal> {
        let name = params["name"].as_str().unwrap_or_default();
        let tool = Tool::ALL.iter().copied().find(|tool| tool.name() == name);
        let Some(tool) = tool else {
            let names = Tool::ALL.iter().copied().map(Tool::name);
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(Refusal::wrong_params(format!(
                "there is no tool `{name}`; there are {names}"
            )));
        };
        let arguments = match params.get("arguments") {
            None | Some(Value::Null) => json!({}),
            Some(arguments) => arguments.clone(),
        };
        Ok(Self { tool, arguments })
    }

    /// The answer. What is wrong with the arguments is an answer too, which whoever asked can read and mend.
    pub(super) fn run(self, stop: &Stop) -> Value {
        let seconds = self.arguments["max_seconds"].as_f64();
        let seconds = seconds.unwrap_or(SECONDS).clamp(0.0, SECONDS_MAX);
        let deadline = Instant::now() + Duration::from_secs_f64(seconds);
        let cancelled = stop.clone();
        let ends = Stop::when(move || cancelled.is_stopped() || Instant::now() >= deadline);
        let work = || {
            let answered = AssertUnwindSafe(|| self.answer(&ends));
            catch_unwind(answered).unwrap_or_else(|_| {
                Err(anyhow::anyhow!(
                    "this text broke the analysis; please report it"
                ))
            })
        };
        match clock::as_task(&ends, deadline, work) {
            Ok(text) => content(self.tool, &text),
            Err(error) => json!({
                "content": [{ "type": "text", "text": format!("{error:#}") }],
                "isError": true,
            }),
        }
    }

    /// The answer as JSON.
    fn answer(&self, stop: &Stop) -> anyhow::Result<String> {
        let arguments = self.arguments.clone();
        match self.tool {
            Tool::Analyse => {
                let (_, question) = question(arguments, stop)?;
                Ok(serde_json::to_string(&Report::of(&analyse(question)))?)
            }
            Tool::Fix => {
                let (state, question) = question(arguments, stop)?;
                engine::fixes_json(&state, &question, None, &mut || !clock::is_over())
            }
            Tool::Layout => {
                let call: LayoutCall = serde_json::from_value(arguments)?;
                let search = call.find.then_some(call.align);
                let device = device(call.device.as_deref().unwrap_or_default())?;
                engine::layout_json(&call.layout, &call.accesses, &device, search)
            }
            Tool::Devices => {
                let call: DevicesCall = serde_json::from_value(arguments)?;
                let chosen = call.names.iter().map(|name| device(name));
                devices::json(&chosen.collect::<anyhow::Result<Vec<_>>>()?)
            }
        }
    }
}

/// An answer as content, and as data for clients that read it.
fn content(tool: Tool, text: &str) -> Value {
    let data: Value = serde_json::from_str(text).unwrap_or(Value::Null);
    let text = match tool {
        Tool::Analyse => data.to_string(),
        Tool::Fix | Tool::Layout | Tool::Devices => text.to_owned(),
    };
    json!({
        "content": [{ "type": "text", "text": text }],
        "structuredContent": data,
        "isError": false,
    })
}

fn question(
    arguments: Value,
    stop: &Stop,
) -> anyhow::Result<(lanescope_share::State, lanescope_query::Question)> {
    let ask: Ask = serde_json::from_value(arguments)?;
    let (max_requests, max_steps) = (ask.max_requests(), ask.max_steps());
    let state = asked_state(ask)?;
    let mut question = engine::question(&state, max_requests, stop.clone())?;
    question.max_steps = max_steps;
    Ok((state, question))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LayoutCall {
    layout: String,
    #[serde(default)]
    accesses: Vec<String>,
    device: Option<String>,
    #[serde(default)]
    find: bool,
    align: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DevicesCall {
    #[serde(default)]
    names: Vec<String>,
}

/// The device of a name; the default where there is none.
fn device(name: &str) -> anyhow::Result<Device> {
    if name.is_empty() {
        return Ok(<&Device>::default().clone());
    }
    Ok(device_choice::parse(name)
        .map_err(anyhow::Error::msg)?
        .device)
}
